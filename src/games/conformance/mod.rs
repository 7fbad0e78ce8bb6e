//! What must hold for every game: one suite of checks for those that are here and those
//! that people add.
//!
//! The checks play random games from a fixed seed, look at every position on the way and
//! panic with the position's text where something does not hold. A test of a new game is
//! one line:
//!
//! ```
//! use agon::games::{TicTacToe, conformance};
//!
//! conformance::check(&TicTacToe, 20);
//! ```

mod chance;
mod evaluators;
mod keys;
mod random;
mod rules;
mod sample;
mod symmetry;
mod text;
mod threat;

use super::configurable::Configurable;

pub use evaluators::antisymmetric;
pub use sample::positions;
pub use text::read_anything;

/// Runs every check of the suite on the positions of `games` random games.
///
/// # Panics
/// Where the game breaks a promise of [`Game`](super::Game) or [`Configurable`].
pub fn check<G: Configurable>(game: &G, games: u32) {
    let positions = positions(game, games, 1);
    rules::check(game, &positions);
    rules::length(game, games);
    chance::check(game, &positions);
    text::check(game, &positions);
    text::check_garbage(game, &positions);
    keys::check(game, &positions);
    symmetry::check(game, &positions);
    random::check(game, &positions);
    evaluators::check(game, &positions);
    threat::check(game, &positions);
}
