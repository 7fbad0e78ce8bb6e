//! Text and pictures of Breakthrough.
//!
//! A move is the cell of the piece and its target: `b4a3`, columns by letters from the left, rows
//! from the bottom. Signs between them (`b2-b3`, `b4xa3`), the column and the target (`ba3`) and
//! the target alone are accepted too, if only one move fits. A position is the rows from the top
//! and the side to move: `ooooo/ooooo/...../xxxxx/xxxxx first`.

use super::state::{Breakthrough, BreakthroughMove, BreakthroughState};
use crate::games::game::{Drawing, Game, GameExt, Notation, Player, Turn};
use crate::games::lenient_move_reading::read_form;
use crate::games::picture_for_html::{Board, Body, Ground, Picture, Shape};
use crate::games::stone_board_text::{
    Cell, letter, read_rows_and_side, stones_of, write_cell, write_rows_and_side,
};

pub(super) fn write_move(game: &Breakthrough, mv: BreakthroughMove, out: &mut String) {
    for cell in [mv.from, mv.to] {
        write_cell(cell % game.columns, cell / game.columns, out);
    }
}

impl Breakthrough {
    /// The piece in a column from the left and a row from the top.
    fn at(&self, state: &BreakthroughState, column: u32, row: u32) -> Cell {
        let cell = (u32::from(self.rows) - 1 - row) * u32::from(self.columns) + column;
        let on = |player: &Player| state.pieces(*player) >> cell & 1 == 1;
        Player::BOTH.into_iter().find(on)
    }

    /// The number of a cell in pictures, where rows count from the top.
    fn shown(&self, cell: u8) -> usize {
        let (column, row) = (cell % self.columns, cell / self.columns);
        usize::from((self.rows - 1 - row) * self.columns + column)
    }
}

pub(super) fn write_position(game: &Breakthrough, state: &BreakthroughState) -> String {
    write_rows_and_side(game.size(), state.side, |column, row| game.at(state, column, row))
}

pub(super) fn read_position(game: &Breakthrough, text: &str) -> Result<BreakthroughState, String> {
    let (columns, rows) = game.size();
    let (cells, side) = read_rows_and_side(text, columns, rows)?;
    let bit = |column, row| (rows - 1 - row) * columns + column;
    let pieces: [u64; 2] = stones_of(&cells, columns, bit);
    for (player, set) in Player::BOTH.into_iter().zip(pieces) {
        if set.count_ones() > 2 * columns {
            let (name, letter) = (player.name(), letter(Some(player)));
            return Err(format!(
                "{} `{letter}`, but the {name} player begins with {} pieces",
                set.count_ones(),
                2 * columns
            ));
        }
    }
    let state = BreakthroughState { pieces, side: side.unwrap_or(Player::First) };
    let winners = Player::BOTH.map(|player| game.has_won(&state, player));
    let winner = match winners {
        [false, false] => return Ok(state),
        [true, true] => {
            return Err("both sides have won, but the game ends with the first".to_owned());
        }
        [true, false] => Player::First,
        [false, true] => Player::Second,
    };
    let on_goal = state.pieces(winner) & game.home(winner.other());
    if on_goal.count_ones() > 1 {
        let name = winner.name();
        return Err(format!("the {name} player has two pieces on the last row, but one wins"));
    }
    if side == Some(winner) {
        let (name, other) = (winner.name(), winner.other().name());
        return Err(format!("the {name} player has won, so `{other}` comes after the rows"));
    }
    Ok(BreakthroughState { side: winner.other(), ..state })
}

impl Notation<Breakthrough> for &Breakthrough {
    fn read_move(self, state: &BreakthroughState, text: &str) -> Result<BreakthroughMove, String> {
        let word = text.trim().to_lowercase();
        let plain: String = word.chars().filter(|c| !"-:x*".contains(*c)).collect();
        let forms = |mv| {
            let whole = self.move_text(state, mv);
            let (from, to) = whole.split_at(2);
            vec![whole.clone(), format!("{}{to}", &from[..1]), to.to_owned()]
        };
        read_form(self, state, &plain, forms)
    }
}

impl Breakthrough {
    fn board(&self, state: &BreakthroughState) -> Board {
        let piece = |column, row| self.at(state, column, row);
        Board::of_stones(Ground::Grid, self.size(), Shape::Disc, piece)
    }
}

impl Drawing<Breakthrough> for &Breakthrough {
    fn text(self, state: &BreakthroughState) -> String {
        let (own, other) = (letter(Some(state.side)), letter(Some(state.side.other())));
        let next = match self.turn(state) {
            Turn::Over => format!("{other} has won"),
            _ => format!("{own} to move"),
        };
        format!("{}{next}\n", self.board(state).text(2))
    }

    fn picture(self, state: &BreakthroughState) -> Picture {
        Picture::of(Body::Board(self.board(state)))
    }

    fn cells(self, _state: &BreakthroughState, mv: BreakthroughMove) -> Vec<usize> {
        vec![self.shown(mv.from), self.shown(mv.to)]
    }
}
