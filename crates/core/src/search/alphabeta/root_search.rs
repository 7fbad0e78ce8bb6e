//! Alpha-beta as seen by the shared root driver.

use super::super::iterative_deepening::{RootSearch, Start};
use super::super::leaves::{INFINITY, win_distance};
use super::super::move_ordering::Ordering;
use super::super::search_limits::Budget;
use super::super::search_result::SearchStats;
use super::alpha_beta_searcher::AlphaBetaSearcher;
use crate::games::{Evaluator, Game, Player, Turn};

impl<G: Game, E: Evaluator<G>> RootSearch<i32> for Start<'_, G, AlphaBetaSearcher<'_, G, E>> {
    fn budget(&mut self) -> &mut Budget {
        &mut self.tree.budget
    }

    fn stats(&mut self) -> &mut SearchStats {
        &mut self.tree.stats
    }

    fn guesses(&self) -> Option<u64> {
        (!self.tree.plain).then_some(self.tree.guesses)
    }

    fn deepens(&self) -> bool {
        self.tree.options.ordering == Ordering::Full && self.tree.options.table_mb > 0
    }

    fn hinted(&self) -> bool {
        self.tree.options.ordering != Ordering::None
    }

    fn best_first(&self) -> bool {
        self.tree.options.ordering == Ordering::Full
    }

    fn standing(&self) -> i32 {
        self.tree.leaves.horizon(self.game, self.state)
    }

    fn decided(&self, value: i32, depth: u32) -> bool {
        win_distance(value).is_some_and(|plies| plies <= depth)
    }

    fn around(&self, value: i32) -> Option<(i32, i32)> {
        let width = self.tree.options.aspiration;
        (width > 0)
            .then(|| (value.saturating_sub(width).max(-INFINITY), value.saturating_add(width)))
    }

    fn child(
        &mut self,
        mv: usize,
        depth: u32,
        (alpha, beta): (i32, i32),
        player: Player,
        leads: bool,
    ) -> i32 {
        let state = &self.after(mv);
        let tree = &mut self.tree;
        if tree.plain && depth > 0 {
            return match tree.game.turn(state) {
                Turn::Player(player) => {
                    tree.stats.nodes += 1;
                    tree.plain(state, player, depth, 1, alpha, beta)
                }
                _ => tree.enter(state, depth, 1, alpha, beta),
            };
        }
        tree.scout(state, player, depth, 1, (alpha, beta), leads)
    }
}
