//! Exact solvers of games: perfect play as a reference.

mod alpha_beta_solver;
mod bound_table;
mod breakthrough_solver;
pub mod connect4;
mod kalah_solver;
mod margin_solver;
pub mod mnk;
mod multi_player_tree;
mod othello;
mod solver_list;

pub use crate::games::Unsolved;
pub use alpha_beta_solver::AlphaBetaSolver;
pub use multi_player_tree::{MultiPlayerNode, MultiPlayerTree};
pub use solver_list::exact_solver;

/// Stack size in bytes of a thread in which an agent searches or a solver runs. It is sufficient
/// for unoptimised builds and for the longest games. A thread uses only the memory that it needs.
pub const STACK: usize = 16 << 20;
