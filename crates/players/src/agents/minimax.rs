//! `minimax`: plain full-width search to a fixed depth.

use super::agent_trait::{Agent, AgentInfo, Fault, MoveRequest};
use super::budget_params;
use super::search_params::{self, GameFacts, Knowledge, Searching, Ties};
use super::utility_params::UtilityParams;
use crate::games::{AnyEvaluator, Configurable, Game};
use crate::params::{Depth, ParamError, Params, Values};
use crate::search::{Limits, MAX_DEPTH, Minimax, StopSwitch, Terminal, Utility};

pub(super) const KIND: &str = "minimax";

crate::params! {
    /// What it takes.
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

/// The checked parameters.
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
    Plan { depth, ties, utility, knowledge, terminal }: Plan,
) -> Result<Box<dyn Agent<G>>, ParamError> {
    if G::ALWAYS_CHANCE {
        unreachable!("a plan for a game without chance");
    }
    Ok(Box::new(Searcher {
        search: Minimax::new(knowledge.evaluator(game)?, terminal),
        own: depth,
        depth,
        ties,
        utility,
        values: Vec::new(),
        best: Vec::new(),
    }))
}

struct Searcher<G: Game> {
    search: Minimax<G, AnyEvaluator<G>>,
    own: u32,
    depth: u32,
    ties: Ties,
    /// Increasing, so the agent applies it only to the result of the search.
    utility: Utility,
    values: Vec<(G::Move, i32)>,
    /// The best moves of the last search.
    best: Vec<G::Move>,
}

impl<G: Game> Agent<G> for Searcher<G> {
    /// Uses only a limit on the depth.
    fn set_limits(&mut self, limits: Option<&Limits>, stop: Option<StopSwitch>) {
        let depth = limits.and_then(|limits| limits.depth);
        self.depth = depth.map_or(self.own, |depth| depth.clamp(1, MAX_DEPTH));
        self.search.set_stop(stop);
    }

    fn choose(&mut self, request: &mut MoveRequest<'_, G>) -> Result<G::Move, Box<Fault>> {
        self.search.remember(request.history);
        let answer = self.search.search(request.game, request.state, self.depth);
        request.report(answer.stats, self.utility.apply(answer.value, request.player));
        self.best = answer.best;
        Ok(self.ties.choose(&self.best, request.rng))
    }

    fn has_move_probabilities(&self) -> bool {
        self.ties == Ties::Random
    }

    fn move_probabilities(&mut self, game: &G, state: &G::State, out: &mut Vec<f64>) {
        self.ties.probabilities(&self.best, game, state, out);
    }

    fn has_move_values(&self) -> bool {
        true
    }

    fn move_values(
        &mut self,
        request: &mut MoveRequest<'_, G>,
        out: &mut Vec<(G::Move, f64)>,
    ) -> Result<(), Box<Fault>> {
        self.search.remember(request.history);
        let stats = self.search.values(request.game, request.state, self.depth, &mut self.values);
        search_params::report_utilities(request, stats, &self.values, &self.utility, out);
        Ok(())
    }
}
