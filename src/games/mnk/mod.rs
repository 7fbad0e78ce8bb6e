//! m,n,k: stones on m columns and n rows, k in a row wins.
//!
//! Tic-tac-toe and Gomoku are of this family. Boards up to 19 × 19; the type's parameter
//! is the number of 64-bit words that a set of cells takes, guard column included.
//!
//! ```
//! use agon::games::{Configurable, Game, Mnk, Notation};
//! use agon::params::Values;
//!
//! let game = Mnk::<1>::build(&Values::default()).unwrap();
//! let state = game.read_position("xox/x.o/..o").unwrap();
//! let mv = game.notation().read_move(&state, "a1").unwrap();
//! assert_eq!(mv, 6);
//! ```

mod board;
mod rules;
mod symmetry;

pub use board::MnkParams;
pub use rules::{Mnk, State};
