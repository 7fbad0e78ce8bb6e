//! What a search answers: the values of the root's moves.

use super::counters::SearchStats;
use crate::games::Player;

/// The answer of a search that values a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<M, V = i32> {
    /// The value of the position in the first player's frame.
    pub value: V,
    /// The best moves in the game's order: the first of them, or all that tie,
    /// as was asked for. Never empty.
    pub best: Vec<M>,
    /// What it cost.
    pub stats: SearchStats,
}

impl<M: Copy, V: Copy + PartialOrd> Answer<M, V> {
    /// The answer that follows from exact values of all moves, for the player to move:
    /// all the moves that tie for best.
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
        let best = values.iter().filter(|(_, v)| *v == value).map(|(m, _)| *m).collect();
        Answer { value, best, stats }
    }
}
