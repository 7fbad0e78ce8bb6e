//! The plain inner loop: no table, no ordering, no limit except the stop switch.
//!
//! The parent plays the move, reads the turn and values leaves itself, so only positions with
//! children cost a call.

use super::alpha_beta_searcher::{AlphaBetaSearcher, Best, chance};
use crate::games::{Evaluator, Game, Player, Turn};

impl<G: Game, E: Evaluator<G>> AlphaBetaSearcher<'_, G, E> {
    /// The value of a position with `depth` plies to go (at least 1), `ply` plies from the root,
    /// where `player` is to move.
    pub(super) fn plain(
        &mut self,
        state: &G::State,
        player: Player,
        depth: u32,
        ply: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        // Checked only at nodes with thousands of descendants.
        if depth >= 2 && self.budget.halted() {
            return 0;
        }
        let game = self.game;
        let bottom = self.work.stack.len();
        game.moves(state, &mut self.work.stack);
        let end = self.work.stack.len();
        let mut best = Best::of(player, alpha, beta);
        let mut entered = 0;
        let mut leaves = 0;
        while bottom + entered < end {
            let mut child = state.clone();
            game.play(&mut child, self.work.stack[bottom + entered]);
            entered += 1;
            let value = match game.turn(&child) {
                Turn::Over => {
                    leaves += 1;
                    self.leaves.end(game, &child, ply + 1)
                }
                Turn::Player(player) if depth == 1 => {
                    if self.quiescence {
                        let (alpha, beta) = (best.alpha, best.beta);
                        self.quiesce(game.hints(), &child, player, ply + 1, alpha, beta)
                    } else {
                        leaves += 1;
                        self.leaves.horizon(game, &child)
                    }
                }
                Turn::Player(player) => {
                    self.plain(&child, player, depth - 1, ply + 1, best.alpha, best.beta)
                }
                Turn::Chance => chance(),
            };
            if best.cuts(value) {
                self.stats.count_cutoff(entered == 1);
                break;
            }
        }
        self.stats.nodes += entered as u64;
        self.stats.leaves += leaves;
        self.stats.selective_depth = self.stats.selective_depth.max(ply + 1);
        self.work.stack.truncate(bottom);
        best.value
    }
}
