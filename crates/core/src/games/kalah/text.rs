//! Text and pictures of Kalah.
//!
//! A move is the number of the pit, from 1 at the player's left: `3`. Letters (`c`, or `C`) are
//! accepted too. A position is the stones in the first player's pits and store, those of the
//! second player, both in the order of sowing, and the side to move:
//! `4 4 4 4 4 4 0 / 4 4 4 4 4 4 0 first`.

use std::fmt::Write;

use super::state::{Kalah, KalahState};
use crate::games::game::{Drawing, Game, Notation, Player, Turn};
use crate::games::lenient_move_reading::read_form;
use crate::games::picture_for_html::{Board, Body, Ground, Picture, Piece, Shape};
use crate::games::read_number::joined_numbers;
use crate::games::stone_board_text::{letter, split_side};

pub(super) fn write_position(game: &Kalah, state: &KalahState) -> String {
    let [first, second] = Player::BOTH.map(|player| {
        let stones = (0..=game.pits).map(|pit| state.at(player, pit).to_string());
        stones.collect::<Vec<_>>().join(" ")
    });
    format!("{first} / {second} {}", state.side.name())
}

pub(super) fn read_position(game: &Kalah, text: &str) -> Result<KalahState, String> {
    let (board, side) = split_side(text);
    let sides: Vec<&str> = board.split('/').collect();
    let [first, second] = sides[..] else {
        let example = write_position(game, &game.start());
        return Err(format!("write both sides with `/` between them, as in `{example}`"));
    };
    let stones = [read_side(game, first, Player::First)?, read_side(game, second, Player::Second)?];
    let state = KalahState { stones, side: side.unwrap_or(Player::First) };
    let both =
        Player::BOTH.into_iter().flat_map(|player| (0..=game.pits).map(move |pit| (player, pit)));
    let all: i32 = both.map(|(player, pit)| i32::from(state.at(player, pit))).sum();
    if all != game.total() {
        return Err(format!("{all} stones, but the game has {}", game.total()));
    }
    match stones.map(|side| game.is_empty(side)) {
        [false, false] => Ok(state),
        [true, true] => Ok(KalahState { side: Player::First, ..state }),
        [first, _] => {
            let empty = if first { Player::First } else { Player::Second };
            Err(format!(
                "the {} player has no stones in the pits, so the game is over and all others \
                 belong in the store of the {} player",
                empty.name(),
                empty.other().name()
            ))
        }
    }
}

/// The bytes of one side.
fn read_side(game: &Kalah, text: &str, player: Player) -> Result<u64, String> {
    let most = game.total();
    let words = text.split(|c: char| c.is_whitespace() || ",()".contains(c));
    let mut numbers: Vec<u8> = Vec::new();
    for word in words.filter(|word| !word.is_empty()) {
        let joined = joined_numbers(word, &['-']);
        let joined = joined.filter(|all: &Vec<u8>| all.iter().all(|n| i32::from(*n) <= most));
        numbers.extend(
            joined.ok_or_else(|| format!("`{word}` is not a number of stones: 0 to {most}"))?,
        );
    }
    if numbers.len() != usize::from(game.pits) + 1 {
        return Err(format!(
            "{} numbers for the {} player, but there are {} and the store",
            numbers.len(),
            player.name(),
            pits(game)
        ));
    }
    let mut stones = 0;
    for (i, count) in numbers.into_iter().enumerate() {
        stones |= u64::from(count) << (8 * i);
    }
    Ok(stones)
}

fn pits(game: &Kalah) -> String {
    if game.pits == 1 { "1 pit".to_owned() } else { format!("{} pits", game.pits) }
}

impl Notation<Kalah> for &Kalah {
    fn read_move(self, state: &KalahState, text: &str) -> Result<u8, String> {
        let forms = |pit: u8| vec![(pit + 1).to_string(), char::from(b'a' + pit).to_string()];
        read_form(self, state, &text.trim().to_lowercase(), forms)
    }
}

impl Drawing<Kalah> for &Kalah {
    /// The second player's pits above, from the right, and the first player's below, from the left.
    fn text(self, state: &KalahState) -> String {
        let mut out = String::new();
        let numbers = |out: &mut String, of: &mut dyn FnMut(u8) -> u8, head: &str| {
            let _ = write!(out, "{head:>4}");
            for column in 0..self.pits {
                let _ = write!(out, "{:>4}", of(column));
            }
            out.push('\n');
        };
        let last = self.pits - 1;
        let [first, second] = Player::BOTH.map(|player| self.store(state, player));
        numbers(&mut out, &mut |column| self.pits - column, "");
        numbers(&mut out, &mut |column| state.at(Player::Second, last - column), "o");
        let _ = writeln!(
            out,
            "{second:>4}{:width$}{first}",
            "",
            width = 4 * usize::from(self.pits) + 2
        );
        numbers(&mut out, &mut |column| state.at(Player::First, column), "x");
        numbers(&mut out, &mut |column| column + 1, "");
        let next = match self.turn(state) {
            Turn::Over => format!("{first} to {second} stones"),
            _ => format!("{} to move", letter(Some(state.side))),
        };
        let _ = writeln!(out, "{next}");
        out
    }

    /// Two rows: the second player's store and pits above, the first player's pits and store below.
    fn picture(self, state: &KalahState) -> Picture {
        let (pits, last) = (usize::from(self.pits), usize::from(self.pits) + 1);
        let stones = |player: Player, pit: usize| {
            Piece::of(player, Shape::Number(state.at(player, pit as u8)))
        };
        let board = Board::new(Ground::Grid, (pits + 2, 2), |column, row| match (row, column) {
            (0, 0) => stones(Player::Second, pits),
            (0, column) if column < last => stones(Player::Second, pits - column),
            (1, column) if column == last => stones(Player::First, pits),
            (1, column) if column > 0 => stones(Player::First, column - 1),
            _ => Piece::NONE,
        });
        let name =
            |column| if (1..last).contains(&column) { column.to_string() } else { String::new() };
        let column_names = (0..pits + 2).map(name).collect();
        let row_names = vec![Player::Second.name().to_owned(), Player::First.name().to_owned()];
        Picture::of(Body::Board(Board { column_names, row_names, ..board }))
            .with("the stores are at the ends: top left and bottom right")
    }

    fn cells(self, state: &KalahState, pit: u8) -> Vec<usize> {
        let (pits, pit) = (usize::from(self.pits), usize::from(pit));
        vec![match state.side {
            Player::First => pits + 2 + 1 + pit,
            Player::Second => pits - pit,
        }]
    }
}
