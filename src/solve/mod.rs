//! Exact solvers of games: perfect play as a reference.

pub mod connect4;
pub mod mnk;
mod registry;
mod symmetric_key;
mod table;
mod unsolved;

pub use registry::exact_solver;
pub use symmetric_key::Images;
pub use table::{PlyTable, ProvenPlies};
pub use unsolved::Unsolved;

/// Stack size in bytes of a thread in which an agent searches or a solver runs. It is sufficient
/// for unoptimised builds and for the longest games. A thread uses only the memory that it needs.
pub const STACK: usize = 16 << 20;
