//! The inner loop with everything: table, move ordering, budget.

use super::super::ordering::Ordering;
use super::super::table::{Bound, Entry, NO_MOVE};
use super::super::value::{INFINITY, is_win};
use super::picker::Picker;
use super::tree::Tree;
use crate::games::{Evaluator, Game, Player};

/// The least depth at which the table is worth its memory access.
const TABLE_DEPTH: u32 = 2;

impl<G: Game, E: Evaluator<G>> Tree<'_, G, E> {
    /// The value of a position in which the player `FIRST` tells is to move, `ply` plies
    /// from the root and with `depth` plies to go, at least 1. Means nothing once the
    /// budget is spent.
    pub(super) fn ordered<const FIRST: bool>(
        &mut self,
        state: &G::State,
        depth: u32,
        ply: u32,
        mut alpha: i32,
        mut beta: i32,
    ) -> i32 {
        let game = self.game;
        let window = (alpha, beta);
        let key = (self.options.table_mb > 0 && depth >= TABLE_DEPTH).then(|| game.key(state));
        if let Some(key) = key {
            self.work.table.prefetch(key);
        }
        let player = if FIRST { Player::First } else { Player::Second };
        let bottom = self.work.stack.len();
        // While the memory fetches the table's entry.
        game.moves(state, &mut self.work.stack);
        let mut known = NO_MOVE;
        if let Some(key) = key {
            self.stats.probes += 1;
            if let Some(entry) = self.work.table.probe(key) {
                self.stats.hits += 1;
                if let Some(value) = self.answered(&entry, depth, ply, window) {
                    self.work.stack.truncate(bottom);
                    return value;
                }
                known = entry.mv;
            }
        }
        let mut picker = Picker::new(self, player, ply, bottom, known);
        let guesses = self.guesses;
        let mut best = if FIRST { -INFINITY } else { INFINITY };
        let mut best_index = NO_MOVE;
        let mut first = true;
        while let Some(index) = picker.next(self, state) {
            if self.budget.spent(self.stats.nodes) {
                break;
            }
            let mv = self.work.stack[bottom + index];
            let mut child = state.clone();
            game.play(&mut child, mv);
            let before = self.guesses;
            let value = self.enter(&child, depth - 1, ply + 1, alpha, beta);
            if self.budget.stopped() {
                break;
            }
            if if FIRST { value > best } else { value < best } {
                best = value;
                best_index = index as u32;
                if FIRST {
                    alpha = alpha.max(value);
                } else {
                    beta = beta.min(value);
                }
            }
            if alpha >= beta {
                self.stats.cutoffs += 1;
                self.stats.first_cutoffs += u64::from(first);
                if self.options.ordering == Ordering::Full {
                    self.work.memory.reward(player, mv, ply, depth);
                }
                if self.guesses == before {
                    // This move alone proves the bound.
                    self.guesses = guesses;
                }
                break;
            }
            first = false;
        }
        self.stats.selective_depth = self.stats.selective_depth.max(ply + 1);
        picker.finish(self);
        if let Some(key) = key
            && !self.budget.stopped()
        {
            let bound = if best <= window.0 {
                Bound::Upper
            } else if best >= window.1 {
                Bound::Lower
            } else {
                Bound::Exact
            };
            let mv = if best_index < NO_MOVE { best_index } else { NO_MOVE };
            let complete = self.guesses == guesses;
            let value = to_node(best, ply);
            self.work.table.store(key, Entry { value, depth, mv, bound, complete });
        }
        best
    }

    /// What the table's entry says about a node, if that is enough for the window.
    #[inline]
    fn answered(
        &mut self,
        entry: &Entry,
        depth: u32,
        ply: u32,
        (alpha, beta): (i32, i32),
    ) -> Option<i32> {
        if entry.depth != depth && !(entry.complete && entry.depth < depth) {
            return None;
        }
        let value = to_root(entry.value, ply);
        let enough = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        if !enough {
            return None;
        }
        self.guesses += u64::from(!entry.complete);
        Some(value)
    }
}

/// A value with wins at their distance from the node instead of the root.
#[inline]
fn to_node(value: i32, ply: u32) -> i32 {
    if is_win(value) { value + value.signum() * ply as i32 } else { value }
}

/// A value with wins at their distance from the root instead of the node.
#[inline]
fn to_root(value: i32, ply: u32) -> i32 {
    if is_win(value) { value - value.signum() * ply as i32 } else { value }
}
