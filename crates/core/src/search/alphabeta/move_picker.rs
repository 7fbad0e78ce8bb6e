//! Selects the next child: first the table's move and killers, then the others by their keys.

use super::super::move_ordering::Ordering;
use super::super::transposition_table::NO_MOVE;
use super::alpha_beta_searcher::AlphaBetaSearcher;
use crate::games::{Evaluator, Game, Player, SearchHints};

/// Bits of a key for the index of a move. Nodes with more moves than fit are not ordered.
const INDEX_BITS: u32 = NO_MOVE.count_ones();
const INDEX_MASK: i64 = (1 << INDEX_BITS) - 1;

/// The key of a move that was already tried.
const DONE: i64 = i64::MIN;

/// Keys are padded to groups of this size, so that a scan needs no branches.
const GROUP: usize = 8;

/// Returns the moves of one node; four in five cut-offs come before it needs keys.
pub(super) struct Picker {
    player: Player,
    /// The node's first move on the stack, and its first key once keys exist.
    bottom: usize,
    keys: usize,
    count: usize,
    /// Whether moves keep the game's order.
    listed: bool,
    /// The number of moves returned so far.
    given: usize,
    /// The indices to try before keys are needed: the table's move, then killers.
    early: [u32; 4],
    early_count: usize,
}

impl Picker {
    /// Creates a picker for the moves from `bottom` of the stack; `known` is the table's move.
    #[inline]
    pub(super) fn new<G: Game, E: Evaluator<G>>(
        tree: &AlphaBetaSearcher<'_, G, E>,
        player: Player,
        ply: u32,
        bottom: usize,
        known: u32,
    ) -> Self {
        let moves = &tree.work.stack[bottom..];
        let (count, keys) = (moves.len(), tree.work.keys.len());
        let listed = tree.options.ordering == Ordering::None || count > NO_MOVE as usize;
        let (mut early, mut early_count) = ([NO_MOVE; 4], 0);
        if !listed && tree.options.ordering == Ordering::Full {
            let mut add = |index: u32, wanted: bool| {
                early[early_count & 3] = index;
                early_count += usize::from(wanted & ((index as usize) < count));
            };
            add(known, true);
            if tree.options.killers {
                let [last, other] = tree.work.memory.killers_among(ply, moves);
                add(last as u32, last as u32 != known);
                add(other as u32, other as u32 != known);
            }
        }
        Picker { player, bottom, keys, count, listed, given: 0, early, early_count }
    }

    /// The index of the next move, if any is left.
    #[inline(always)]
    pub(super) fn next<G: Game, E: Evaluator<G>>(
        &mut self,
        tree: &mut AlphaBetaSearcher<'_, G, E>,
        state: &G::State,
    ) -> Option<usize> {
        let given = self.given;
        self.given += 1;
        if given < self.early_count {
            return Some(self.early[given & 3] as usize);
        }
        if self.listed {
            return (given < self.count).then_some(given);
        }
        if given == self.early_count {
            self.weigh(tree, state);
        }
        self.best(tree)
    }

    /// Computes the keys of all moves.
    fn weigh<G: Game, E: Evaluator<G>>(
        &mut self,
        tree: &mut AlphaBetaSearcher<'_, G, E>,
        state: &G::State,
    ) {
        let history = tree.options.ordering == Ordering::Full && tree.options.history;
        let work = &mut *tree.work;
        work.keys.resize(self.keys + self.count.next_multiple_of(GROUP), DONE);
        let keys = &mut work.keys[self.keys..];
        let moves = &work.stack[self.bottom..];
        for (index, &mv) in moves.iter().enumerate() {
            let score = if history {
                work.memory.score(tree.game, state, self.player, mv)
            } else {
                i64::from(tree.game.hints().order_hint(state, mv))
            };
            // Equal scores keep the game's order, so the key decreases with the index.
            keys[index] = score << INDEX_BITS | (INDEX_MASK - index as i64);
        }
        for &index in &self.early[..self.early_count] {
            keys[index as usize] = DONE;
        }
    }

    /// The move with the best key. A branchless scan: sorting would cost more, because most nodes
    /// try only a few moves.
    #[inline]
    fn best<G: Game, E: Evaluator<G>>(
        &self,
        tree: &mut AlphaBetaSearcher<'_, G, E>,
    ) -> Option<usize> {
        let keys = &mut tree.work.keys[self.keys..];
        let (groups, _) = keys.as_chunks::<GROUP>();
        let best = groups.iter().flatten().copied().fold(DONE, i64::max);
        if best == DONE {
            return None;
        }
        let index = (INDEX_MASK - (best & INDEX_MASK)) as usize;
        keys[index] = DONE;
        Some(index)
    }

    /// Releases the scratch space.
    #[inline]
    pub(super) fn finish<G: Game, E: Evaluator<G>>(self, tree: &mut AlphaBetaSearcher<'_, G, E>) {
        tree.work.stack.truncate(self.bottom);
        tree.work.keys.truncate(self.keys);
    }
}
