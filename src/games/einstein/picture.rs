//! The picture of EinStein: numbered stones and the face of the die.

use super::die::name;
use super::rules::{Einstein, EinsteinState, Phase};
use crate::games::game::Player;
use crate::games::picture::{Board, Body, Ground, Picture, Piece, Shape};

/// The board, and the die if it has been rolled.
pub(super) fn picture(game: &Einstein, state: &EinsteinState) -> Picture {
    let size = usize::from(game.shape.size);
    let piece = |column: usize, row: usize| {
        let cell = (8 * row + column) as u8;
        let on = |player| {
            let stone = state.stones(player).on(game.absolute(player, cell))?;
            Some(Piece::of(player, Shape::Number(stone + 1)))
        };
        [Player::First, Player::Second].into_iter().find_map(on).unwrap_or(Piece::NONE)
    };
    let picture = Picture::of(Body::Board(Board::new(Ground::Grid, (size, size), piece)));
    match state.phase {
        Phase::Arrange => picture.with("stones are set up at random"),
        Phase::Roll => picture.with("the die is in the air"),
        Phase::Move => picture.with(format!("the die shows {}", 1 + name(state.movable))),
        Phase::Over => picture,
    }
}
