//! Games solved exactly: perfect play as a yardstick.

pub mod connect4;
mod images;
pub mod mnk;
mod offer;
mod table;

pub use images::Images;
pub use offer::{Unsolved, exact_solver};
pub use table::{Found, Table};
