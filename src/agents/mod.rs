//! Players: one file per agent.

mod agent;

pub use agent::{Agent, Fault, FaultKind, Ply, Thought};
mod catalogue;
pub use catalogue::{AgentInfo, build, catalogue};
