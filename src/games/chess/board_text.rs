//! The board for the terminal, with letters or Unicode figures.

use std::fmt::Write;

use cozy_chess::{Board, Color, File, Piece, Rank, Square};

use super::game_end::End;

crate::choice! {
    /// What pieces look like.
    pub enum BoardStyle {
        /// Capitals for White, small letters for Black.
        Ascii = "ascii",
        /// White and black figures.
        Unicode = "unicode",
    }
}

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

    /// The board with White at the bottom, and the side to move or the result.
    pub(super) fn board(self, board: &Board, end: End) -> String {
        let mut out = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            let _ = write!(out, "{} ", rank as u8 + 1);
            for file in File::ALL {
                let square = Square::new(file, rank);
                let piece = board.piece_on(square).zip(board.color_on(square));
                let drawn = piece.map_or(self.empty(), |(piece, color)| self.piece(color, piece));
                let _ = write!(out, " {drawn}");
            }
            out.push('\n');
        }
        out.push_str("   a b c d e f g h\n");
        let [mover, other] = match board.side_to_move() {
            Color::White => ["White", "Black"],
            Color::Black => ["Black", "White"],
        };
        let check = if board.checkers().is_empty() { "" } else { ", in check" };
        let _ = match end {
            End::No => writeln!(out, "{mover} to move{check}"),
            End::Checkmate => writeln!(out, "checkmate: {other} has won"),
            End::Stalemate => writeln!(out, "stalemate: a draw"),
            End::FiftyMoves => writeln!(out, "fifty moves: a draw"),
            End::Insufficient => writeln!(out, "insufficient material: a draw"),
        };
        out
    }
}
