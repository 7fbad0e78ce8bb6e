//! Did a change make anything worse? Fixed work for every built-in agent.

mod bench;
mod benchmark;

pub use bench::{Bench, Case, Perft, Signature, SignatureError, measure};
