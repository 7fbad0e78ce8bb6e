//! Players: one file per agent.

mod agent;

pub use agent::{Agent, Fault, FaultKind, Ply, Thought};
