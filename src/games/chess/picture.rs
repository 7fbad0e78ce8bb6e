//! The picture of a position.

use cozy_chess::{File, Rank, Square};

use super::moves::side;
use super::rules::ChessState;
use crate::games::picture::{Board, Body, Ground, Picture, Piece, Shape};

/// The figures of both sides, in the order of the pieces; their colour shows the side.
const FIGURES: [char; 6] = ['♟', '♞', '♝', '♜', '♛', '♚'];

/// The board with White at the bottom, and whether a king is in check.
pub(super) fn picture(state: &ChessState) -> Picture {
    let board = &state.board;
    let piece = |column: usize, row: usize| {
        let square = Square::new(File::index(column), Rank::index(7 - row));
        match board.piece_on(square).zip(board.color_on(square)) {
            Some((piece, color)) => Piece::of(side(color), Shape::Symbol(FIGURES[piece as usize])),
            None => Piece::NONE,
        }
    };
    let picture = Picture::of(Body::Board(Board::new(Ground::Squares, (8, 8), piece)));
    if board.checkers().is_empty() { picture } else { picture.with("check") }
}
