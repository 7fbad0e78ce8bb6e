//! Exact values by alpha-beta, for games without chance and without a solver of their own.

use crate::games::{AnyEvaluator, Exact, ExactSolver, Game, Scoring, Turn};
use crate::search::{AlphaBeta, AlphaBetaOptions, Limits, MAX_DEPTH, win_distance};
use std::sync::Arc;

/// Deepens an alpha-beta search ply by ply, until no line ends at the horizon or a side wins.
///
/// Wins are the shortest and losses the longest. The table keeps proven positions for later
/// questions. It compares keys of 64 bits, so positions are confused only if their keys are equal.
pub struct AlphaBetaSolver<G: Game> {
    evaluator: AnyEvaluator<G>,
    search: AlphaBeta<G, AnyEvaluator<G>>,
    nodes: u64,
}

/// The size of the table in megabytes, unless it is set. Memory is allocated as the table fills.
const TABLE_MB: usize = 512;

impl<G: Game> AlphaBetaSolver<G> {
    /// A solver for games of at most 200 plies. The evaluator decides only which moves are tried
    /// first.
    pub fn new(evaluator: AnyEvaluator<G>) -> Self {
        AlphaBetaSolver { search: search(&evaluator, TABLE_MB), evaluator, nodes: 0 }
    }
}

fn search<G: Game>(evaluator: &AnyEvaluator<G>, table_mb: usize) -> AlphaBeta<G, AnyEvaluator<G>> {
    let options = AlphaBetaOptions { table_mb, ..AlphaBetaOptions::FULL };
    AlphaBeta::new(Arc::clone(evaluator), options)
}

impl<G: Game> ExactSolver<G> for AlphaBetaSolver<G> {
    fn value(&mut self, game: &G, state: &G::State) -> Exact {
        if game.turn(state) == Turn::Over {
            self.nodes += 1;
            return Exact::of_end(game, state);
        }
        let found = self.search.search(game, state, &Limits::depth(MAX_DEPTH), false);
        self.nodes += found.stats.nodes;
        if game.scoring().numeric_score() {
            return Exact { mean: f64::from(found.value), plies: None };
        }
        Exact { mean: f64::from(found.value.signum()), plies: win_distance(found.value) }
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn line_move(&mut self, game: &G, state: &G::State) -> Option<G::Move> {
        let found = self.search.search(game, state, &Limits::depth(MAX_DEPTH), false);
        self.nodes += found.stats.nodes;
        found.best.first().copied()
    }

    fn set_table_mb(&mut self, table_mb: usize) -> bool {
        self.search = search(&self.evaluator, table_mb.max(1));
        true
    }
}
