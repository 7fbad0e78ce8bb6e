//! The picture of Pacman: the maze with Pacman and the ghosts, and the score.

use super::rules::Pacman;
use super::state::{End, PacmanState};
use crate::games::game::Player;
use crate::games::picture::{Board, Body, Ground, Picture, Piece, Shape};

/// The maze as in the terminal, in shapes.
pub(super) fn picture(game: &Pacman, state: &PacmanState) -> Picture {
    let (width, height) = game.size();
    let piece = |column: usize, row: usize| of_cell(game, state, (column, height - 1 - row));
    let board = Board::new(Ground::Maze, (width, height), piece).unnamed();
    let picture = Picture::of(Body::Board(board)).with(format!("score {}", state.score));
    let scared = (1..).zip(&state.ghosts[..game.ghosts()]).filter(|(_, ghost)| ghost.scared > 0);
    scared.fold(picture, |picture, (number, ghost)| {
        picture.with(format!("ghost {number} is scared for {} moves", ghost.scared))
    })
}

/// The most important thing on a cell: column from the left, row from the bottom.
fn of_cell(game: &Pacman, state: &PacmanState, (x, y): (usize, usize)) -> Piece {
    let cell = (x as u8, y as u8);
    if state.pacman == cell {
        let shape = if state.end == End::Lost { Shape::Caught } else { Shape::Eater };
        return Piece::of(Player::First, shape);
    }
    let here = state.ghosts[..game.ghosts()].iter().filter(|ghost| ghost.cell() == cell);
    if let Some(ghost) = here.max_by_key(|ghost| ghost.scared == 0) {
        let shape = if ghost.scared > 0 { Shape::ScaredGhost } else { Shape::Ghost };
        return Piece::of(Player::Second, shape);
    }
    match game.layout.pellet(cell).filter(|&number| state.has_pellet(number)) {
        Some(number) if number < game.layout.food => Piece::thing(Shape::Dot),
        Some(_) => Piece::thing(Shape::Ball),
        None if game.layout.maze.is_open(cell) => Piece::NONE,
        None => Piece::thing(Shape::Wall),
    }
}
