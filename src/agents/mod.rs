//! Agents: one file per agent, one line each in the catalogue.

mod agent;
mod alphabeta;
mod budget;
mod catalogue;
mod directional;
mod engine;
mod expectimax;
mod guests;
mod hold;
mod mcts;
mod minimax;
mod noisy;
mod optimal;
mod perfect;
mod random;
mod requirements;
mod sampling;
mod settings;
mod utility;

pub use agent::{Agent, AgentInfo, Fault, FaultKind, Ply, Thought, Told};
pub use catalogue::{build, catalogue, game_of};
pub use engine::{EngineStart, engine_start, log_name};
pub use guests::{AgentKind, BuildFrom, Guests};
pub use requirements::{Budget, Requirements};
