//! Text and pictures of Go.
//!
//! A move is a point in the coordinates of the Go Text Protocol: `D4`, columns by letters from the
//! left without `I`, rows by numbers from the bottom. A player without a stone to place plays
//! `pass`. A position is the rows from the top and the side to move: `.../.x./... second`. After it
//! are the passes in a row (`passes=1`), the point where a stone must not be taken back at once
//! (`ko=D4`), and other points that superko forbids now (`superko=A1,B2`).

use super::state::{Go, GoMove, GoState, NO_POINT};
use crate::games::game::{Drawing, Game, Notation, Player, Turn};
use crate::games::picture_for_html::{Board, Body, Ground, Picture, Shape};
use crate::games::read_number::whole_number;
use crate::games::stone_board_text::{letter, read_rows_and_side, stones_of, write_rows_and_side};

/// The letters of the columns.
const COLUMNS: &[u8; 19] = b"ABCDEFGHJKLMNOPQRST";

/// The letter of a column from the left.
fn column_name(column: usize) -> String {
    char::from(COLUMNS[column]).to_string()
}

pub(super) fn write_move(game: &Go, mv: GoMove, out: &mut String) {
    if mv == GoMove::PASS {
        out.push_str("pass");
        return;
    }
    out.push(char::from(COLUMNS[usize::from(mv.0 % game.size)]));
    out.push_str(itoa::Buffer::new().format(mv.0 / game.size + 1));
}

fn name(game: &Go, point: u16) -> String {
    let mut text = String::new();
    write_move(game, GoMove(point), &mut text);
    text
}

/// The point that a text names, if it is on the board.
fn read_point(game: &Go, text: &str) -> Option<u16> {
    let (letter, row) = (text.chars().next()?.to_ascii_uppercase(), text.get(1..)?);
    let column = COLUMNS.iter().position(|&name| char::from(name) == letter)? as u16;
    let row: u16 = whole_number(row)?;
    let there = column < game.size && (1..=game.size).contains(&row);
    there.then(|| (row - 1) * game.size + column)
}

fn not_a_point(game: &Go, text: &str) -> String {
    let last = name(game, game.points() - 1);
    format!("`{text}` is not a point: use A1 to {last}, columns without I")
}

/// The point in a column from the left and a row from the top.
fn point(game: &Go, column: u32, row: u32) -> u16 {
    (game.size - 1 - row as u16) * game.size + column as u16
}

pub(super) fn write_position(game: &Go, state: &GoState) -> String {
    let size = game.size();
    let at = |column, row| state.at(point(game, column, row));
    let mut text = write_rows_and_side((size, size), state.side, at);
    if state.passes > 0 {
        text.push_str(&format!(" passes={}", state.passes));
    }
    if game.turn(state) == Turn::Over {
        return text;
    }
    if state.ko != NO_POINT {
        text.push_str(&format!(" ko={}", name(game, state.ko)));
    }
    let forbidden = game.forbidden_by_superko(state).into_iter();
    let others: Vec<String> =
        forbidden.filter(|&point| point != state.ko).map(|point| name(game, point)).collect();
    if !others.is_empty() {
        text.push_str(&format!(" superko={}", others.join(",")));
    }
    text
}

pub(super) fn read_position(game: &Go, text: &str) -> Result<GoState, String> {
    let (mut rows, mut settings) = (Vec::new(), Vec::new());
    for word in text.split_whitespace() {
        match word.split_once('=') {
            Some(setting) => settings.push(setting),
            None => rows.push(word),
        }
    }
    let size = game.size();
    let (cells, side) = read_rows_and_side(&rows.join(" "), size, size)?;
    let stones = stones_of(&cells, size, |column, row| point(game, column, row).into());
    let mut state = GoState::new(stones, side.unwrap_or(Player::First));
    if let Some(dead) = game.dead_stone(&state) {
        return Err(format!("the stone on {} has no liberty", name(game, dead)));
    }
    for (number, &(key, value)) in settings.iter().enumerate() {
        if settings[..number].iter().any(|(earlier, _)| *earlier == key) {
            return Err(format!("`{key}` comes twice: write it once"));
        }
        match key {
            "passes" => {
                let passes = whole_number(value).filter(|passes| *passes <= 2);
                state.passes = passes.ok_or_else(|| format!("`passes={value}`: use 0, 1 or 2"))?;
            }
            "ko" => {
                let point = forbid(game, &mut state, value)?;
                let takes_one =
                    |placed: super::chains::Placed| placed.removed_count == 1 && !placed.suicide;
                if !game.place(&state, point).is_some_and(takes_one) {
                    return Err(format!("`ko={value}`: a stone there does not take one stone"));
                }
                state.ko = point;
            }
            "superko" => {
                for value in value.split(',') {
                    forbid(game, &mut state, value)?;
                }
            }
            _ => return Err(format!("unknown word `{key}`: use `passes`, `ko` or `superko`")),
        }
    }
    if state.passes > 0 && state.ko != NO_POINT {
        return Err("after a pass no stone can be taken back at once: leave out `ko`".to_owned());
    }
    Ok(state)
}

/// Reads a point and forbids it.
fn forbid(game: &Go, state: &mut GoState, text: &str) -> Result<u16, String> {
    let point = read_point(game, text).ok_or_else(|| not_a_point(game, text))?;
    let changes = |placed: super::chains::Placed| placed.hash != state.hash;
    if state.at(point).is_some() || !game.place(state, point).is_some_and(changes) {
        return Err(format!("{text} cannot be forbidden: no stone can be placed there anyway"));
    }
    game.forbid(state, point);
    Ok(point)
}

impl Notation<Go> for &Go {
    fn read_move(self, state: &GoState, text: &str) -> Result<GoMove, String> {
        if self.turn(state) == Turn::Over {
            return Err("the game is over, no move is legal".to_owned());
        }
        let text = text.trim();
        if text.eq_ignore_ascii_case("pass") {
            return Ok(GoMove::PASS);
        }
        let point = read_point(self, text)
            .ok_or_else(|| format!("{}, or `pass`", not_a_point(self, text)))?;
        if state.at(point).is_some() {
            return Err(format!("there is a stone on {}", name(self, point)));
        }
        match self.place(state, point) {
            None => Err(format!("a stone on {} would have no liberty", name(self, point))),
            Some(placed) if self.recurs(state, &placed) => {
                Err(format!("a stone on {} would recreate an earlier position", name(self, point)))
            }
            Some(_) => Ok(GoMove(point)),
        }
    }
}

fn board(game: &Go, state: &GoState) -> Board {
    let (size, stone) = (game.size(), |column, row| state.at(point(game, column, row)));
    let board = Board::of_stones(Ground::Crossings, (size, size), Shape::Disc, stone);
    Board { column_names: (0..size as usize).map(column_name).collect(), ..board }
}

/// The area of both sides, and who leads by how much.
fn count(game: &Go, state: &GoState) -> String {
    let lead = f64::from(game.payoff(state)) / 2.0;
    let komi = f64::from(game.komi) / 2.0;
    match lead {
        0.0 => format!("komi {komi}; area as it is: even"),
        lead if lead > 0.0 => format!("komi {komi}; area as it is: x by {lead}"),
        lead => format!("komi {komi}; area as it is: o by {}", -lead),
    }
}

impl Drawing<Go> for &Go {
    fn text(self, state: &GoState) -> String {
        let next = match (self.turn(state), state.passes) {
            (Turn::Over, _) => "the game is over".to_owned(),
            (_, 0) => format!("{} to move", letter(Some(state.side))),
            _ => format!("{} to move after a pass", letter(Some(state.side))),
        };
        format!("{}{}; {next}\n", board(self, state).text(2), count(self, state))
    }

    fn picture(self, state: &GoState) -> Picture {
        Picture::of(Body::Board(board(self, state))).with(count(self, state))
    }

    fn cells(self, _state: &GoState, mv: GoMove) -> Vec<usize> {
        if mv == GoMove::PASS {
            return Vec::new();
        }
        let (size, point) = (usize::from(self.size), usize::from(mv.0));
        vec![(size - 1 - point / size) * size + point % size]
    }
}
