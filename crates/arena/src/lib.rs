//! The layers of agon that make an experiment of a config file and run it.
//!
//! Programs use these modules through the crate `agon`, which re-exports them.

pub mod arena;
pub mod config;
pub(crate) mod result_tables;
pub(crate) mod rows;

#[doc(hidden)]
pub use agon_players::util;
pub use agon_players::{agents, choice, engine, games, params, play, rounds, search, solve, stats};
