//! Text and pictures of EinStein würfelt nicht: moves, the die and the board.
//!
//! A step is the stone's number and its target cell: `3c4`, columns by letters from the left, rows
//! from the bottom. Origin and target (`b5c4`) are accepted too, and so is the target alone if only
//! one stone can reach it. The die is `d3`; faces with the same effect are written as one. An
//! arrangement is the stones row by row from the side's own corner (`213456`).

use std::fmt::Write;

use super::movable_stones_by_die::{MOVABLE, name};
use super::state::{Einstein, EinsteinMove, EinsteinState, Phase, WAYS};
use crate::games::game::{Drawing, Notation, Player};
use crate::games::lenient_move_reading::read_form;
use crate::games::picture_for_html::{Board, Body, Ground, Picture, Piece, Shape};
use crate::games::read_number::whole_number;
use crate::games::stone_board_text::letter;

impl Einstein {
    /// The cell of a side in the first player's coordinates.
    pub(super) fn absolute(&self, player: Player, cell: u8) -> u8 {
        if player == Player::First { cell } else { self.turned(cell) }
    }

    /// The name of a side's cell; `a1` is bottom left.
    fn cell_name(&self, player: Player, cell: u8) -> String {
        let mut name = String::new();
        self.write_cell(player, cell, &mut name);
        name
    }

    fn write_cell(&self, player: Player, cell: u8, out: &mut String) {
        let cell = self.absolute(player, cell);
        out.push(char::from(b'a' + cell % 8));
        write_number(self.shape.size - cell / 8, out);
    }

    /// Letter and number of the stone on a cell, in the first player's coordinates.
    pub(super) fn at(&self, state: &EinsteinState, cell: u8) -> Option<String> {
        Player::BOTH.into_iter().find_map(|player| {
            let stone = state.stones(player).on(self.absolute(player, cell))?;
            Some(format!("{}{}", letter(Some(player)), stone + 1))
        })
    }
}

pub(super) fn write_move(
    game: &Einstein,
    state: &EinsteinState,
    mv: EinsteinMove,
    out: &mut String,
) {
    match mv {
        EinsteinMove::Arrange(number) => {
            out.push_str(&game.shape.text(game.arrangements[usize::from(number)]));
        }
        EinsteinMove::Die(face) => {
            out.push('d');
            write_number(face, out);
        }
        EinsteinMove::Step { stone, way } => {
            let to = state.stones(state.side).cell(stone) + WAYS[usize::from(way)];
            write_number(stone + 1, out);
            game.write_cell(state.side, to, out);
        }
    }
}

/// Avoids the overhead of `write!`, because every move of a game is written.
fn write_number(number: u8, out: &mut String) {
    out.push_str(itoa::Buffer::new().format(number));
}

impl Notation<Einstein> for &Einstein {
    fn read_move(self, state: &EinsteinState, text: &str) -> Result<EinsteinMove, String> {
        let word = text.trim().to_ascii_lowercase();
        match state.phase {
            Phase::Over => Err("the game is over, no move is legal".to_owned()),
            Phase::Arrange => {
                let stones = self.shape.read(&word);
                let number = |s| self.arrangements.iter().position(|a| *a == s);
                stones
                    .and_then(number)
                    .map(|number| EinsteinMove::Arrange(number as u16))
                    .ok_or_else(|| {
                        format!(
                            "`{word}` does not name each of the {} stones once",
                            self.shape.stones
                        )
                    })
            }
            Phase::Roll => {
                let face = read_face(self, &word)?;
                let alive = usize::from(state.stones(state.side).alive());
                Ok(EinsteinMove::Die(1 + name(MOVABLE[alive][usize::from(face - 1)])))
            }
            Phase::Move => read_step(self, state, &word),
        }
    }
}

pub(super) fn read_face(game: &Einstein, word: &str) -> Result<u8, String> {
    let stones = game.shape.stones;
    let face = whole_number(word.strip_prefix('d').unwrap_or(word));
    face.filter(|face| (1..=stones).contains(face))
        .ok_or_else(|| format!("`{word}` is not a face: use d1 to d{stones}"))
}

fn read_step(game: &Einstein, state: &EinsteinState, word: &str) -> Result<EinsteinMove, String> {
    let plain: String = word.chars().filter(|c| !"-:x".contains(*c)).collect();
    let forms = |mv| {
        let EinsteinMove::Step { stone, way } = mv else { return Vec::new() };
        let from = state.stones(state.side).cell(stone);
        let to = game.cell_name(state.side, from + WAYS[usize::from(way)]);
        vec![format!("{}{to}", stone + 1), game.cell_name(state.side, from) + &to, to]
    };
    read_form(game, state, &plain, forms)
}

fn board(game: &Einstein, state: &EinsteinState) -> Board {
    let size = usize::from(game.shape.size);
    let piece = |column: usize, row: usize| {
        let cell = (8 * row + column) as u8;
        let on = |player| {
            let stone = state.stones(player).on(game.absolute(player, cell))?;
            Some(Piece::of(player, Shape::Number(stone + 1)))
        };
        Player::BOTH.into_iter().find_map(on).unwrap_or(Piece::NONE)
    };
    Board::new(Ground::Grid, (size, size), piece)
}

impl Drawing<Einstein> for &Einstein {
    fn text(self, state: &EinsteinState) -> String {
        let mut out = board(self, state).text(3);
        let side = letter(Some(state.side));
        let _ = match state.phase {
            Phase::Over => writeln!(out, "{side} has won"),
            Phase::Arrange => writeln!(out, "{side} sets up"),
            Phase::Roll => writeln!(out, "{side} rolls"),
            Phase::Move => {
                writeln!(out, "{side} to move, the die shows {}", 1 + name(state.movable))
            }
        };
        out
    }

    fn picture(self, state: &EinsteinState) -> Picture {
        let face = if state.phase == Phase::Move { 1 + name(state.movable) } else { 0 };
        let picture = Picture { dice: vec![face], ..Picture::of(Body::Board(board(self, state))) };
        match state.phase {
            Phase::Arrange => picture.with("the stones are set up at random"),
            Phase::Roll => picture.with("the die is rolled"),
            Phase::Move => picture.with(format!("the die shows {}", 1 + name(state.movable))),
            Phase::Over => picture,
        }
    }

    fn cells(self, state: &EinsteinState, mv: EinsteinMove) -> Vec<usize> {
        let EinsteinMove::Step { stone, way } = mv else { return Vec::new() };
        let from = state.stones(state.side).cell(stone);
        let shown = |cell| {
            let cell = self.absolute(state.side, cell);
            usize::from(cell / 8 * self.shape.size + cell % 8)
        };
        vec![shown(from), shown(from + WAYS[usize::from(way)])]
    }

    fn dice(self, mv: EinsteinMove) -> Vec<u8> {
        if let EinsteinMove::Die(face) = mv { vec![face] } else { Vec::new() }
    }
}
