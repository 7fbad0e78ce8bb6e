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
    /// Whether the player to move is the one who is to move in the parent.
    pub same: bool,
    /// Whether the code is that of the mirror image.
    pub mirrored: bool,
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
    /// See [`super::key`].
    pub code: u64,
    /// Where the table keeps it.
    pub place: Place,
    /// The column that the table recommends.
    pub hint: Option<u32>,
    /// How promising the move to it is: larger is better.
    pub order: u32,
    /// The column of the parent's move.
    pub column: u32,
}

impl Default for Child {
    fn default() -> Self {
        let position =
            Position { mover: 0, other: 0, mover_wins: 0, other_wins: 0, stones: 0 };
        Child {
            position,
            moves: 0,
            same: false,
            mirrored: false,
            lower: -64,
            upper: 64,
            code: 0,
            place: Place::default(),
            hint: None,
            order: 0,
            column: 0,
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
