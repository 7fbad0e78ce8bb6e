//! `agon match`: plays agents and engines against each other without a config file. It writes the
//! config that does the same, and runs that.

mod config_text;
mod players;

use std::io::Write;

use clap::Args;

use super::args::RunArgs;
use super::exit_codes::{self, Failure};
use super::run::run_config;
use crate::config;
use crate::play::Registry;

/// What is played.
#[derive(Debug, Args)]
pub struct MatchArgs {
    /// Two or more players. An agent by its SPEC, such as `alphabeta:depth=5`; an engine by its
    /// command, such as ./engine or "python3 bot.py".
    #[arg(required = true, value_name = "A B [C …]")]
    pub players: Vec<String>,
    /// The game, such as `mnk:m=7,n=7,k=4` [default: connect4; chess if all players are engines].
    #[arg(long, value_name = "SPEC")]
    pub game: Option<String>,
    /// A key that all players share, such as `table_mb=64` or `options.Hash=16`. Repeatable.
    #[arg(long, value_name = "KEY=VALUE")]
    pub each: Vec<String>,
    /// Seconds and increment of each engine, such as 8+0.08, or 40/60+0.6 for 40 moves.
    #[arg(long, value_name = "TIME")]
    pub clock: Option<String>,
    /// Milliseconds for one move.
    #[arg(long, value_name = "MS")]
    pub movetime: Option<String>,
    /// Positions that a player may search for one move.
    #[arg(long, value_name = "N")]
    pub nodes: Option<String>,
    /// Plies that a player looks ahead.
    #[arg(long, value_name = "PLIES")]
    pub depth: Option<String>,
    /// A file of openings (moves, EPD or PGN), `random:PLIES` or `start`.
    #[arg(long, value_name = "FILE|random:PLIES")]
    pub openings: Option<String>,
    /// Plays until a sequential test between these two hypotheses is decided: is A better than
    /// B by ELO0, or by ELO1? (Logistic Elo.)
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Option<String>,
    /// Prints the config that does the same, and plays nothing.
    #[arg(long, conflicts_with_all = ["set", "dry_run"])]
    pub print_config: bool,
    /// How it is played.
    #[command(flatten)]
    pub run: RunArgs,
}

/// Plays the match.
///
/// # Errors
/// Players that do not exist, all mistakes of the config, and those of a run.
pub fn run(args: &MatchArgs, argv: Vec<String>, registry: &Registry) -> Result<u8, Failure> {
    let text = config_text::write(args, registry)?;
    let overrides = args.run.changes.overrides();
    let loaded = config::read_from(&text, "the config of this match", &overrides, registry)?;
    if args.print_config {
        anstream::stdout().write_all(text.as_bytes())?;
        return Ok(exit_codes::DONE);
    }
    run_config(&loaded, &args.run, argv, registry)
}

/// A mistake on the command line.
fn usage(message: impl std::fmt::Display, help: impl std::fmt::Display) -> Failure {
    Failure::Usage(format!("{message}\nhelp: {help}"))
}
