//! `perfect`: plays by exact values. For small games and games with a solver.

use super::agent_trait::{Agent, AgentInfo, BuildInner, MoveRequest};
use super::budget_params::{self, MAX_MB};
use super::search_agent::{Searcher, agent};
use super::search_params::{Choosing, GameFacts};
use crate::games::{Configurable, Exact, ExactSolver, Game, for_whole_games};
use crate::params::{ParamError, Params, Values, megabytes};
use crate::search::{Limits, StopSwitch, WIN};
use crate::solve::{Unsolved, exact_solver};

pub(super) const KIND: &str = "perfect";

crate::params! {
    pub(super) struct PerfectParams {
        /// How it chooses.
        choosing: Choosing = Choosing::default(),
        /// megabytes of the solver's table in each worker, if the game's solver has a
        /// table
        table_mb: usize [megabytes(1..=MAX_MB)] = 64,
    }
}

pub(super) fn info() -> AgentInfo {
    AgentInfo::of::<PerfectParams>(
        KIND,
        "Plays by exact values: shortest wins, longest losses; for games that can be solved",
        "kind = \"perfect\"",
    )
}

pub(super) type Plan = PerfectParams;

/// # Errors
/// A table without memory.
pub(super) fn plan(values: &Values, _: &GameFacts) -> Result<Plan, ParamError> {
    let params = PerfectParams::read(values)?;
    budget_params::check_table(params.table_mb)?;
    Ok(params)
}

/// Builds the agent. The agent computes values on demand.
pub(super) fn build<G: Configurable>(
    game: &G,
    plan: &Plan,
    _: BuildInner<G>,
) -> Result<Box<dyn Agent<G>>, ParamError> {
    let solver = exact_solver(game).and_then(|solver| for_whole_games(game, solver));
    let mut solver = solver.map_err(cannot_play)?;
    solver.set_table_mb(plan.table_mb);
    Ok(agent(Box::new(Perfect { solver, values: Vec::new(), has_host: false }), plan.choosing.ties))
}

fn cannot_play(Unsolved { why, help }: Unsolved) -> ParamError {
    let message = format!("`perfect` cannot play this game: {why}");
    let instead = "an agent that searches, such as `alphabeta` or `expectimax`";
    let help = match help.as_str() {
        "" => format!("use {instead}"),
        help => format!("{help}, or {instead}"),
    };
    ParamError::at("kind", message, help)
}

/// Values are exact, so results from one game can be used in the next without changing a move.
struct Perfect<G: Game> {
    solver: Box<dyn ExactSolver<G>>,
    values: Vec<(G::Move, Exact)>,
    /// Whether a host, which shows the value of each move, asks for the moves.
    has_host: bool,
}

impl<G: Game> Searcher<G> for Perfect<G> {
    fn set_limits(&mut self, _limits: Option<&Limits>, stop: Option<StopSwitch>) {
        self.has_host = stop.is_some();
    }

    fn search(&mut self, request: &mut MoveRequest<'_, G>, _ties: bool) -> Vec<G::Move> {
        let mut best = Vec::new();
        self.solver.best_moves(request.game, request.state, &mut best);
        if self.has_host {
            let value = self.solver.value(request.game, request.state);
            request.search_info.value = Some(search_value(value));
        }
        best
    }

    fn values(&mut self, request: &mut MoveRequest<'_, G>, out: &mut Vec<(G::Move, f64)>) {
        self.solver.move_values(request.game, request.state, &mut self.values);
        out.clear();
        for &(mv, value) in &self.values {
            out.push((mv, value.mean));
        }
    }
}

/// The value as a search reports it: a certain win by its distance, anything else as its mean.
fn search_value(value: Exact) -> f64 {
    let distance = |plies| value.mean.signum() * (f64::from(WIN) - f64::from(plies));
    value.plies.map_or(value.mean, distance)
}
