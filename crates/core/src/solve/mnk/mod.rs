//! The solver of m,n,k games and tic-tac-toe on boards of at most 64 cells.

mod board_lines;
mod line_scan;
mod line_solver;
mod mnk_search;
mod pairing_proof;
mod symmetric_key;

pub use line_solver::LineSolver;
pub(crate) use line_solver::offer;
