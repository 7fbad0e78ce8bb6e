//! The game of chess and its positions.

use std::fmt;

use cozy_chess::Board;

use super::game_end::End;

crate::choice! {
    pub enum BoardStyle {
        /// Capitals for White, small letters for Black.
        Ascii = "ascii",
        /// White and black figures.
        Unicode = "unicode",
    }
}

crate::choice! {
    /// The starts and the rule of castling.
    pub enum Variant {
        /// Kings castle from the e-file, with rooks from the corners.
        Standard = "standard",
        /// Chess960: kings castle from any file, and moves of castling are king takes rook.
        Chess960 = "960",
    }
}

/// Chess from a starting position.
#[derive(Debug, Clone)]
pub struct Chess {
    pub(super) start: ChessState,
    pub(super) board_style: BoardStyle,
    pub(super) variant: Variant,
    /// Whether random openings begin at any of the 960 starts.
    pub(super) random_starts: bool,
}

/// A position: 112 bytes.
///
/// Positions are equal as in FIDE's repetition rule: same pieces, side to move, castling rights and
/// en passant captures. The half-move clock and the move number do not affect equality, unless
/// fifty moves have ended the game.
#[derive(Clone)]
pub struct ChessState {
    pub(super) board: Board,
    pub(super) end: End,
}

impl ChessState {
    pub(super) fn of(board: Board) -> ChessState {
        ChessState { end: End::of(&board), board }
    }

    /// The start of Chess960 with this number from 0 to 959, as R. Scharnagl numbers them. Number
    /// 518 is the usual start.
    pub(super) fn numbered(number: u32) -> ChessState {
        ChessState::of(Board::chess960_startpos(number))
    }
}

impl PartialEq for ChessState {
    fn eq(&self, other: &Self) -> bool {
        self.end == other.end && self.board.same_position(&other.board)
    }
}

impl Eq for ChessState {}

impl fmt::Debug for ChessState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.board)
    }
}
