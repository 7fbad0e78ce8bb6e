//! What the root asks of an expectimax search.

use super::super::counters::SearchStats;
use super::super::limits::Budget;
use super::super::opponent::Opponent;
use super::super::root::Rooted;
use super::tree::{Known, Tree, Window};
use crate::games::{Evaluator, Game, Player};

impl<G: Game, E: Evaluator<G>> Rooted<G> for Tree<'_, G, E> {
    type Value = f64;

    fn game(&self) -> &G {
        self.game
    }

    fn budget(&mut self) -> &mut Budget {
        &mut self.budget
    }

    fn stats(&mut self) -> &mut SearchStats {
        &mut self.stats
    }

    fn guesses(&self) -> Option<u64> {
        Some(self.guesses)
    }

    fn deepens(&self) -> bool {
        self.prunes() && self.work.table.exists() && self.options.opponent == Opponent::Perfect
    }

    fn hinted(&self) -> bool {
        self.prunes()
    }

    fn best_first(&self) -> bool {
        self.prunes()
    }

    fn narrows(&self) -> bool {
        self.prunes()
    }

    fn standing(&self, state: &G::State) -> f64 {
        self.options.utility.apply(self.leaves.horizon(self.game, state), self.side)
    }

    fn child(
        &mut self,
        state: &G::State,
        depth: u32,
        (alpha, beta): (f64, f64),
        _player: Player,
        _leads: bool,
    ) -> f64 {
        self.enter(state, depth, 1, Window { alpha, beta }, Known::NONE)
    }
}
