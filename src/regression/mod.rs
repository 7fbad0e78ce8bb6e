//! Regression checks: comparison of two runs, and a benchmark with fixed work for every agent.

mod bench;
mod benchmark_json;
mod compare;

pub use bench::{Passes, Signature, measure};
pub use compare::{ChangeLimits, CompareError, Comparison, CompletedRun, GateVerdict};
