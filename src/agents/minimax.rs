//! `minimax`: plain full-width search to a fixed depth.

use super::agent::{Agent, AgentInfo, Fault, Ply};
use super::settings::{self, Ties};
use super::worth;
use crate::games::{Configurable, Evaluator, EvaluatorVisitor, Game};
use crate::params::{ParamError, Values};
use crate::search::{Limits, MAX_DEPTH, Minimax, Stop, Terminal, Utility};

/// What the catalogue says.
pub(super) fn info() -> AgentInfo {
    let mut params = vec![settings::depth_param().required()];
    params.extend(settings::searching());
    params.extend(worth::params());
    AgentInfo {
        kind: "minimax",
        summary: "Looks at every line to a fixed depth, both sides playing their best",
        params,
        example: "kind = \"minimax\"\ndepth = 4",
    }
}

/// Builds the agent.
pub(super) fn build<G: Configurable>(
    game: &G,
    values: &Values,
) -> Result<Box<dyn Agent<G>>, ParamError> {
    settings::without_chance(game, "minimax")?;
    let visitor = Visitor {
        depth: settings::depth(game, values)?,
        terminal: settings::terminal(values),
        ties: Ties::of(values),
        utility: worth::utility(values)?,
    };
    settings::with_evaluator(game, values, visitor)
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
    /// Increasing, so that it is enough to apply it to what the search finds.
    utility: Utility,
    values: Vec<(G::Move, i32)>,
}

impl<G: Game, E: Evaluator<G>> Agent<G> for Searcher<G, E> {
    /// It knows limits on the depth only.
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
        settings::report_values(ply, stats, out);
        Ok(())
    }
}
