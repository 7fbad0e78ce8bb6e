//! Captures en passant. The board of the library has the file of a pawn that has just moved two
//! squares, whether or not a pawn may capture it.

use cozy_chess::{Board, Move, Piece, Rank, Square, get_pawn_attacks};

/// The square that a pawn has just passed.
#[inline]
pub(super) fn square(board: &Board) -> Option<Square> {
    let rank = Rank::Sixth.relative_to(board.side_to_move());
    board.en_passant().map(|file| Square::new(file, rank))
}

/// The pawns that may capture on the square that was passed, from a1 to h8.
pub(super) fn pawns(board: &Board, to: Square) -> impl Iterator<Item = Square> {
    let color = board.side_to_move();
    let near = get_pawn_attacks(to, !color) & board.colored_pieces(color, Piece::Pawn);
    let is_legal = move |from: &Square| board.is_legal(Move { from: *from, to, promotion: None });
    near.into_iter().filter(is_legal)
}

/// Whether the board has a file, but no pawn may capture there.
#[inline]
pub(super) fn is_impossible(board: &Board) -> bool {
    square(board).is_some_and(|to| pawns(board, to).next().is_none())
}
