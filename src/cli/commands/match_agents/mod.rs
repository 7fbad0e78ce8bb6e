//! `agon match`: plays agents and engines against each other without a config file. It writes the
//! config that does the same, and runs that.

mod match_args;
mod named_players;

use super::run::run_config;
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::{note, print_text};
use crate::config;
use match_args::MatchArgs;

/// Plays the match.
///
/// # Errors
/// Players that do not exist, all mistakes of the config, and those of a run.
pub fn run(args: &MatchArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let (run, registry) = (&args.run, context.registry);
    let (text, notes) = match_args::write(args, &run.changes, registry)?;
    let overrides = run.changes.overrides();
    let loaded = config::read_from(&text, "the config of this match", &overrides, registry)?;
    if args.print_config {
        print_text(&text)?;
        return Ok(exit_codes::DONE);
    }
    if !run.quiet {
        notes.into_iter().for_each(note);
    }
    run_config(&loaded, run, context)
}
