//! Players: one file per agent, one line each in the catalogue.

mod agent;
mod alphabeta;
mod budget;
mod catalogue;
mod directional;
mod engine;
mod expectimax;
mod foresight;
mod guests;
mod hold;
mod mcts;
mod minimax;
mod noisy;
mod optimal;
mod perfect;
mod random;
mod sampling;
mod settings;
mod worth;

pub use agent::{Agent, AgentInfo, Build, Fault, FaultKind, Ply, Thought, Told};
pub use catalogue::{build, catalogue, game_of};
pub use engine::{EngineStart, engine_start, log_name};
pub use foresight::{
    Budget, engine_budget, engines, max_faults, may_vary, memory, memory_key, side_of,
};
pub use guests::{AgentKind, Guests};
