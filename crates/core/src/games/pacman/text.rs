//! Text and pictures of Pacman: moves as words, and the maze.
//!
//! Moves are `north`, `south`, `east`, `west` and `stop`. Also accepted: `n`, `s`, `e`, `w`, `up`,
//! `down`, `right`, `left`, the arrows `^`, `v`, `>`, `<`, and `wait`.

use std::fmt::Write;

use super::pacman_game::Pacman;
use super::state::{End, PacmanMove, PacmanState};
use crate::games::game::{Drawing, Game, GameExt, Notation, Player, Turn};
use crate::games::picture_for_html::{Board, Body, Ground, Ink, OwnShape, Picture, Piece, Shape};

pub(super) fn word(mv: PacmanMove) -> &'static str {
    ["north", "south", "east", "west", "stop"][mv as usize]
}

fn named(word: &str) -> Option<PacmanMove> {
    Some(match word {
        "north" | "n" | "up" | "^" => PacmanMove::North,
        "south" | "s" | "down" | "v" => PacmanMove::South,
        "east" | "e" | "right" | ">" => PacmanMove::East,
        "west" | "w" | "left" | "<" => PacmanMove::West,
        "stop" | "wait" => PacmanMove::Stop,
        _ => return None,
    })
}

impl Notation<Pacman> for &Pacman {
    fn read_move(self, state: &PacmanState, text: &str) -> Result<PacmanMove, String> {
        if self.turn(state) == Turn::Over {
            return Err("the game is over, no move is legal".to_owned());
        }
        let word_read = text.trim().to_lowercase();
        let legal = self.legal_moves(state);
        named(&word_read).filter(|mv| legal.contains(mv)).ok_or_else(|| {
            let (who, legal) = (mover(state), words(&legal));
            format!("`{word_read}` is not a move of {who}; legal: {legal}")
        })
    }
}

fn mover(state: &PacmanState) -> String {
    match state.mover {
        0 => "Pacman".to_owned(),
        ghost => format!("ghost {ghost}"),
    }
}

fn words(moves: &[PacmanMove]) -> String {
    moves.iter().map(|&mv| word(mv)).collect::<Vec<_>>().join(", ")
}

/// The letter of a cell: the most important thing on it.
fn letter(game: &Pacman, state: &PacmanState, cell: (u8, u8)) -> char {
    let ghosts = &state.ghosts[..game.ghosts()];
    let ghost =
        ghosts.iter().filter(|ghost| ghost.cell() == cell).max_by_key(|ghost| ghost.scared == 0);
    let pellet = game.layout.pellet(cell).filter(|&number| state.has_pellet(number));
    let mover = usize::from(state.mover).checked_sub(1).map(|number| state.ghosts[number].cell());
    let is_mover = mover == Some(cell) && state.end == End::Open;
    match (ghost, pellet) {
        _ if state.pacman == cell && state.end == End::Lost => 'X',
        _ if state.pacman == cell => 'P',
        // Two ghosts may be on one cell.
        _ if is_mover => char::from_digit(state.mover.into(), 10).unwrap_or('G'),
        (Some(ghost), _) if ghost.scared > 0 => 'g',
        (Some(_), _) => 'G',
        (None, Some(number)) if number < game.layout.food => '.',
        (None, Some(_)) => 'o',
        (None, None) if game.layout.maze.is_open(cell) => ' ',
        (None, None) => '%',
    }
}

const MOUTH: &str = "M15 15L24.5 8A12 12 0 1 0 24.5 22Z";
const SHEET: &str = "M4 27V14A11 11 0 0 1 26 14V27L22.3 23.5L18.6 27L15 23.5L11.4 27L7.7 23.5Z";
const EYES: &str = "M8.4 13a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0M16.4 13a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0";

static PACMAN: OwnShape = OwnShape { name: "Pacman", paths: &[(Ink::Fill, MOUTH)] };
static CAUGHT: OwnShape = OwnShape {
    name: "Pacman, caught",
    paths: &[(Ink::Fill, MOUTH), (Ink::Strike, "M5 5L25 25M25 5L5 25")],
};
static GHOST: OwnShape =
    OwnShape { name: "ghost", paths: &[(Ink::Fill, SHEET), (Ink::Hole, EYES)] };
static SCARED_GHOST: OwnShape = OwnShape { name: "scared ghost", paths: &[(Ink::Line, SHEET)] };

/// The most important thing on a cell: column from the left, row from the bottom.
fn of_cell(game: &Pacman, state: &PacmanState, (x, y): (usize, usize)) -> Piece {
    let cell = (x as u8, y as u8);
    if state.pacman == cell {
        let shape = if state.end == End::Lost { &CAUGHT } else { &PACMAN };
        return Piece::of(Player::First, Shape::Own(shape));
    }
    let here = state.ghosts[..game.ghosts()].iter().filter(|ghost| ghost.cell() == cell);
    if let Some(ghost) = here.max_by_key(|ghost| ghost.scared == 0) {
        let shape = if ghost.scared > 0 { &SCARED_GHOST } else { &GHOST };
        return Piece::of(Player::Second, Shape::Own(shape));
    }
    match game.layout.pellet(cell).filter(|&number| state.has_pellet(number)) {
        Some(number) if number < game.layout.food => Piece::thing(Shape::Dot),
        Some(_) => Piece::thing(Shape::Ball),
        None if game.layout.maze.is_open(cell) => Piece::NONE,
        None => Piece::thing(Shape::Wall),
    }
}

impl Drawing<Pacman> for &Pacman {
    /// The maze, the score, and the moves of the mover. A ghost to move is its number, `g` is a
    /// scared ghost, `X` is Pacman when caught.
    fn text(self, state: &PacmanState) -> String {
        let (width, height) = self.size();
        let mut out = String::new();
        for y in (0..height as u8).rev() {
            out.extend((0..width as u8).map(|x| letter(self, state, (x, y))));
            out.push('\n');
        }
        let _ = write!(out, "score {}, ", state.score);
        let _ = match state.end {
            End::Won => writeln!(out, "all food eaten"),
            End::Lost => writeln!(out, "caught"),
            End::Open => {
                let legal = self.legal_moves(state);
                writeln!(out, "{} to move: {}", mover(state), words(&legal))
            }
        };
        for (number, ghost) in (1..).zip(&state.ghosts[..self.ghosts()]) {
            if ghost.scared > 0 {
                let _ = writeln!(out, "ghost {number} is scared for {} moves", ghost.scared);
            }
        }
        out
    }

    fn picture(self, state: &PacmanState) -> Picture {
        let (width, height) = self.size();
        let piece = |column: usize, row: usize| of_cell(self, state, (column, height - 1 - row));
        let board = Board::new(Ground::Maze, (width, height), piece).unnamed();
        let picture = Picture::of(Body::Board(board)).with(format!("score {}", state.score));
        let picture = match (state.end, state.mover) {
            (End::Open, ghost @ 1..) => picture.with(format!("ghost {ghost} to move")),
            _ => picture,
        };
        let scared =
            (1..).zip(&state.ghosts[..self.ghosts()]).filter(|(_, ghost)| ghost.scared > 0);
        scared.fold(picture, |picture, (number, ghost)| {
            picture.with(format!("ghost {number} is scared for {} moves", ghost.scared))
        })
    }

    /// The cell beside the mover; for `stop`, the mover's own cell.
    fn cells(self, state: &PacmanState, mv: PacmanMove) -> Vec<usize> {
        let from = match state.mover {
            0 => state.pacman,
            ghost => state.ghosts[usize::from(ghost) - 1].cell(),
        };
        let (x, y) = self.layout.maze.neighbour(from, mv).unwrap_or(from);
        let (width, height) = self.size();
        vec![(height - 1 - usize::from(y)) * width + usize::from(x)]
    }
}
