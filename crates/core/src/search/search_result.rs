//! The answer of a search: value, best moves and statistics.

use super::node_counters::SearchStats;
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
