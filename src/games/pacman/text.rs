//! Text of Pacman: moves as words, and the maze for the terminal.
//!
//! Moves are `north`, `south`, `east`, `west` and `stop`. Also accepted: `n`, `s`, `e`, `w`, `up`,
//! `down`, `right`, `left`, the arrows `^`, `v`, `>`, `<`, and `wait`.

use std::fmt::Write;

use super::rules::Pacman;
use super::state::{End, PacmanMove, PacmanState};
use crate::games::game::{Game, Turn};
use crate::gather::Gather;

pub(super) fn word(mv: PacmanMove) -> &'static str {
    ["north", "south", "east", "west", "stop"][mv as usize]
}

/// The move that a word names.
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

pub(super) fn read_move(
    game: &Pacman,
    state: &PacmanState,
    text: &str,
) -> Result<PacmanMove, String> {
    if game.turn(state) == Turn::Over {
        return Err("the game is over, no move is legal".to_owned());
    }
    let word_read = text.trim().to_lowercase();
    let mut legal = Vec::new();
    game.moves(state, &mut legal);
    named(&word_read).filter(|mv| legal.contains(mv)).ok_or_else(|| {
        let who = match state.mover {
            0 => "Pacman".to_owned(),
            ghost => format!("ghost {ghost}"),
        };
        let legal: Vec<&str> = legal.iter().map(|&mv| word(mv)).gather();
        format!("`{word_read}` is not a move of {who}; legal: {}", legal.join(", "))
    })
}

/// The letter of a cell: the most important thing on it.
fn letter(game: &Pacman, state: &PacmanState, cell: (u8, u8)) -> char {
    let ghosts = &state.ghosts[..game.ghosts()];
    let ghost =
        ghosts.iter().filter(|ghost| ghost.cell() == cell).max_by_key(|ghost| ghost.scared == 0);
    let pellet = game.layout.pellet(cell).filter(|&number| state.has_pellet(number));
    match (ghost, pellet) {
        _ if state.pacman == cell && state.end == End::Lost => 'X',
        _ if state.pacman == cell => 'P',
        (Some(ghost), _) => {
            if ghost.scared > 0 {
                'g'
            } else {
                'G'
            }
        }
        (None, Some(number)) => {
            if number < game.layout.food {
                '.'
            } else {
                'o'
            }
        }
        (None, None) => {
            if game.layout.maze.is_open(cell) {
                ' '
            } else {
                '%'
            }
        }
    }
}

/// The maze; `g` is a scared ghost, `X` is Pacman when caught.
pub(super) fn draw(game: &Pacman, state: &PacmanState) -> String {
    let (width, height) = game.size();
    let mut out = String::new();
    for y in (0..height as u8).rev() {
        out.extend((0..width as u8).map(|x| letter(game, state, (x, y))));
        out.push('\n');
    }
    let _ = write!(out, "score {}, ", state.score);
    let _ = match (state.end, state.mover) {
        (End::Won, _) => writeln!(out, "all food eaten"),
        (End::Lost, _) => writeln!(out, "caught"),
        (End::Open, 0) => writeln!(out, "Pacman to move"),
        (End::Open, ghost) => writeln!(out, "ghost {ghost} to move"),
    };
    for (number, ghost) in (1..).zip(&state.ghosts[..game.ghosts()]) {
        if ghost.scared > 0 {
            let _ = writeln!(out, "ghost {number} is scared for {} moves", ghost.scared);
        }
    }
    out
}
