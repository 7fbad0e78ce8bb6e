//! The board for the terminal, and its picture: numbers of checkers on the points.

use std::fmt::Write;

use super::checkers_of_one_side::{BAR, CHECKERS};
use super::state::{Backgammon, BackgammonState, Phase};
use crate::games::game::{Drawing, Player};
use crate::games::picture_for_html::{Board, Body, Ground, Picture, Piece, Shape};
use crate::games::stone_board_text::letter;

/// A column between the quarters of the board, and the last one.
const BAR_COLUMN: usize = 6;
const OFF_COLUMN: usize = 13;

/// The first player's number of a point: in the row above from 13 to 24, below from 12 to 1.
fn point(column: usize, row: usize) -> u32 {
    let along = (column - usize::from(column > BAR_COLUMN)) as u32;
    if row == 0 { 13 + along } else { 12 - along }
}

/// The owner and the number of the checkers in a cell.
fn at(state: &BackgammonState, column: usize, row: usize) -> Option<(Player, u32)> {
    let of_row = [Player::Second, Player::First][row];
    let own = state.checkers(of_row);
    let (owner, count) = match column {
        BAR_COLUMN => (of_row, own.at(BAR)),
        OFF_COLUMN => (of_row, CHECKERS - own.on_board()),
        _ => {
            let point = point(column, row);
            match state.checkers(Player::First).at(point) {
                0 => (Player::Second, state.checkers(Player::Second).at(25 - point)),
                count => (Player::First, count),
            }
        }
    };
    (count > 0).then_some((owner, count))
}

fn heading(column: usize, row: usize) -> String {
    match column {
        BAR_COLUMN => "bar".to_owned(),
        OFF_COLUMN => "off".to_owned(),
        _ => point(column, row).to_string(),
    }
}

/// What happens next, in words.
fn next(state: &BackgammonState) -> String {
    let side = letter(Some(state.side));
    match state.phase {
        Phase::FirstRoll => "each side rolls a die".to_owned(),
        Phase::Roll => format!("{side} rolls"),
        Phase::Move => format!("{side} to move, dice {} {}", state.dice[0], state.dice[1]),
        Phase::Over => format!("{side} has won"),
    }
}

impl Drawing<Backgammon> for &Backgammon {
    /// The second player's home is above on the right, the first player's below.
    fn text(self, state: &BackgammonState) -> String {
        let mut out = String::new();
        let mut line = |of: &dyn Fn(usize) -> String| {
            for column in 0..=OFF_COLUMN {
                let _ = write!(out, "{:>4}", of(column));
            }
            out.truncate(out.trim_end().len());
            out.push('\n');
        };
        let checkers = |row: usize| {
            move |column: usize| match at(state, column, row) {
                Some((owner, count)) => format!("{}{count}", letter(Some(owner))),
                None if [BAR_COLUMN, OFF_COLUMN].contains(&column) => String::new(),
                None => ".".to_owned(),
            }
        };
        line(&|column| heading(column, 0));
        line(&checkers(0));
        line(&checkers(1));
        line(&|column| heading(column, 1));
        let pips = |player| state.checkers(player).pips();
        let _ = writeln!(
            out,
            "pips: x {}, o {}; {}",
            pips(Player::First),
            pips(Player::Second),
            next(state)
        );
        out
    }

    fn picture(self, state: &BackgammonState) -> Picture {
        let board = Board::new(Ground::Grid, (OFF_COLUMN + 1, 2), |column, row| {
            at(state, column, row)
                .map_or(Piece::NONE, |(owner, count)| Piece::of(owner, Shape::Number(count as u8)))
        });
        let names = |row| (0..=OFF_COLUMN).map(move |column| heading(column, row));
        let above = names(0).collect::<Vec<_>>().join(" ");
        let row_names = vec!["13–24".to_owned(), "12–1".to_owned()];
        Picture::of(Body::Board(Board { column_names: names(1).collect(), row_names, ..board }))
            .with(format!("points above: {above}"))
            .with(next(state))
    }
}
