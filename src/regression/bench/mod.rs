//! Benchmark with fixed positions and fixed budgets for every agent and game. It gives one number
//! that changes if a search changes, and the speed of the search.
//!
//! The list follows the registry. `suite` defines the settings of each kind of agent and game, and
//! a test fails when a kind is missing there.

mod measure;
mod print;
mod signature;
mod suite;

pub use measure::{Passes, measure};
pub use signature::Signature;
