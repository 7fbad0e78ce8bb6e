//! The conformance suite: checks that every game must pass, built-in or added by a user.
//!
//! The checks play random games from a fixed seed and examine every position. If a check fails, it
//! panics with the text of the position. The test of a new game is one line:
//!
//! ```
//! # use agon_core as agon;
//! use agon::games::{TicTacToe, conformance};
//!
//! conformance::check(&TicTacToe, 20);
//! ```

#![deny(missing_docs)]

mod check_evaluators;
mod check_keys;
mod check_notation;
mod check_random_moves;
mod check_rules;
mod check_symmetry;
mod check_threats;
mod sample_positions;

use super::configurable_game_trait::Configurable;

pub use check_evaluators::antisymmetric;
pub use check_notation::read_anything;
pub use sample_positions::positions;

/// Runs every check of the suite on the positions of `games` random games.
///
/// # Panics
/// If the game violates a requirement of [`Game`](super::Game) or [`Configurable`].
pub fn check<G: Configurable>(game: &G, games: u32) {
    let positions = positions(game, games, 1);
    check_rules::check(game, &positions);
    check_rules::length(game, games);
    check_rules::chance(game, &positions);
    check_notation::check(game, &positions);
    check_notation::check_garbage(game, &positions);
    check_keys::check(game, &positions);
    check_symmetry::check(game, &positions);
    check_random_moves::check(game, &positions);
    check_evaluators::check(game, &positions);
    check_threats::check(game, &positions);
}
