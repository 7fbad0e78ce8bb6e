//! Agents: one file per agent, one line each in the catalogue.

mod agent_requirements;
mod agent_trait;
mod alphabeta;
mod budget_params;
mod catalogue;
mod custom_agents;
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
mod search_agent;
mod search_params;
mod softmax_choice;
mod utility_params;

pub use agent_requirements::{Requirements, SearchBudget, reports_results, result_in_hundredths};
pub use agent_trait::{
    Agent, AgentInfo, AnswerCounts, ExternalAgent, Fault, FaultKind, GameSoFar, MoveRequest,
    SearchInfo,
};
pub use catalogue::{build, catalogue, game_of};
pub use custom_agents::{AgentKind, BuildFrom, CustomAgents};
pub use engine::{EngineStart, engine_start, engine_starts, log_name};
pub use engine::{PLAYER_COMMAND, PlayerCommand};
pub use engine::{default_sandbox, wants_sandbox};
pub use engine::{handles_illegal_moves, reports_costs, unavailable_wait};
