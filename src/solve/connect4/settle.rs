//! What need not be searched: wins at once, forced replies, positions with one sane move.
//!
//! A position is *quiet* when nobody can win at once and the mover has at least two moves
//! that do not let the other player win at once. Only quiet positions are searched.

use super::geometry::Geometry;
use super::word::{One, Word};

/// A position from the mover's side, with what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The mover's stones.
    pub mover: u64,
    /// The other player's stones.
    pub other: u64,
    /// Where the mover would complete a line, taken cells or not.
    pub mover_wins: u64,
    /// Where the other player would.
    pub other_wins: u64,
    /// Stones on the board.
    pub stones: u32,
}

impl Position {
    /// The position with these stones.
    pub fn new<G: Geometry>(board: &G, mover: u64, other: u64) -> Self {
        Position {
            mover,
            other,
            mover_wins: board.wins(One(mover)).0,
            other_wins: board.wins(One(other)).0,
            stones: (mover | other).count_ones(),
        }
    }

    /// The position after a stone of the mover's.
    #[inline(always)]
    pub fn play<G: Geometry>(&self, board: &G, cell: u64) -> Self {
        let mover = self.mover | cell;
        Position {
            mover: self.other,
            other: mover,
            mover_wins: self.other_wins,
            other_wins: board.wins(One(mover)).0,
            stones: self.stones + 1,
        }
    }

    /// The cells where a stone can fall.
    #[inline(always)]
    pub fn playable<G: Geometry>(&self, board: &G) -> u64 {
        board.playable(One(self.mover | self.other)).0
    }

    /// The moves that do not lose at once, where the mover cannot win at once.
    #[inline(always)]
    pub fn sane<G: Geometry>(&self, board: &G) -> u64 {
        sane(One(self.playable(board)), One(self.other_wins)).0
    }
}

/// The moves that do not lose at once: the reply to a threat if there is one, nothing below
/// the other player's winning cells.
#[inline(always)]
pub fn sane<W: Word>(play: W, other_wins: W) -> W {
    let threats = play & other_wins;
    let single = threats.without(threats.lowest()).is_zero();
    let forced = threats.is_zero().choose(play, threats & single);
    forced.without(other_wins.right(1))
}

/// The score of a player who wins with the next stone on a board with so many stones: how
/// many stones of his were left, this one included.
#[inline(always)]
pub fn winning_score<G: Geometry>(board: &G, stones: u32) -> i32 {
    ((board.size() + 1 - stones) / 2) as i32
}

/// What became of a position after all that is forced.
pub enum Settled {
    /// The score for the player to move in the position that was given.
    Score(i32),
    /// A quiet position and its sane moves; the mover may be either player.
    Quiet(Position, u64),
}

/// Plays what is forced, from a position whose mover cannot win at once.
#[inline(always)]
pub fn settle<G: Geometry>(board: &G, mut position: Position) -> Settled {
    let before = position.stones;
    loop {
        let moves = position.sane(board);
        if moves & moves.wrapping_sub(1) != 0 {
            return Settled::Quiet(position, moves);
        }
        if moves == 0 {
            if position.stones == board.size() {
                return Settled::Score(0);
            }
            let lost = -winning_score(board, position.stones + 1);
            return Settled::Score(if (position.stones - before) & 1 == 0 { lost } else { -lost });
        }
        // A sane move leaves the other player no win at once.
        position = position.play(board, moves);
    }
}
