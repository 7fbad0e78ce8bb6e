//! The board for the terminal, with letters or Unicode figures, and its picture.

use std::fmt::Write;

use cozy_chess::{Color, File, Piece, Rank, Square};

use super::chess_move::{ChessMove, side};
use super::game_end::End;
use super::state::{BoardStyle, Chess, ChessState};
use crate::games::game::Drawing;
use crate::games::picture_for_html;
use crate::games::picture_for_html::{Body, Ground, Picture, Shape};

/// The figures of both sides in pictures, in the order of the pieces; their colour shows the side.
const FIGURES: [char; 6] = ['♟', '♞', '♝', '♜', '♛', '♚'];

impl BoardStyle {
    fn piece(self, color: Color, piece: Piece) -> char {
        if self == BoardStyle::Unicode {
            let figures = match color {
                Color::White => ['♙', '♘', '♗', '♖', '♕', '♔'],
                Color::Black => ['♟', '♞', '♝', '♜', '♛', '♚'],
            };
            return figures[piece as usize];
        }
        let letter: char = piece.into();
        if color == Color::White { letter.to_ascii_uppercase() } else { letter }
    }

    fn empty(self) -> char {
        if self == BoardStyle::Unicode { '·' } else { '.' }
    }
}

impl Drawing<Chess> for &Chess {
    /// The board with White at the bottom, and the side to move or the result.
    fn text(self, state: &ChessState) -> String {
        let style = self.board_style;
        let mut out = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            let _ = write!(out, "{} ", rank as u8 + 1);
            for file in File::ALL {
                let square = Square::new(file, rank);
                let piece = state.board.piece_on(square).zip(state.board.color_on(square));
                let drawn = piece.map_or(style.empty(), |(piece, color)| style.piece(color, piece));
                let _ = write!(out, " {drawn}");
            }
            out.push('\n');
        }
        out.push_str("   a b c d e f g h\n");
        let [mover, other] = match state.board.side_to_move() {
            Color::White => ["White", "Black"],
            Color::Black => ["Black", "White"],
        };
        let check = if state.board.checkers().is_empty() { "" } else { ", in check" };
        let _ = match state.end {
            End::No => writeln!(out, "{mover} to move{check}"),
            End::Checkmate => writeln!(out, "checkmate: {other} has won"),
            End::Stalemate => writeln!(out, "stalemate: a draw"),
            End::FiftyMoves => writeln!(out, "fifty moves: a draw"),
            End::Insufficient => writeln!(out, "insufficient material: a draw"),
        };
        out
    }

    /// The board with White at the bottom, and whether a king is in check.
    fn picture(self, state: &ChessState) -> Picture {
        let board = &state.board;
        let piece = |column: usize, row: usize| {
            let square = Square::new(File::index(column), Rank::index(7 - row));
            match board.piece_on(square).zip(board.color_on(square)) {
                Some((piece, color)) => {
                    picture_for_html::Piece::of(side(color), Shape::Symbol(FIGURES[piece as usize]))
                }
                None => picture_for_html::Piece::NONE,
            }
        };
        let picture =
            Picture::of(Body::Board(picture_for_html::Board::new(Ground::Squares, (8, 8), piece)));
        if board.checkers().is_empty() { picture } else { picture.with("check") }
    }

    /// Origin and target; for castling the king's target, in Chess960 the rook's square.
    fn cells(self, state: &ChessState, mv: ChessMove) -> Vec<usize> {
        let target = mv.shown_target(&state.board, self.variant);
        [mv.origin(), target]
            .map(|square| 8 * (7 - square.rank() as usize) + square.file() as usize)
            .to_vec()
    }
}
