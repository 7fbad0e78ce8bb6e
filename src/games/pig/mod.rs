//! Pig: roll a die as often as you dare, a one loses the turn's sum.
//!
//! Two players; in a turn the player *rolls* or *holds*. A 1 ends the turn with nothing,
//! other faces add to the turn's sum, which `hold` banks. The first to reach the goal
//! wins. A player may hold at once, which passes; with banked score and sum at the goal
//! only `hold` is legal. Rolling is a move, the die is chance.

mod evaluators;
pub mod exact;
mod picture;
mod rules;
pub mod solve;
mod text;

pub use evaluators::Lead;
pub use rules::{Move, Pig, PigParams, State};
