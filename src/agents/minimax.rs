//! `minimax`: plain full-width search to a fixed depth.

use super::agent::{Agent, AgentInfo, Fault, Ply};
use super::search_params::{self, Searching, Ties};
use super::{budget_params, utility::UtilityParams};
use crate::games::{Configurable, Evaluator, EvaluatorVisitor, Game, SearchHints};
use crate::params::{Depth, ParamError};
use crate::search::{Limits, MAX_DEPTH, Minimax, Stop, Terminal, Utility};

pub(super) const KIND: &str = "minimax";

crate::params! {
    /// What it takes.
    pub(super) struct MinimaxParams {
        /// plies of look-ahead, 1 being the own moves; or rounds, as in "2r", in which
        /// everybody moves once
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
        "Looks at every line to a fixed depth, both sides playing their best",
        "kind = \"minimax\"\ndepth = 4",
    )
}

pub(super) fn build<G: Configurable>(
    game: &G,
    params: MinimaxParams,
) -> Result<Box<dyn Agent<G>>, ParamError> {
    search_params::without_chance(game, KIND)?;
    let Searching { knowledge, terminal, choosing } = params.searching;
    let visitor = Visitor {
        depth: budget_params::plies(params.depth, game.hints().plies_per_round())?,
        terminal,
        ties: choosing.ties,
        utility: params.utility.utility()?,
    };
    knowledge.visit(game, visitor)
}

struct Visitor {
    depth: u32,
    terminal: Terminal,
    ties: Ties,
    utility: Utility,
}

impl<G: Game> EvaluatorVisitor<G> for Visitor {
    type Out = Box<dyn Agent<G>>;

    fn visit<E: Evaluator<G>>(self, evaluator: E) -> Self::Out {
        Box::new(Searcher {
            search: Minimax::new(evaluator, self.terminal),
            own: self.depth,
            depth: self.depth,
            ties: self.ties,
            utility: self.utility,
            values: Vec::new(),
        })
    }
}

struct Searcher<G: Game, E> {
    search: Minimax<G, E>,
    own: u32,
    depth: u32,
    ties: Ties,
    /// Increasing, so the agent applies it only to the result of the search.
    utility: Utility,
    values: Vec<(G::Move, i32)>,
}

impl<G: Game, E: Evaluator<G>> Agent<G> for Searcher<G, E> {
    /// Uses only a limit on the depth.
    fn think_within(&mut self, limits: Option<&Limits>, stop: Option<Stop>) {
        let depth = limits.and_then(|limits| limits.depth);
        self.depth = depth.map_or(self.own, |depth| depth.clamp(1, MAX_DEPTH));
        self.search.set_stop(stop);
    }

    fn choose(&mut self, ply: &mut Ply<'_, G>) -> Result<G::Move, Box<Fault>> {
        self.search.remember(ply.history);
        let answer = self.search.search(ply.game, ply.state, self.depth);
        ply.report(answer.stats, self.utility.apply(answer.value, ply.player));
        Ok(self.ties.choose(&answer.best, ply.rng))
    }

    fn has_move_values(&self) -> bool {
        true
    }

    fn move_values(
        &mut self,
        ply: &mut Ply<'_, G>,
        out: &mut Vec<(G::Move, f64)>,
    ) -> Result<(), Box<Fault>> {
        self.search.remember(ply.history);
        let stats = self.search.values(ply.game, ply.state, self.depth, &mut self.values);
        out.clear();
        let worth = |value| self.utility.apply(value, ply.player);
        out.extend(self.values.iter().map(|&(mv, value)| (mv, worth(value))));
        search_params::report_values(ply, stats, out);
        Ok(())
    }
}
