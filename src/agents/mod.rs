//! Agents: one file per agent, one line each in the catalogue.

mod agent;
mod alphabeta;
mod budget_params;
mod catalogue;
mod custom;
mod engine;
mod expectimax;
mod mcts;
mod minimax;
mod noisy;
mod pacman_directional;
mod perfect;
mod pig_hold;
mod pig_optimal;
mod random;
mod random_choice;
mod requirements;
mod search_params;
mod utility;

pub use agent::{Agent, AgentInfo, Fault, FaultKind, GameSoFar, MoveRequest, SearchInfo};
pub use catalogue::{build, catalogue, game_of};
pub use custom::{AgentKind, BuildFrom, CustomAgents};
pub use engine::{EngineStart, engine_start, log_name};
pub use requirements::{Requirements, SearchBudget};
