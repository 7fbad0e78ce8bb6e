//! A Connect Four solver: exact scores and win, draw or loss, without an opening book.
//!
//! The solver does not depend on the type of the game. A game passes its positions as [`Stones`]
//! and its size as a [`Shape`].
//!
//! ```text
//! solver      positions in, answers out
//! engine      a score from questions with empty windows, on several threads
//! search      one question: is the score at least so much?
//! expand      all children at once          settings  techniques that can be switched off
//! order       which move first              weights   what its features weigh
//! settle      wins at once, forced replies  strategy  proofs without search
//! key         one code for equal positions  table     what is known of positions
//! geometry    where cells lie               word      four words at once
//! level       what the processor can do     children  a position that waits
//! book        scores of early positions as a file
//! stones      a board and the stones on it
//! ```

mod book;
mod children;
mod engine;
mod exact;
mod expand;
mod geometry;
mod key;
mod level;
mod order;
mod search;
mod settings;
mod settle;
mod solver;
mod stones;
mod strategy;
mod table;
mod weights;
mod word;

pub use book::{Book, MOST_PLIES};
pub use engine::Interrupted;
pub(super) use exact::offer;
pub use level::Level;
pub use order::{FEATURES, Weights};
pub use settings::Settings;
pub use solver::{MoveScore, Outcome, Solved, Solver};
pub use stones::{Shape, Stones};
