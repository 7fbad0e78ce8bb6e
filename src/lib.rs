//! agon: a tournament and benchmarking harness for agents that play board games.
//!
//! The crate is a house of floors; a floor uses what lies below it, never what lies
//! above. From the ground up:
//!
//! - [`stats`]: mathematics on counts; knows no game, no file and no clock
//! - [`params`]: what a configurable thing takes: names, types, ranges, defaults
//! - [`games`]: rules ([`games::Game`]), notation and knowledge ([`games::Evaluator`])
//! - [`search`]: minimax and its relatives, generic over the game
//! - [`solve`]: exact values: solvers of one game each, and which game has one
//! - [`engine`]: programs from outside: processes, deadlines, protocols; knows no game
//! - [`agents`]: players ([`agents::Agent`]), one file each
//! - [`world`]: type erasure at the game's boundary; the registry; one game refereed
//! - [`config`]: a TOML file becomes a checked experiment
//! - [`arena`]: an experiment becomes results: schedule, workers, journal, tally
//! - [`report`]: results become what people read
//! - `gate`: did a change make anything worse? Two runs compared; fixed work
//! - [`cli`]: the command line, one file per command

pub mod agents;
pub mod arena;
pub mod cli;
pub mod config;
pub mod engine;
pub mod games;
mod gate;
mod nesting;
pub mod params;
pub mod report;
pub mod search;
pub mod solve;
mod sorted_map;
mod sorting;
pub mod stats;
mod suggest;
pub mod world;

pub use cli::run;
