//! Pig: a dice game. Roll as often as you like; a one loses the turn sum.
//!
//! Two players. In a turn, the player *rolls* or *holds*. A 1 ends the turn without points. Other
//! faces add to the turn sum, which `hold` banks. The first player to reach the goal wins. A player
//! may hold at once, which passes. If banked score plus turn sum reaches the goal, only `hold` is
//! legal. Rolling is a move; the face is a chance outcome.

mod evaluators;
pub mod pig_solver;
mod rules;
mod state;
mod text;
pub mod value_iteration;

pub use evaluators::Lead;
pub use state::{Pig, PigMove, PigParams, PigState};
