//! What the root asks of an alpha-beta search.

use super::super::counters::SearchStats;
use super::super::limits::Budget;
use super::super::ordering::Ordering;
use super::super::root::Rooted;
use super::super::value::{INFINITY, win_distance};
use super::tree::Tree;
use crate::games::{Evaluator, Game, Player, Turn};

impl<G: Game, E: Evaluator<G>> Rooted<G> for Tree<'_, G, E> {
    type Value = i32;

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
        (!self.plain).then_some(self.guesses)
    }

    fn deepens(&self) -> bool {
        self.options.ordering == Ordering::Full && self.options.table_mb > 0
    }

    fn hinted(&self) -> bool {
        self.options.ordering != Ordering::None
    }

    fn best_first(&self) -> bool {
        self.options.ordering == Ordering::Full
    }

    fn standing(&self, state: &G::State) -> i32 {
        self.leaves.horizon(self.game, state)
    }

    fn decided(&self, value: i32, depth: u32) -> bool {
        win_distance(value).is_some_and(|plies| plies <= depth)
    }

    fn around(&self, value: i32) -> Option<(i32, i32)> {
        let width = self.options.aspiration;
        (width > 0)
            .then(|| (value.saturating_sub(width).max(-INFINITY), value.saturating_add(width)))
    }

    fn child(
        &mut self,
        state: &G::State,
        depth: u32,
        (alpha, beta): (i32, i32),
        player: Player,
        leads: bool,
    ) -> i32 {
        if self.plain && depth > 0 {
            return match self.game.turn(state) {
                Turn::Player(Player::First) => {
                    self.stats.nodes += 1;
                    self.plain::<true>(state, depth, 1, alpha, beta)
                }
                Turn::Player(Player::Second) => {
                    self.stats.nodes += 1;
                    self.plain::<false>(state, depth, 1, alpha, beta)
                }
                _ => self.enter(state, depth, 1, alpha, beta),
            };
        }
        match player {
            Player::First => self.scout::<true>(state, depth, 1, alpha, beta, leads),
            Player::Second => self.scout::<false>(state, depth, 1, alpha, beta, leads),
        }
    }
}
