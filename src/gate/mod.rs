//! Did a change make anything worse? Two runs compared, and fixed work for every agent.

mod bench;
mod benchmark;
mod compare;
mod page;

pub use bench::{Bench, Case, Passes, Perft, Signature, SignatureError, measure};
pub use compare::{CompareError, Comparison, Gate, Limits, Metric, Played, Verdict};
