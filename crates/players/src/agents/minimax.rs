//! `minimax`: plain full-width search to a fixed depth.

use super::agent_trait::{Agent, AgentInfo, Fault, MoveRequest};
use super::budget_params;
use super::search_params::{self, Searching, Ties};
use super::utility_params::UtilityParams;
use crate::games::{AnyEvaluator, Configurable, Game, SearchHints};
use crate::params::{Depth, ParamError};
use crate::search::{Limits, MAX_DEPTH, Minimax, StopSwitch, Utility};
use crate::util::collect_with_less_code::AddAll;

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

pub(super) fn build<G: Configurable>(
    game: &G,
    params: MinimaxParams,
) -> Result<Box<dyn Agent<G>>, ParamError> {
    if G::ALWAYS_CHANCE || game.has_chance() {
        return Err(search_params::needs_averages(KIND, G::KIND));
    }
    let Searching { knowledge, terminal, choosing } = params.searching;
    let depth = budget_params::plies(params.depth, game.hints().plies_per_round())?;
    let utility = params.utility.utility()?;
    Ok(Box::new(Searcher {
        search: Minimax::new(knowledge.evaluator(game)?, terminal),
        own: depth,
        depth,
        ties: choosing.ties,
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
        out.clear();
        let worth = |value| self.utility.apply(value, request.player);
        out.add_all(self.values.iter().map(|&(mv, value)| (mv, worth(value))));
        search_params::report_values(request, stats, out);
        Ok(())
    }
}
