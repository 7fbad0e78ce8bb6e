//! The conformance suite: checks that every game must pass, built-in or added by a user.
//!
//! The checks play random games from a fixed seed and examine every position. If a check fails, it
//! panics with the text of the position. The test of a new game is one line:
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
/// If the game violates a requirement of [`Game`](super::Game) or [`Configurable`].
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
