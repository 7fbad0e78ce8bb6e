//! The middle layers of agon: external engines, agents, and the play of one game.
//!
//! Programs use these modules through the crate `agon`, which re-exports them.

pub mod agents;
pub mod engine;
pub mod play;
mod rules_program;

#[doc(hidden)]
pub use agon_core::util;
pub use agon_core::{choice, games, params, rounds, search, solve, stats};
