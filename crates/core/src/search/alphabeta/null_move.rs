//! Null-move pruning: if a pass already keeps the bound, the moves need no search.
//!
//! After a pass the opponent moves twice in a row. If a shallower search still keeps the bound,
//! some move would keep it too, unless having to move is a disadvantage. Games offer a pass only if
//! that is rare (`SearchHints::pass`). Not exact.

use super::super::leaves::{INFINITY, is_win};
use super::alpha_beta_searcher::AlphaBetaSearcher;
use crate::games::{Evaluator, Game, Player, SearchHints};

/// The minimum depth for a pass.
const PASSED_DEPTH: u32 = 3;

/// The depth reduction after a pass, and the depth from which it is one ply more.
const LESS: u32 = 2;
const DEEP: u32 = 7;

impl<G: Game, E: Evaluator<G>> AlphaBetaSearcher<'_, G, E> {
    /// The bound that the player to move keeps even after a pass, if any. Two passes in a row would only search the same position less
    /// deeply.
    pub(super) fn null_move_cuts<H: SearchHints<G>>(
        &mut self,
        hints: H,
        state: &G::State,
        player: Player,
        depth: u32,
        ply: u32,
        (alpha, beta): (i32, i32),
    ) -> Option<i32> {
        if !H::HAS_PASS {
            return None;
        }
        let is_first = player == Player::First;
        let bound = if is_first { beta } else { alpha };
        if depth < PASSED_DEPTH || self.passed == ply || bound.abs() == INFINITY || is_win(bound) {
            return None;
        }
        let kept = |value| if is_first { value >= bound } else { value <= bound };
        if !kept(self.leaves.horizon(self.game, state)) {
            return None;
        }
        let passed = hints.pass(state)?;
        if self.budget.spent(self.stats.nodes) {
            return None;
        }
        let (low, high) = if is_first { (bound - 1, bound) } else { (bound, bound + 1) };
        let left = depth - 1 - LESS - u32::from(depth >= DEEP);
        let before = (self.passed, self.work.past.cut_off());
        self.passed = ply + 1;
        let value = self.enter(&passed, left, ply + 1, low, high);
        self.passed = before.0;
        self.work.past.join(before.1);
        self.guesses += 1;
        (!self.budget.stopped() && kept(value)).then_some(bound)
    }
}
