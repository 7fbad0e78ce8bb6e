//! `agon tune`: tunes numbers of an agent by games.

use clap::Args;

use super::run_command::play_config;
use crate::cli::command_entry::CommandContext;
use crate::cli::failure::Failure;
use crate::cli::options_of_several_commands::RunArgs;
use crate::cli::read_config_file::ConfigFile;
use crate::config::Overrides;

/// Tunes numbers of an agent by games, then tests the result against the start.
///
/// The section `[tune]` of the config names the numbers with their ranges; docs/tune.md explains
/// it. `agon plan FILE` says first how many games this takes, and what it is expected to gain. The
/// exit code is that of the sequential test at the end.
#[derive(Debug, Args)]
pub struct TuneCommand {
    #[command(flatten)]
    source: ConfigFile,
    #[command(flatten)]
    run: RunArgs,
}

/// Plays the games of `[tune]` and the test after them.
pub fn run(args: &TuneCommand, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let overrides = Overrides { tune: true, ..args.run.changes.overrides() };
    play_config(&args.source, &args.run, &overrides, context)
}
