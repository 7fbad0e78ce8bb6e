//! A position that waits to be visited.

use super::settle::Position;
use super::table::Place;

/// A quiet position and what its parent found out about it. Bounds are from its own mover's
/// side.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// The position.
    pub position: Position,
    /// Its sane moves: at least two.
    pub moves: u64,
    /// Where the table keeps it.
    pub place: Place,
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
    /// The column that the table recommends.
    pub hint: Option<u32>,
    /// The column of the parent's move.
    pub column: u32,
    /// Whether the player to move is the one who is to move in the parent.
    pub same: bool,
    /// Whether the table keeps its mirror image.
    pub mirrored: bool,
}

impl Default for Child {
    fn default() -> Self {
        let position = Position { mover: 0, other: 0, mover_wins: 0, other_wins: 0, stones: 0 };
        Child {
            position,
            moves: 0,
            place: Place::default(),
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
    /// Bounds on the score from the side of the parent's mover.
    #[inline(always)]
    pub fn bounds(&self) -> (i32, i32) {
        if self.same { (self.lower, self.upper) } else { (-self.upper, -self.lower) }
    }
}

/// What a visit knows from the start.
pub struct Visit {
    /// Number of the position among the waiting ones.
    pub node: usize,
    /// The position.
    pub position: Position,
    /// The score asked for.
    pub value: i32,
    /// Where its children begin.
    pub base: usize,
    /// The best score so far of the moves that are not enough.
    pub best: i32,
}
