//! Regression checks: comparison of two runs, and a benchmark with fixed work for every agent.

mod bench;
mod benchmark;
mod compare;
mod page;

pub use bench::{Passes, Signature, measure};
pub use compare::{CompareError, Comparison, Limits, Played, Verdict};
