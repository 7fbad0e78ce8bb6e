//! Late move reductions: late moves are searched less deeply first.

use super::alpha_beta_searcher::{AlphaBetaSearcher, null_window};
use crate::games::{Evaluator, Game, Player};

/// The minimum depth of late move reductions.
const REDUCED_DEPTH: u32 = 3;
/// The number of moves that are never reduced.
const UNREDUCED: u32 = 3;

impl<G: Game, E: Evaluator<G>> AlphaBetaSearcher<'_, G, E> {
    /// The value of a late move at reduced depth, if it shows that the move is no better.
    #[inline(always)]
    pub(super) fn late_move_reduction(
        &mut self,
        child: &G::State,
        player: Player,
        depth: u32,
        ply: u32,
        (alpha, beta): (i32, i32),
        tried: u32,
    ) -> Option<i32> {
        if !self.options.lmr || depth < REDUCED_DEPTH || tried < UNREDUCED {
            return None;
        }
        let less = 1 + u32::from(depth >= 2 * REDUCED_DEPTH && tried >= 2 * UNREDUCED);
        let (low, high) = null_window(player, alpha, beta);
        let value = self.enter(child, depth - 1 - less, ply + 1, low, high);
        let worse = if player == Player::First { value <= alpha } else { value >= beta };
        (worse || self.budget.spent(self.stats.nodes)).then_some(value)
    }
}
