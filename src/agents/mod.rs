//! Players: one file per agent, one line each in the catalogue.

mod agent;
mod alphabeta;
mod catalogue;
mod expectimax;
mod minimax;
mod noisy;
mod random;
mod sampling;
mod settings;

pub use agent::{Agent, Fault, FaultKind, Ply, Thought};
pub use catalogue::{AgentInfo, build, catalogue};
