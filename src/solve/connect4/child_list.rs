//! Positions that wait for a visit of the search.

use super::forced_play::Position;
use super::transposition::TableSlot;

/// A quiet position and what its parent found out about it. Bounds are from the side of the player
/// to move.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// The position.
    pub position: Position,
    /// The non-losing moves: at least two.
    pub moves: u64,
    /// Its place in the table.
    pub place: TableSlot,
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
    /// The best column according to the table.
    pub hint: Option<u32>,
    /// The column of the parent's move.
    pub column: u32,
    /// Whether the same player is to move as in the parent.
    pub same: bool,
    /// Whether the table stores the mirror image instead.
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

/// The data of one visit.
pub struct ChildVisit {
    /// Index of the position in the list of waiting positions.
    pub node: usize,
    /// The position.
    pub position: Position,
    /// The score that the search asks for.
    pub value: i32,
    /// Index of the first child.
    pub base: usize,
    /// The best score so far among the moves that do not reach `value`.
    pub best: i32,
}
