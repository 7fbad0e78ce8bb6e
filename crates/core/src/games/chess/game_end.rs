//! The ends of a chess game that the position alone determines.

use cozy_chess::{BitBoard, Board, Piece};

use super::move_sets::has_move;

/// Half-moves without capture or pawn move after which the game is drawn.
pub(super) const FIFTY_MOVES: u8 = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    No,
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    FiftyMoves,
    Insufficient,
}

impl End {
    /// The end in a position. Checkmate on the 100th half-move wins.
    pub fn of(board: &Board) -> End {
        if is_insufficient(board) {
            End::Insufficient
        } else if !has_move(board) {
            if board.checkers().is_empty() { End::Stalemate } else { End::Checkmate }
        } else if board.halfmove_clock() >= FIFTY_MOVES {
            End::FiftyMoves
        } else {
            End::No
        }
    }
}

/// Whether no sequence of legal moves can checkmate: a single minor piece, or only bishops on
/// squares of one colour.
#[inline]
pub(super) fn is_insufficient(board: &Board) -> bool {
    let mating = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    if !mating.is_empty() {
        return false;
    }
    let (knights, bishops) = (board.pieces(Piece::Knight), board.pieces(Piece::Bishop));
    if (knights | bishops).len() <= 1 {
        return true;
    }
    let one_colour = |squares| (bishops & squares).is_empty();
    knights.is_empty()
        && (one_colour(BitBoard::DARK_SQUARES) || one_colour(BitBoard::LIGHT_SQUARES))
}
