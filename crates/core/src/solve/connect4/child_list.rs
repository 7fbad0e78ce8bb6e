//! Positions that wait for a visit of the search.

use super::forced_play::Position;
use super::score_table::TableSlot;

/// A quiet position and what its parent found out about it. Bounds are from the side of the player
/// to move.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    pub position: Position,
    /// The non-losing moves: at least two.
    pub moves: u64,
    pub place: TableSlot,
    pub lower: i32,
    pub upper: i32,
    pub hint: Option<u32>,
    pub column: u32,
    /// Whether the same player is to move as in the parent.
    pub same: bool,
    pub mirrored: bool,
}

impl Default for Child {
    fn default() -> Self {
        let position = Position { mover: 0, other: 0, mover_wins: 0, other_wins: 0, stones: 0 };
        Child {
            position,
            moves: 0,
            place: TableSlot::default(),
            lower: -64,
            upper: 64,
            hint: None,
            column: 0,
            same: false,
            mirrored: false,
        }
    }
}

impl Child {
    /// Bounds on the score, from the side of the player to move in the parent.
    #[inline(always)]
    pub fn bounds(&self) -> (i32, i32) {
        if self.same { (self.lower, self.upper) } else { (-self.upper, -self.lower) }
    }
}

pub struct ChildVisit {
    /// Index of the position in the list of waiting positions.
    pub node: usize,
    pub position: Position,
    /// The score that the search asks for.
    pub value: i32,
    pub base: usize,
    /// The best score so far among the moves that do not reach `value`.
    pub best: i32,
}
