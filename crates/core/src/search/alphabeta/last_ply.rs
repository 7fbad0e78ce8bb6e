//! The last ply before the horizon, with most of the nodes: no table, no sorting.

use super::super::move_ordering::Ordering;
use super::alpha_beta_searcher::{AlphaBetaSearcher, Best, chance};
use crate::games::{Evaluator, Game, Player, Shortcuts, Turn};

impl<G: Game, E: Evaluator<G>> AlphaBetaSearcher<'_, G, E> {
    /// The value of a position one ply before the horizon and `ply` plies from the root. `FIRST` is
    /// true if the first player is to move; `safe` is true if no move wins at once. The value is
    /// meaningless once the budget is spent.
    #[inline]
    pub(super) fn frontier<const FIRST: bool>(
        &mut self,
        state: &G::State,
        ply: u32,
        alpha: i32,
        beta: i32,
        safe: bool,
    ) -> i32 {
        let game = self.game;
        let player = if FIRST { Player::First } else { Player::Second };
        let guesses = self.guesses;
        let bottom = self.work.stack.len();
        game.moves(state, &mut self.work.stack);
        let count = self.work.stack.len() - bottom;
        let full = self.options.ordering == Ordering::Full;
        let (mut last, mut other) = (usize::MAX, usize::MAX);
        if full && self.options.killers {
            let moves = &self.work.stack[bottom..];
            [last, other] = self.work.memory.killers_among(ply, moves);
        }
        // The killers that are legal here, then the other moves in the game's order.
        let early = if last < count { [last, other] } else { [other, last] };
        let early_count = usize::from(last < count) + usize::from(other < count);
        let mut best = Best::of(player, alpha, beta);
        let mut next = 0;
        for tried in 0..count {
            let index = if tried < early_count {
                early[tried & 1]
            } else {
                while next == last || next == other {
                    next += 1;
                }
                next += 1;
                next - 1
            };
            if self.budget.spent(self.stats.nodes) {
                break;
            }
            let mv = self.work.stack[bottom + index];
            let mut child = state.clone();
            if safe {
                game.shortcuts().play_on(&mut child, mv);
            } else {
                game.play(&mut child, mv);
            }
            self.stats.nodes += 1;
            let before = self.guesses;
            let value = match game.turn(&child) {
                _ if self.work.past.repeats(game, &child) => self.repetition(),
                Turn::Over => {
                    self.stats.leaves += 1;
                    self.leaves.end(game, &child, ply + 1)
                }
                Turn::Player(next) => self.horizon(&child, next, ply + 1, best.alpha, best.beta),
                Turn::Chance => chance(),
            };
            if best.cuts(value) {
                self.stats.count_cutoff(tried == 0);
                if full {
                    self.work.memory.reward(player, mv, index, ply, 1);
                }
                if self.guesses == before {
                    // This move alone proves the bound.
                    self.guesses = guesses;
                }
                break;
            }
        }
        self.stats.selective_depth = self.stats.selective_depth.max(ply + 1);
        self.work.stack.truncate(bottom);
        best.value
    }
}
