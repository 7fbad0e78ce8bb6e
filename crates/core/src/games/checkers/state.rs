//! The game of checkers, its positions, and the steps of its pieces.

use crate::games::player::Player;

/// Checkers on the 32 dark squares of 8 rows.
#[derive(Debug, Clone, Copy)]
pub struct Checkers {
    /// The plies without a capture or a man's move after which the game is drawn.
    pub(super) quiet_plies: u8,
}

/// A position: 16 bytes. Square 1 is bit 0; squares are numbered row by row from Black's side.
///
/// Positions are equal as in the rule of repetition: same pieces, same side to move. The plies
/// without progress do not affect equality, unless they have ended the game.
#[derive(Debug, Clone, Copy)]
pub struct CheckersState {
    pub(super) pieces: [u32; 2],
    pub(super) kings: u32,
    /// The side to move; in a finished game, the side that would move.
    pub(super) side: Player,
    /// Plies since the last capture or man's move.
    pub(super) quiet: u8,
    pub(super) end: End,
}

impl PartialEq for CheckersState {
    fn eq(&self, other: &Self) -> bool {
        let parts = |state: &Self| (state.pieces, state.kings, state.side, state.end);
        parts(self) == parts(other)
    }
}

impl Eq for CheckersState {}

/// Whether a game is over, as far as the position alone determines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    No,
    /// The side to move has no move, and has lost.
    Stuck,
    /// A draw: too many plies without a capture or a man's move.
    NoProgress,
}

/// A step, or all jumps of a turn. Moves are equal if the same piece ends on the same square and
/// captures the same pieces, in any order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CheckersMove {
    /// The captured pieces, a bit for each square; none for a step.
    pub captured: u32,
    /// The square of the piece, from 0.
    pub from: u8,
    /// The last square, from 0.
    pub to: u8,
}

/// The directions of steps. Black's men move down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    DownLeft,
    DownRight,
    UpLeft,
    UpRight,
}

pub(super) const WAYS: [Way; 4] = [Way::DownLeft, Way::DownRight, Way::UpLeft, Way::UpRight];

/// The rows 1, 3, 5 and 7, which begin with a light square, and the other rows.
const INDENTED: u32 = 0x0F0F_0F0F;
const FLUSH: u32 = !INDENTED;
/// The squares at the left and at the right edge.
const LEFT: u32 = 0x1010_1010;
const RIGHT: u32 = 0x0808_0808;

/// The home rows of both sides. A man is crowned on the opponent's home row.
pub(super) const HOME: [u32; 2] = [0x0000_000F, 0xF000_0000];

impl Way {
    /// The squares one step away.
    #[inline]
    pub(super) fn step(self, set: u32) -> u32 {
        match self {
            Way::DownLeft => (set & INDENTED) << 4 | (set & FLUSH & !LEFT) << 3,
            Way::DownRight => (set & INDENTED & !RIGHT) << 5 | (set & FLUSH) << 4,
            Way::UpLeft => (set & INDENTED) >> 4 | (set & FLUSH & !LEFT) >> 5,
            Way::UpRight => (set & INDENTED & !RIGHT) >> 3 | (set & FLUSH) >> 4,
        }
    }

    #[inline]
    pub(super) fn back(self) -> Way {
        WAYS[3 - self as usize]
    }

    /// Whether this side's men move this way.
    #[inline]
    pub(super) fn is_forward(self, side: Player) -> bool {
        matches!(self, Way::DownLeft | Way::DownRight) == (side == Player::First)
    }
}

impl CheckersState {
    /// The pieces of a side.
    #[inline]
    pub fn pieces(&self, player: Player) -> u32 {
        self.pieces[player.index()]
    }

    #[inline]
    pub(super) fn empty(&self) -> u32 {
        !(self.pieces[0] | self.pieces[1])
    }

    /// The pieces of the side to move that can move this way, if nothing is in the way.
    #[inline]
    fn movers(&self, way: Way) -> u32 {
        let own = self.pieces(self.side);
        if way.is_forward(self.side) { own } else { own & self.kings }
    }

    /// The pieces that can make a step this way, if no capture is possible.
    #[inline]
    pub(super) fn steppers(&self, way: Way) -> u32 {
        self.movers(way) & way.back().step(self.empty())
    }

    /// The pieces that can capture.
    #[inline]
    pub(super) fn jumpers(&self) -> u32 {
        let (enemy, empty) = (self.pieces(self.side.other()), self.empty());
        let jumpers = WAYS.map(|way| {
            let back = way.back();
            self.movers(way) & back.step(enemy & back.step(empty))
        });
        jumpers[0] | jumpers[1] | jumpers[2] | jumpers[3]
    }

    /// Whether the side to move has a move.
    #[inline]
    pub(super) fn can_move(&self) -> bool {
        WAYS.into_iter().any(|way| self.steppers(way) != 0) || self.jumpers() != 0
    }

    /// The board rotated and the sides exchanged: the same game with negated values.
    pub fn exchanged(&self) -> Self {
        let [first, second] = self.pieces.map(u32::reverse_bits);
        let kings = self.kings.reverse_bits();
        CheckersState { pieces: [second, first], kings, side: self.side.other(), ..*self }
    }
}
