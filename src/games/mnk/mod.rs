//! m,n,k: stones on m columns and n rows, k in a row wins.
//!
//! Tic-tac-toe and Gomoku are of this family. Boards up to 19 × 19; the type's parameter
//! is the number of 64-bit words that a set of cells takes, guard column included.

mod board;
mod rules;
mod symmetry;

pub use rules::{Mnk, State};
