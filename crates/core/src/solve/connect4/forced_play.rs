//! Forced play: immediate wins, forced replies and positions with one non-losing move.
//!
//! A position is *quiet* if neither player can win at once and the player to move has at least two
//! non-losing moves. A non-losing move does not let the other player win at once. Only quiet
//! positions are searched.

use super::bitboard_geometry::Geometry;
use super::simd_words::{One, Word};

/// A position from the side of the player to move.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    pub mover: u64,
    pub other: u64,
    /// The cells, taken or not, where the player to move would complete a line.
    pub mover_wins: u64,
    /// The cells, taken or not, where the other player would complete a line.
    pub other_wins: u64,
    pub stones: u32,
}

impl Position {
    pub fn new<G: Geometry>(board: &G, mover: u64, other: u64) -> Self {
        Position {
            mover,
            other,
            mover_wins: board.wins(One(mover)).0,
            other_wins: board.wins(One(other)).0,
            stones: (mover | other).count_ones(),
        }
    }

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

    /// The non-losing moves, if the player to move cannot win at once.
    #[inline(always)]
    fn non_losing<G: Geometry>(&self, board: &G) -> u64 {
        non_losing_cells(One(self.playable(board)), One(self.other_wins)).0
    }
}

/// The moves that do not lose at once: the reply to a threat if there is one, and no cell directly
/// below a winning cell of the other player.
#[inline(always)]
pub fn non_losing_cells<W: Word>(play: W, other_wins: W) -> W {
    let threats = play & other_wins;
    let single = threats.without(threats.lowest()).is_zero();
    let forced = threats.is_zero().choose(play, threats & single);
    forced.without(other_wins.right(1))
}

/// The score of a player who wins with the next stone. It is the number of that player's remaining
/// stones, including the winning stone; `stones` are on the board.
#[inline(always)]
pub fn winning_score<G: Geometry>(board: &G, stones: u32) -> i32 {
    ((board.size() + 1 - stones) / 2) as i32
}

pub enum Settled {
    /// The score for the player to move in the initial position.
    Score(i32),
    /// A quiet position and its non-losing moves. Either player may be to move.
    Quiet(Position, u64),
}

/// Plays all forced moves from a position in which the player to move cannot win at once.
#[inline(always)]
pub fn play_forced_moves<G: Geometry>(board: &G, mut position: Position) -> Settled {
    let before = position.stones;
    loop {
        let moves = position.non_losing(board);
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
        // After a non-losing move, the other player has no immediate win.
        position = position.play(board, moves);
    }
}
