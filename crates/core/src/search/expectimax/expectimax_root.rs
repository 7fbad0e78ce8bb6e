//! Expectimax as seen by the shared root driver.

use super::super::iterative_deepening::{RootSearch, Start};
use super::super::opponent_model::Opponent;
use super::super::search_limits::Budget;
use super::super::search_result::SearchStats;
use super::choice_nodes::ExpectimaxSearcher;
use super::star_bounds::{Known, Window};
use crate::games::{Evaluator, Game, Player};

impl<G: Game, E: Evaluator<G>> RootSearch<f64> for Start<'_, G, ExpectimaxSearcher<'_, G, E>> {
    fn budget(&mut self) -> &mut Budget {
        &mut self.tree.budget
    }

    fn stats(&mut self) -> &mut SearchStats {
        &mut self.tree.stats
    }

    fn guesses(&self) -> Option<u64> {
        Some(self.tree.guesses)
    }

    fn deepens(&self) -> bool {
        self.tree.prunes()
            && self.tree.work.table.exists()
            && self.tree.options.opponent == Opponent::Perfect
    }

    fn hinted(&self) -> bool {
        self.tree.prunes()
    }

    fn best_first(&self) -> bool {
        self.tree.prunes()
    }

    fn narrows(&self) -> bool {
        self.tree.prunes()
    }

    fn standing(&self) -> f64 {
        let tree = &self.tree;
        tree.options.utility.apply(tree.leaves.horizon(self.game, self.state), tree.side)
    }

    fn child(
        &mut self,
        mv: usize,
        depth: u32,
        (alpha, beta): (f64, f64),
        _player: Player,
        _leads: bool,
    ) -> f64 {
        let state = self.after(mv);
        self.tree.enter(&state, depth, 1, Window { alpha, beta }, Known::NONE)
    }
}
