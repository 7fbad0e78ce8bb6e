//! Benchmark with fixed positions and fixed budgets for every agent and game. It gives one number
//! that changes if a search changes, and the speed of the search.
//!
//! The list follows the registry. `suite` defines the settings of each kind of agent and game, and
//! a test fails when a kind is missing there.

mod benchmark_suite;
mod print_benchmark;
mod run_benchmark;
mod signature_file;

pub use run_benchmark::{Passes, measure};
pub use signature_file::Signature;
