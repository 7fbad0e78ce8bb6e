//! `minimax`: plain full-width search to a fixed depth.

use super::agent_trait::{Agent, AgentInfo, BuildInner, MoveRequest};
use super::budget_params;
use super::search_agent::{Searcher, agent};
use super::search_params::{self, GameFacts, Knowledge, Searching, Ties};
use super::utility_params::UtilityParams;
use crate::games::{AnyEvaluator, Configurable, Game};
use crate::params::{Depth, ParamError, Params, Values};
use crate::search::{Limits, MAX_DEPTH, Minimax, StopSwitch, Terminal, Utility};

pub(super) const KIND: &str = "minimax";

crate::params! {
    pub(super) struct MinimaxParams {
        /// search depth in plies (1: only the own moves), or in rounds of one move per
        /// player, such as "2r"
        depth: Depth [MAX_DEPTH],
        /// How it searches.
        searching: Searching = Searching::default(),
        /// What values are worth to it.
        utility: UtilityParams = UtilityParams::default(),
    }
}

pub(super) fn info() -> AgentInfo {
    AgentInfo::of::<MinimaxParams>(
        KIND,
        "Plain minimax: full-width search to a fixed depth",
        "kind = \"minimax\"\ndepth = 4",
    )
}

pub(super) struct Plan {
    depth: u32,
    ties: Ties,
    utility: Utility,
    knowledge: Knowledge,
    terminal: Terminal,
}

/// # Errors
/// Parameters that do not work together, or that do not suit the game.
pub(super) fn plan(values: &Values, game: &GameFacts) -> Result<Plan, ParamError> {
    let params = MinimaxParams::read(values)?;
    game.needs_no_averages(KIND)?;
    let Searching { knowledge, terminal, choosing } = params.searching;
    let depth = budget_params::plies(params.depth, game.plies_per_round)?;
    let utility = params.utility.utility()?;
    Ok(Plan { depth, ties: choosing.ties, utility, knowledge, terminal })
}

pub(super) fn build<G: Configurable>(
    game: &G,
    plan: &Plan,
    _: BuildInner<G>,
) -> Result<Box<dyn Agent<G>>, ParamError> {
    if G::ALWAYS_CHANCE {
        unreachable!("a plan for a game without chance");
    }
    let &Plan { depth, ref utility, .. } = plan;
    Ok(agent(
        Box::new(MinimaxSearcher {
            search: Minimax::new(plan.knowledge.evaluator(game)?, plan.terminal),
            own: depth,
            depth,
            utility: utility.clone(),
            values: Vec::new(),
        }),
        plan.ties,
    ))
}

struct MinimaxSearcher<G: Game> {
    search: Minimax<G, AnyEvaluator<G>>,
    own: u32,
    depth: u32,
    /// Increasing, so the agent applies it only to the result of the search.
    utility: Utility,
    values: Vec<(G::Move, i32)>,
}

impl<G: Game> Searcher<G> for MinimaxSearcher<G> {
    /// Uses only a limit on the depth.
    fn set_limits(&mut self, limits: Option<&Limits>, stop: Option<StopSwitch>) {
        let depth = limits.and_then(|limits| limits.depth);
        self.depth = depth.map_or(self.own, |depth| depth.clamp(1, MAX_DEPTH));
        self.search.set_stop(stop);
    }

    fn search(&mut self, request: &mut MoveRequest<'_, G>, _ties: bool) -> Vec<G::Move> {
        self.search.remember(request.history);
        let answer = self.search.search(request.game, request.state, self.depth);
        request.report(answer.stats, self.utility.apply(answer.value, request.player));
        answer.best
    }

    fn values(&mut self, request: &mut MoveRequest<'_, G>, out: &mut Vec<(G::Move, f64)>) {
        self.search.remember(request.history);
        let stats = self.search.values(request.game, request.state, self.depth, &mut self.values);
        search_params::report_utilities(request, stats, &self.values, &self.utility, out);
    }
}
