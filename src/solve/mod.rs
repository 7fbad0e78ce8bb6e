//! Games solved exactly: perfect play as a yardstick.

pub mod connect4;
mod images;
pub mod mnk;
mod offer;
mod table;
mod unsolved;

pub use images::Images;
pub use offer::exact_solver;
pub use table::{Found, Table};
pub use unsolved::Unsolved;

/// Bytes of stack that a thread needs in which an agent thinks or a position is solved: also
/// enough where nothing is optimised, and for the longest games. A thread takes what it uses.
pub const STACK: usize = 16 << 20;
