//! Quiescence search: follows noisy moves beyond the horizon.

use super::super::leaves::INFINITY;
use super::super::move_ordering::Ordering;
use super::super::quiescence_definition::QUIESCENCE_PLIES;
use super::alpha_beta_searcher::{AlphaBetaSearcher, chance};
use crate::games::{Evaluator, Game, Player, SearchHints, Turn};

impl<G: Game, E: Evaluator<G>> AlphaBetaSearcher<'_, G, E> {
    /// The quiescence value of an unfinished position at the horizon, in a game with hints of
    /// the type `H`.
    #[inline]
    pub(super) fn quiesce<H: SearchHints<G>>(
        &mut self,
        _: H,
        state: &G::State,
        player: Player,
        ply: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        // Not compiled for games without noisy moves.
        if H::HAS_NOISY {
            self.follow_noisy(state, player, ply, QUIESCENCE_PLIES, alpha, beta)
        } else {
            unreachable!("quiescence without noisy moves")
        }
    }

    /// The same at or beyond the horizon, for lines of at most `left` noisy moves.
    fn follow_noisy(
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
            for &mv in &self.work.stack[bottom..] {
                self.work.keys.push(i64::from(game.hints().order_hint(state, mv)));
            }
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
                Turn::Player(next) => {
                    self.follow_noisy(&child, next, ply + 1, left - 1, alpha, beta)
                }
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
        let best = first_largest(&self.work.keys[key..key + end - first]);
        self.work.stack.swap(first, first + best);
        self.work.keys.swap(key, key + best);
    }
}

/// The index of the first of the largest keys.
fn first_largest(keys: &[i64]) -> usize {
    let mut best = 0;
    for (place, key) in keys.iter().enumerate() {
        if *key > keys[best] {
            best = place;
        }
    }
    best
}
