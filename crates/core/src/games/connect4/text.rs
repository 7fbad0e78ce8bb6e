//! Moves, positions and boards of Connect Four as text.
//!
//! A move is the number of its column, from 1. A position is written as the rows of the board from
//! the top (`......./…/...x...`), because a position does not contain its moves. Also accepted: the
//! string of moves that led to the position (`4453`; with ten columns or more, separated: `10 3`),
//! and the same after `0:` with columns numbered from 0.

use std::fmt::Write;

use super::board_layout::BoardLayout;
use super::state::{Connect4State, ConnectFour};
use crate::games::game::{Drawing, Game, GameExt, Notation, Player, Turn};
use crate::games::picture_for_html::{Board, Body, Ground, Picture, Shape};
use crate::games::read_number::whole_number;
use crate::games::stone_board_text::{
    Cell, check_stones, looks_like_rows, read_rows, stones_of, write_rows,
};

/// The number of the leftmost column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// Columns are numbered from 0.
    Zero,
    /// Columns are numbered from 1.
    One,
}

impl<L: BoardLayout> ConnectFour<L> {
    /// Reads a string of moves, played from `state`. With fewer than ten columns, every digit is a
    /// move, and spaces and commas are allowed anywhere. Otherwise they separate the numbers.
    ///
    /// # Errors
    /// Readable message: the first illegal move.
    pub fn read_moves(
        &self,
        state: &Connect4State,
        text: &str,
        base: Base,
    ) -> Result<Vec<u8>, String> {
        let mut state = *state;
        let mut moves = Vec::new();
        for token in tokens(text, self.layout.columns() < 10) {
            let mv = read_move(self, &state, token, base)
                .map_err(|error| format!("move {}: {error}", moves.len() + 1))?;
            self.play(&mut state, mv);
            moves.push(mv);
        }
        Ok(moves)
    }
}

/// The words of a text, or its single characters.
fn tokens(text: &str, single: bool) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty());
    words.flat_map(move |word| {
        let ends: Vec<usize> = match single {
            true => word.char_indices().map(|(i, c)| i + c.len_utf8()).collect(),
            false => vec![word.len()],
        };
        let starts = std::iter::once(0).chain(ends.clone());
        starts.zip(ends).map(|(start, end)| &word[start..end])
    })
}

#[inline]
pub(super) fn write_move(layout: &impl BoardLayout, mv: u8, out: &mut String) {
    if layout.columns() < 10 {
        out.push((b'1' + mv) as char);
    } else {
        let _ = write!(out, "{}", mv + 1);
    }
}

fn read_move<L: BoardLayout>(
    game: &ConnectFour<L>,
    state: &Connect4State,
    text: &str,
    base: Base,
) -> Result<u8, String> {
    if state.turn() == Turn::Over {
        return Err("the game is over, no move is legal".to_owned());
    }
    let first = if base == Base::One { 1 } else { 0 };
    let legal = game.legal_moves(state);
    let column = whole_number::<u32>(text.trim()).and_then(|n| n.checked_sub(first));
    if let Some(mv) = legal.iter().find(|&&mv| Some(u32::from(mv)) == column) {
        return Ok(*mv);
    }
    let legal: Vec<_> = legal.iter().map(|mv| (u32::from(*mv) + first).to_string()).collect();
    let problem = match column {
        Some(c) if c < game.layout.columns() => format!("column {} is full", c + first),
        _ => format!("`{}` is not a column", text.trim()),
    };
    Err(format!("{problem}; legal: {}", legal.join(", ")))
}

/// The cell at a column from the left and a row from the top.
fn at(layout: &impl BoardLayout, state: &Connect4State, column: u32, row: u32) -> Cell {
    let cell = layout.bottom(column) << (layout.rows() - 1 - row);
    Player::BOTH.into_iter().find(|&p| state.stones(p) & cell != 0)
}

pub(super) fn write_position(layout: &impl BoardLayout, state: &Connect4State) -> String {
    write_rows(layout.columns(), layout.rows(), |c, r| at(layout, state, c, r))
}

pub(super) fn read_position<L: BoardLayout>(
    game: &ConnectFour<L>,
    text: &str,
) -> Result<Connect4State, String> {
    let text = text.trim();
    if looks_like_rows(text) {
        return read_board(game, text);
    }
    let (text, base) = match text.strip_prefix("0:") {
        Some(rest) => (rest, Base::Zero),
        None => (text, Base::One),
    };
    let mut state = game.start();
    for mv in game.read_moves(&state, text, base)? {
        game.play(&mut state, mv);
    }
    Ok(state)
}

fn read_board<L: BoardLayout>(game: &ConnectFour<L>, text: &str) -> Result<Connect4State, String> {
    let layout = &game.layout;
    let cells = read_rows(text, layout.columns(), layout.rows())?;
    let bit = |column, row| column * layout.stride() + layout.rows() - 1 - row;
    let stones: [u64; 2] = stones_of(&cells, layout.columns(), bit);
    let all = stones[0] | stones[1];
    // Empty cells of the board with a stone right above them.
    let hollow = !all & layout.grid().cells & all >> 1;
    if hollow != 0 {
        let column = hollow.trailing_zeros() / layout.stride() + 1;
        return Err(format!("a stone in column {column} floats above an empty cell"));
    }
    let highest = all & !(all >> 1);
    check_stones(layout.grid(), stones, highest)?;
    Ok(game.position(stones))
}

/// The board with discs in its holes; column names as in moves.
fn board(layout: &impl BoardLayout, state: &Connect4State) -> Board {
    let disc = |column, row| at(layout, state, column, row);
    let board =
        Board::of_stones(Ground::Holes, (layout.columns(), layout.rows()), Shape::Disc, disc);
    let column_names = (1..=layout.columns()).map(|column| column.to_string()).collect();
    Board { column_names, row_names: Vec::new(), ..board }
}

impl<L: BoardLayout> Notation<ConnectFour<L>> for &ConnectFour<L> {
    fn read_move(self, state: &Connect4State, text: &str) -> Result<u8, String> {
        read_move(self, state, text, Base::One)
    }

    fn plies_before(self, state: &Connect4State) -> u32 {
        state.plies()
    }
}

impl<L: BoardLayout> Drawing<ConnectFour<L>> for &ConnectFour<L> {
    fn text(self, state: &Connect4State) -> String {
        board(&self.layout, state).text(if self.layout.columns() < 10 { 2 } else { 3 })
    }

    fn picture(self, state: &Connect4State) -> Picture {
        Picture::of(Body::Board(board(&self.layout, state)))
    }

    /// The cell where the stone comes to rest.
    fn cells(self, state: &Connect4State, mv: u8) -> Vec<usize> {
        let (columns, rows) = (self.layout.columns(), self.layout.rows());
        let rest = (0..rows).rev().find(|&row| at(&self.layout, state, mv.into(), row).is_none());
        rest.into_iter().map(|row| (row * columns + u32::from(mv)) as usize).collect()
    }
}
