//! m,n,k: m columns, n rows, k stones in a row win.
//!
//! Includes tic-tac-toe and Gomoku. Boards up to 20 × 20. The type parameter is the number of
//! 64-bit words in a set of cells, guard column included.

mod board_shape;
mod rules;

pub use board_shape::MnkParams;
pub use rules::{Mnk, MnkState};
