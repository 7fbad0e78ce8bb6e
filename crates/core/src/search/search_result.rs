//! The answer of a search: value, best moves and statistics.

#![deny(missing_docs)]

use crate::games::Player;

/// The answer of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchResult<M, V = i32> {
    /// The value of the position from the first player's point of view.
    pub value: V,
    /// The best moves in the game's order: only the first, or all that tie, as requested. Never
    /// empty.
    pub best: Vec<M>,
    /// The cost of the search.
    pub stats: SearchStats,
}

impl<M: Copy, V: Copy + PartialOrd> SearchResult<M, V> {
    /// Creates the answer from the exact values of all moves, for the player to move, with all
    /// moves that tie for best.
    ///
    /// # Panics
    /// If there are no moves.
    pub fn of_values(values: &[(M, V)], player: Player, stats: SearchStats) -> Self {
        let mut value = values[0].1;
        for &(_, v) in values {
            if if player == Player::First { v > value } else { v < value } {
                value = v;
            }
        }
        let mut best = Vec::new();
        for &(mv, v) in values {
            if v == value {
                best.push(mv);
            }
        }
        SearchResult { value, best, stats }
    }
}

/// Counters of one search. Searches themselves print nothing.
///
/// A node is a position that the search enters, the root included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SearchStats {
    /// Positions entered, the root included.
    pub nodes: u64,
    /// Positions valued without further search: ends and horizon.
    pub leaves: u64,
    /// The completed search depth in plies.
    pub depth: u32,
    /// The largest ply reached, quiescence included.
    pub selective_depth: u32,
    /// Look-ups in the transposition table.
    pub probes: u64,
    /// Look-ups that found the position.
    pub hits: u64,
    /// Cut-offs: nodes left early because of a bound.
    pub cutoffs: u64,
    /// Cut-offs by the first move tried.
    pub first_cutoffs: u64,
}

impl SearchStats {
    /// Counts a cut-off, and whether the first move caused it.
    #[inline(always)]
    pub(super) fn count_cutoff(&mut self, first: bool) {
        self.cutoffs += 1;
        self.first_cutoffs += u64::from(first);
    }
}
