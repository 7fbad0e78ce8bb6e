//! A Connect Four solver: exact scores and win, draw or loss, without an opening book.
//!
//! The solver does not depend on the type of the game. A game passes its positions as [`BoardStones`]
//! and its size as a [`BoardSize`].

mod book;
mod canonical_key;
mod child_list;
mod exact_values;
mod expand_children;
mod forced_play;
mod geometry;
mod move_ordering;
mod null_window;
mod ordering_weights;
mod score_search;
mod simd;
mod simd_level;
mod solver;
mod stones;
mod strategy;
mod techniques;
mod transposition;

pub use book::{MOST_PLIES, ScoreBook};
pub(super) use exact_values::solver_or_reason;
pub use move_ordering::{FEATURES, Weights};
pub use simd_level::Level;
pub use solver::{MoveScore, ScoredPosition, Solver, WinDrawLoss};
pub use stones::{BoardSize, BoardStones};
pub use techniques::Techniques;
