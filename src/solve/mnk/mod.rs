//! The solver of m,n,k games and tic-tac-toe on boards of at most 64 cells.

mod line_scan;
mod lines;
mod pairing_proof;
mod search;
mod solver;
mod symmetric_key;
mod transposition;

pub use solver::{LineSolver, offer};
