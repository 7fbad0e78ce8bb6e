//! The solver of m,n,k games and tic-tac-toe on boards of at most 64 cells.
//!
//! ```text
//! solver    positions of the game in, exact values out
//! search    one question: does the attacker complete a line within so many plies?
//! look      what the lines of a position say: wins, threats, hopeless attacks
//! pairing   a proof that the defender blocks every line
//! lines     the lines of the board
//! ```

mod line_scan;
mod lines;
mod pairing_proof;
mod search;
mod solver;

pub use solver::{LineSolver, TooLarge, offer};
