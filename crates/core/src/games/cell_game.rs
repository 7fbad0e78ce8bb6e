//! What m,n,k and tic-tac-toe share: text, boards and hints for searches.
//!
//! A move is written as the number of its cell, row by row from the top left, starting at 0. A
//! column letter with a row number from the bottom (`a1`, bottom left) is accepted too. Positions
//! are written as rows from the top (`xox/x.o/..o`). Rows without separators and lists of moves (`4
//! 0 b1`) are accepted too.

use std::fmt::Write;

use super::game::{Drawing, Notation, Player, SearchHints, Turn};
use super::picture_for_html::{Board, Body, Ground, Picture, Shape};
use super::read_number::whole_number;
use super::segments_evaluator::LineGame;
use super::stone_board_text::{check_stones, looks_like_rows, read_rows, stones_of, write_rows};
use crate::games::grid::bitboard::Bitboard;
use crate::games::grid::immediate_threats::Threat;

/// A game whose moves are cells of a board, numbered row by row from the top left.
pub trait CellGame: LineGame {
    fn size(&self) -> (u32, u32);

    fn move_to(&self, cell: u32) -> Self::Move;

    fn on_bit(&self, bit: u32) -> Self::Move;

    fn lines_through(&self, mv: Self::Move) -> i32;

    /// The index of the player to move; in a finished game, of the next player.
    fn mover(&self, state: &Self::State) -> usize;

    fn cell_of(&self, mv: Self::Move) -> u32;

    fn bit_of(&self, cell: u32) -> u32;

    /// The position with these stones, already checked.
    fn position(&self, stones: [Self::Board; 2]) -> Self::State;
}

fn at<G: CellGame>(game: &G, state: &G::State, cell: u32) -> Option<Player> {
    let stones = game.stones(state);
    Player::BOTH.into_iter().find(|player| stones[player.index()].has(game.bit_of(cell)))
}

/// The cell that a text names, if the text is valid and the cell is on the board.
fn parse_cell(text: &str, columns: u32, rows: u32) -> Option<u32> {
    if let Some(cell) = whole_number::<u32>(text) {
        return (cell < columns * rows).then_some(cell);
    }
    let letter = text.chars().next()?.to_ascii_lowercase();
    let column = letter.is_ascii_lowercase().then(|| u32::from(letter) - u32::from('a'))?;
    let row = whole_number::<u32>(&text[1..])?;
    (column < columns && (1..=rows).contains(&row)).then(|| (rows - row) * columns + column)
}

pub fn write_move<G: CellGame>(game: &G, mv: G::Move, out: &mut String) {
    let _ = write!(out, "{}", game.cell_of(mv));
}

pub fn write_position<G: CellGame>(game: &G, state: &G::State) -> String {
    let (columns, rows) = game.size();
    write_rows(columns, rows, |c, r| at(game, state, r * columns + c))
}

/// Reads the rows of a board, or a list of moves from the empty board.
///
/// # Errors
/// Readable message.
pub fn read_position<G: CellGame>(game: &G, text: &str) -> Result<G::State, String> {
    let (columns, rows) = game.size();
    if looks_like_rows(text) {
        let cells = read_rows(text, columns, rows)?;
        let stones = stones_of(&cells, columns, |column, row| game.bit_of(row * columns + column));
        check_stones(game.grid(), stones, game.grid().cells)?;
        return Ok(game.position(stones));
    }
    let mut state = game.start();
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty());
    for (i, word) in words.enumerate() {
        let mv =
            game.read_move(&state, word).map_err(|error| format!("move {}: {error}", i + 1))?;
        game.play(&mut state, mv);
    }
    Ok(state)
}

/// The board with a cross or a ring on each occupied cell. The labels of row and column add up to
/// the number of the cell, as in moves. Large boards are those of Gomoku, with stones on crossings.
fn board<G: CellGame>(game: &G, state: &G::State) -> Board {
    let (columns, rows) = game.size();
    let mark = |column, row| at(game, state, row * columns + column);
    let (ground, shape) = match columns.min(rows) {
        ..13 => (Ground::Grid, Shape::Mark),
        13.. => (Ground::Crossings, Shape::Disc),
    };
    Board {
        column_names: (0..columns).map(|column| column.to_string()).collect(),
        row_names: (0..rows).map(|row| (row * columns).to_string()).collect(),
        ..Board::of_stones(ground, game.size(), shape, mark)
    }
}

impl<G: CellGame> Notation<G> for &G {
    fn read_move(self, state: &G::State, text: &str) -> Result<G::Move, String> {
        if self.turn(state) == Turn::Over {
            return Err("the game is over, no move is legal".to_owned());
        }
        let (columns, rows) = self.size();
        let text = text.trim();
        let Some(cell) = parse_cell(text, columns, rows) else {
            let last = columns * rows - 1;
            let corner = char::from(b'a' + columns as u8 - 1);
            return Err(format!(
                "`{text}` is not a cell: use 0 to {last}, or a1 to {corner}{rows}"
            ));
        };
        if at(self, state, cell).is_some() {
            let all = self.stones(state);
            let all = all[0] | all[1];
            let empty: Vec<_> = (0..columns * rows).filter(|&c| !all.has(self.bit_of(c))).collect();
            let mut shown: Vec<_> = empty.iter().take(9).map(u32::to_string).collect();
            if empty.len() > shown.len() {
                shown.push("…".to_owned());
            }
            return Err(format!("cell {cell} is taken; legal: {}", shown.join(", ")));
        }
        Ok(self.move_to(cell))
    }

    fn plies_before(self, state: &G::State) -> u32 {
        self.stones(state).map(|stones| stones.count()).iter().sum()
    }
}

impl<G: CellGame> Drawing<G> for &G {
    fn text(self, state: &G::State) -> String {
        board(self, state).text(1 + (self.size().0 - 1).to_string().len())
    }

    fn picture(self, state: &G::State) -> Picture {
        Picture::of(Body::Board(board(self, state)))
    }

    fn cells(self, _state: &G::State, mv: G::Move) -> Vec<usize> {
        vec![self.cell_of(mv) as usize]
    }

    fn exact_line(self) -> Option<usize> {
        self.grid().exact.then_some(self.grid().length as usize)
    }
}

impl<G: CellGame> SearchHints<G> for &G {
    fn amaf_moves(self) -> usize {
        let (columns, rows) = self.size();
        (columns * rows) as usize
    }

    #[inline]
    fn amaf_number(self, mv: G::Move) -> usize {
        self.cell_of(mv) as usize
    }

    fn max_plies(self) -> Option<u32> {
        let (columns, rows) = self.size();
        Some(columns * rows)
    }

    /// The number of lines through the cell, so the centre comes first.
    #[inline]
    fn order_hint(self, _state: &G::State, mv: G::Move) -> i32 {
        self.lines_through(mv)
    }

    const HAS_NOISY: bool = true;

    /// All immediate wins. Without any, all cells where the opponent would complete a line at once.
    #[inline]
    fn noisy(self, state: &G::State, out: &mut Vec<G::Move>) {
        let (stones, mover) = (self.stones(state), self.mover(state));
        let empty = !(stones[0] | stones[1]);
        let wins = self.grid().completions(stones[mover]) & empty;
        let urgent =
            if wins.is_empty() { self.grid().completions(stones[1 - mover]) & empty } else { wins };
        out.extend(urgent.cells().map(|bit| self.on_bit(bit)));
    }

    #[inline]
    fn threat(self, state: &G::State) -> Threat<G::Move> {
        let (stones, mover) = (self.stones(state), self.mover(state));
        let empty = !(stones[0] | stones[1]);
        let [wins, threats] =
            [stones[mover], stones[1 - mover]].map(|own| self.grid().completions(own) & empty);
        Threat::of_cells(wins, threats, |bit| self.on_bit(bit))
    }
}
