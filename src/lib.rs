//! agon: a tournament and benchmarking harness for agents that play board games.
//!
//! The crate is layered; each layer depends only on the layers before it in this list:
//!
//! - [`stats`]: mathematics on counts; independent of games, files and clocks
//! - [`rounds`]: which games come next, from the results so far
//! - [`mod@params`]: parameters of games and agents: names, types, ranges, defaults
//! - [`games`]: rules ([`games::Game`]), notation and knowledge ([`games::Evaluator`])
//! - [`search`]: minimax and related algorithms, generic over the game
//! - [`solve`]: exact values: one solver per game, and the list of games with a solver
//! - [`engine`]: external programs: processes, deadlines, protocols; independent of games
//! - [`agents`]: players ([`agents::Agent`]), one file each
//! - [`play`]: type-erased games; the registry; playing one game by its rules
//! - [`config`]: reads a TOML file into a checked experiment
//! - [`arena`]: runs an experiment: schedule, workers, journal, tally
//! - [`report`]: prints results as tables and pages
//! - `regression`: regression checks: comparison of two runs; a benchmark with fixed work
//! - [`cli`]: the command line, one file per command

#![deny(missing_docs)]

#[cfg(not(unix))]
compile_error!(
    "agon needs Linux or macOS; on Windows, build and run it in WSL (docs/README.md says more)"
);

pub mod cli;
mod regression;

/// Results of a run as tables, CSV, JSON, PGN and a page, computed from a tally.
pub mod report {
    pub use agon_report::{
        Heading, Ranking, Results, RunContext, RunEnd, RunFacts, TableFormat, render, write_json,
    };
    // The command line uses more of the crate than other programs do.
    pub(crate) use agon_report::*;
}

use agon_arena::util;
pub use agon_arena::{
    agents, arena, choice, config, engine, games, params, play, rounds, search, solve, stats,
};
pub use cli::run;
