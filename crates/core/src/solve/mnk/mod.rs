//! The solver of m,n,k games and tic-tac-toe on boards of at most 64 cells.

mod board_lines;
mod line_scan;
mod mnk_solver;
mod pairing_proof;
mod symmetric_key;
mod win_search;

pub use mnk_solver::LineSolver;
pub(crate) use mnk_solver::offer;
