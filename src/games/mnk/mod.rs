//! m,n,k: m columns, n rows, k stones in a row win.
//!
//! Includes tic-tac-toe and Gomoku. Boards up to 19 × 19. The type parameter is the number of
//! 64-bit words in a set of cells, guard column included.
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
pub use rules::{Mnk, MnkState};
