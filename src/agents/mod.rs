//! Players: one file per agent, one line each in the catalogue.

mod agent;
mod alphabeta;
mod budget;
mod catalogue;
mod expectimax;
mod mcts;
mod minimax;
mod noisy;
mod random;
mod sampling;
mod settings;
mod worth;

pub use agent::{Agent, Fault, FaultKind, Ply, Thought};
pub use catalogue::{AgentInfo, build, catalogue};
