//! `agon match`: plays agents and engines against each other without a config file. It writes the
//! config that does the same, and runs that.

mod config_text;
mod players;

use std::io::Write;

use super::args::RunArgs;
use super::exit_codes::{self, Failure};
use super::run::run_config;
use super::start_args::MatchArgs;
use crate::config;
use crate::play::Registry;

/// Plays the match.
///
/// # Errors
/// Players that do not exist, all mistakes of the config, and those of a run.
pub fn run(
    args: &MatchArgs,
    run: &RunArgs,
    argv: Vec<String>,
    registry: &Registry,
) -> Result<u8, Failure> {
    let text = config_text::write(args, &run.changes, registry)?;
    let overrides = run.changes.overrides();
    let loaded = config::read_from(&text, "the config of this match", &overrides, registry)?;
    if args.print_config {
        anstream::stdout().write_all(text.as_bytes())?;
        return Ok(exit_codes::DONE);
    }
    run_config(&loaded, run, argv, registry)
}
