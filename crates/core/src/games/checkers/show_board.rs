//! The board for the terminal, and its picture. Rows have the numbers of their squares.

use std::fmt::Write;

use super::pdn_text::NAMES;
use super::state::{Checkers, CheckersMove, CheckersState, End};
use crate::games::game::{Drawing, Player};
use crate::games::grid::bitboard::Bitboard;
use crate::games::picture_for_html::{Board, Body, Ground, Picture, Piece, Shape};

/// The square in a column from the left and a row from the top, from 0; `None` for light squares.
fn square(column: usize, row: usize) -> Option<u32> {
    ((column + row) % 2 == 1).then_some((4 * row + column / 2) as u32)
}

/// The number of a square in the picture.
fn cell(square: u8) -> usize {
    let (row, place) = (usize::from(square / 4), usize::from(square % 4));
    8 * row + 2 * place + (row + 1) % 2
}

impl CheckersState {
    fn owner(&self, square: u32) -> Option<Player> {
        Player::BOTH.into_iter().find(|side| self.pieces(*side).has(square))
    }
}

fn row_name(row: usize) -> String {
    format!("{}-{}", 4 * row + 1, 4 * row + 4)
}

impl Drawing<Checkers> for &Checkers {
    /// Black is `b`, White `w`; kings are capitals.
    fn text(self, state: &CheckersState) -> String {
        let mut out = String::new();
        for row in 0..8 {
            let _ = write!(out, "{:>6}", row_name(row));
            for column in 0..8 {
                let drawn = square(column, row).map_or(' ', |square| {
                    let letter = state.owner(square).map_or('.', |side| ['b', 'w'][side.index()]);
                    if state.kings.has(square) { letter.to_ascii_uppercase() } else { letter }
                });
                let _ = write!(out, " {drawn}");
            }
            out.truncate(out.trim_end().len());
            out.push('\n');
        }
        let (mover, other) = (NAMES[state.side.index()], NAMES[state.side.other().index()]);
        let _ = match state.end {
            End::No => writeln!(out, "{mover} to move"),
            End::Stuck => writeln!(out, "{mover} cannot move: {other} has won"),
            End::NoProgress => writeln!(out, "no progress: a draw"),
        };
        out
    }

    fn picture(self, state: &CheckersState) -> Picture {
        let board = Board::new(Ground::Squares, (8, 8), |column, row| {
            let piece = square(column, row).and_then(|square| Some((square, state.owner(square)?)));
            piece.map_or(Piece::NONE, |(square, owner)| {
                let shape = if state.kings.has(square) { Shape::King } else { Shape::Disc };
                Piece::of(owner, shape)
            })
        });
        let row_names = (0..8).map(row_name).collect();
        Picture::of(Body::Board(Board { row_names, column_names: Vec::new(), ..board }))
    }

    /// The first and the last square.
    fn cells(self, _state: &CheckersState, mv: CheckersMove) -> Vec<usize> {
        vec![cell(mv.from), cell(mv.to)]
    }
}
