//! `agon sprt`: plays two agents until a sequential test is decided.

use clap::Args;

use super::run_command::play_config;
use crate::cli::command_entry::CommandContext;
use crate::cli::failure::Failure;
use crate::cli::options_of_several_commands::RunArgs;
use crate::cli::read_config_file::ConfigFile;
use crate::config::{Overrides, Sequential};

/// Plays the config's two agents until a sequential test is decided.
///
/// Plays the experiment with a sequential test of the first agent against the second, even
/// if the config has no `[sprt]`. Exit code 0: H1 accepted, the first agent is better than
/// elo0; 3: H0 accepted, it is not better by elo1; 4: undecided at the maximum number of
/// games.
#[derive(Debug, Args)]
pub struct SprtCommand {
    #[command(flatten)]
    source: ConfigFile,
    #[command(flatten)]
    run: RunArgs,
    /// H0: Elo difference of the first agent to the second [default: the config's, or 0].
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo0: Option<f64>,
    /// H1: Elo difference above elo0 [default: the config's, or 5].
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo1: Option<f64>,
    /// Probability of accepting H1 if H0 is true [default: the config's, or 0.05].
    #[arg(long, value_name = "RATE")]
    alpha: Option<f64>,
    /// Probability of accepting H0 if H1 is true [default: the config's, or 0.05].
    #[arg(long, value_name = "RATE")]
    beta: Option<f64>,
}

/// Plays the config with a sequential test.
pub fn run(args: &SprtCommand, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let &SprtCommand { elo0, elo1, alpha, beta, .. } = args;
    let sequential = Some(Sequential { elo0, elo1, alpha, beta });
    let overrides = Overrides { sequential, ..args.run.changes.overrides() };
    play_config(&args.source, &args.run, &overrides, context)
}
