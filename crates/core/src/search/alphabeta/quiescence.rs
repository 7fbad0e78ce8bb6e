//! Quiescence search: follows noisy moves beyond the horizon.

use super::super::leaf_value::INFINITY;
use super::super::move_ordering::Ordering;
use super::search_state::{AlphaBetaSearcher, chance};
use crate::games::{Evaluator, Game, Player, SearchHints, Turn};

impl<G: Game, E: Evaluator<G>> AlphaBetaSearcher<'_, G, E> {
    /// The quiescence value of an unfinished position at or beyond the horizon, for lines of at most
    /// `left` noisy moves.
    pub(super) fn quiesce(
        &mut self,
        state: &G::State,
        player: Player,
        ply: u32,
        left: u32,
        mut alpha: i32,
        mut beta: i32,
    ) -> i32 {
        let game = self.game;
        self.guesses += 1;
        self.stats.selective_depth = self.stats.selective_depth.max(ply);
        let bottom = self.work.stack.len();
        let keys = self.work.keys.len();
        if left > 0 {
            game.hints().noisy(state, &mut self.work.stack);
        }
        let end = self.work.stack.len();
        let mut best = if end == bottom || game.hints().stand_pat(state) {
            self.leaves.horizon(game, state)
        } else {
            -INFINITY * player.sign()
        };
        let sorted = game.hints().mvv_lva() && self.options.ordering != Ordering::None;
        if sorted {
            let moves = &self.work.stack[bottom..];
            let hint = |&mv| i64::from(game.hints().order_hint(state, mv));
            self.work.keys.extend(moves.iter().map(hint));
        }
        self.stats.leaves += u64::from(end == bottom);
        let mut i = bottom;
        loop {
            match player {
                Player::First => alpha = alpha.max(best),
                Player::Second => beta = beta.min(best),
            }
            if alpha >= beta || i == end || self.budget.spent(self.stats.nodes) {
                break;
            }
            if sorted {
                self.bring_best(i, end, keys + i - bottom);
            }
            let mut child = state.clone();
            game.play(&mut child, self.work.stack[i]);
            i += 1;
            self.stats.nodes += 1;
            let value = match game.turn(&child) {
                Turn::Over => {
                    self.stats.leaves += 1;
                    self.leaves.end(game, &child, ply + 1)
                }
                Turn::Player(next) => self.quiesce(&child, next, ply + 1, left - 1, alpha, beta),
                Turn::Chance => chance(),
            };
            best = match player {
                Player::First => best.max(value),
                Player::Second => best.min(value),
            };
        }
        self.work.stack.truncate(bottom);
        self.work.keys.truncate(keys);
        best
    }

    /// Moves the best move of those from `first` to `end` to the front; `key` is the index of its
    /// key.
    #[inline]
    fn bring_best(&mut self, first: usize, end: usize, key: usize) {
        let mut best = 0;
        for place in 1..end - first {
            if self.work.keys[key + place] > self.work.keys[key + best] {
                best = place;
            }
        }
        self.work.stack.swap(first, first + best);
        self.work.keys.swap(key, key + best);
    }
}
