//! Text and pictures of Othello.
//!
//! A move is a cell: `d3`, columns by letters from the left, rows by numbers from the top. A player
//! who cannot move plays `pass`. A position is the rows from the top and the side to move:
//! `..../.ox./.xo./.... first`.

use super::state::{Othello, OthelloMove, OthelloState};
use crate::games::game::{Drawing, Game, GameExt, Notation, Player, Turn};
use crate::games::grid::bitboard::Bitboard;
use crate::games::lenient_move_reading::read_form;
use crate::games::picture_for_html::{Board, Body, Ground, Picture, Shape};
use crate::games::stone_board_text::{
    Cell, letter, read_rows_and_side, stones_of, write_cell, write_rows_and_side,
};

pub(super) fn write_move(mv: OthelloMove, out: &mut String) {
    match mv {
        OthelloMove::PASS => out.push_str("pass"),
        OthelloMove(cell) => write_cell(cell % 8, cell / 8, out),
    }
}

/// The disc in a column from the left and a row from the top.
fn at(state: &OthelloState, column: u32, row: u32) -> Cell {
    let on = |player: &Player| state.discs(*player).has(8 * row + column);
    Player::BOTH.into_iter().find(on)
}

pub(super) fn write_position(game: &Othello, state: &OthelloState) -> String {
    let size = u32::from(game.size);
    write_rows_and_side((size, size), state.side, |column, row| at(state, column, row))
}

pub(super) fn read_position(game: &Othello, text: &str) -> Result<OthelloState, String> {
    let size = u32::from(game.size);
    let (cells, side) = read_rows_and_side(text, size, size)?;
    let discs: [u64; 2] = stones_of(&cells, size, |column, row| 8 * row + column);
    if game.middle() & !(discs[0] | discs[1]) != 0 {
        return Err("the four cells in the middle always have discs".to_owned());
    }
    Ok(game.position(discs, side.unwrap_or(Player::First)))
}

impl Notation<Othello> for &Othello {
    fn read_move(self, state: &OthelloState, text: &str) -> Result<OthelloMove, String> {
        let forms = |mv| match mv {
            OthelloMove::PASS => ["pass", "ps", "pa", "-", "--"].map(str::to_owned).to_vec(),
            _ => vec![self.move_text(state, mv)],
        };
        read_form(self, state, &text.trim().to_lowercase(), forms)
    }
}

fn board(game: &Othello, state: &OthelloState) -> Board {
    let (size, disc) = (game.size(), |column, row| at(state, column, row));
    let board = Board::of_stones(Ground::Grid, (size, size), Shape::Disc, disc);
    Board { row_names: (1..=size).map(|row| row.to_string()).collect(), ..board }
}

/// The number of discs of both sides.
fn count(state: &OthelloState) -> String {
    let [first, second] = state.discs.map(u64::count_ones);
    format!("{first} x, {second} o")
}

impl Drawing<Othello> for &Othello {
    fn text(self, state: &OthelloState) -> String {
        let next = match self.turn(state) {
            Turn::Over => "the game is over".to_owned(),
            _ => format!("{} to move", letter(Some(state.side))),
        };
        format!("{}{}; {next}\n", board(self, state).text(2), count(state))
    }

    fn picture(self, state: &OthelloState) -> Picture {
        Picture::of(Body::Board(board(self, state))).with(count(state))
    }

    fn cells(self, _state: &OthelloState, mv: OthelloMove) -> Vec<usize> {
        match mv {
            OthelloMove::PASS => Vec::new(),
            OthelloMove(cell) => vec![usize::from(cell / 8 * self.size + cell % 8)],
        }
    }
}
