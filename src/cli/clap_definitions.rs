//! The definition of the command line: what `agon` takes without a command, and all commands.

use clap::{CommandFactory, Parser};

use super::argument_types::{Color, words};
use super::commands::COMMANDS;
use super::commands::run_command::RunCommand;
use super::exit_codes;

/// Tournaments between agents that play board games.
///
/// Plays the games of an experiment in parallel. Reports who won, how certain this is, and what
/// it cost, as tables and CSV.
#[derive(Debug, Parser)]
#[command(name = "agon", version, args_conflicts_with_subcommands = true)]
#[command(override_usage = "agon [OPTIONS] [FILE | COMMAND]")]
#[command(after_help = EXAMPLES, after_long_help = exit_codes::HELP, max_term_width = 100)]
pub struct Cli {
    /// `agon FILE` is `agon run FILE`.
    #[command(flatten)]
    pub run: RunCommand,
    /// When to use colour.
    // After the options of each command, before `--help`.
    #[arg(
        long,
        global = true,
        display_order = 901,
        value_enum,
        value_name = "WHEN",
        default_value_t
    )]
    #[arg(value_parser = words::<Color>())]
    pub color: Color,
}

/// The first things to try, as `agon --help` shows them.
const EXAMPLES: &str = "\
Try (options: `agon COMMAND --help`; exit codes: `agon run --help`):
  agon match alphabeta:depth=5 mcts:simulations=500
  agon match ./new ./old --clock 8+0.08 --openings book.epd --sprt 0,5
  agon play connect4";

/// The definition of the command line.
pub fn definition() -> clap::Command {
    COMMANDS.iter().fold(Cli::command(), |whole, command| {
        whole.subcommand((command.define)(clap::Command::new(command.name)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_are_consistent() {
        definition().debug_assert();
    }
}
