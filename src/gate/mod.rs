//! Did a change make anything worse? Two runs compared, and fixed work for every agent.

mod bench;
mod benchmark;
mod compare;
mod page;

pub use bench::{Passes, Signature, measure};
pub use compare::{CompareError, Comparison, Limits, Played, Verdict};
