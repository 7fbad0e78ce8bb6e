//! Players: one file per agent, one line each in the catalogue.

mod agent;
mod alphabeta;
mod catalogue;
mod minimax;
mod random;
mod settings;

pub use agent::{Agent, Fault, FaultKind, Ply, Thought};
pub use catalogue::{AgentInfo, build, catalogue};
