//! The definition of the command line: what `agon` takes without a command, and all commands.

use clap::{CommandFactory, Parser};

use super::argument_types::{Color, words};
use super::commands::run_command::RunCommand;
use super::commands::{GROUPS, commands};
use super::exit_codes;
use super::print_run_results::terminal_width;
use crate::report::wrapped;

/// Tournaments between agents that play board games.
///
/// Plays the games of an experiment in parallel. Reports who won, how certain this is, and what
/// it cost, as tables and CSV.
#[derive(Debug, Parser)]
#[command(name = "agon", version, args_conflicts_with_subcommands = true)]
#[command(override_usage = "agon [OPTIONS] [FILE | COMMAND]")]
#[command(after_help = EXAMPLES, after_long_help = exit_codes::HELP, max_term_width = WIDTH)]
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

/// The maximum width of the help.
const WIDTH: usize = 100;

/// The definition of the command line.
pub fn definition() -> clap::Command {
    let whole = commands().fold(Cli::command(), |whole, command| {
        whole.subcommand((command.define)(clap::Command::new(command.name)))
    });
    let template = help_template(&whole);
    whole.help_template(template)
}

/// The help of clap, but with the commands by what they are for.
fn help_template(whole: &clap::Command) -> String {
    const INDENT: usize = 16;
    let width = terminal_width().map_or(WIDTH, |width| width.min(WIDTH));
    let (head, literal) = (whole.get_styles().get_header(), whole.get_styles().get_literal());
    let mut page = String::new();
    for (group, commands) in GROUPS {
        page += &format!("{head}{group}:{head:#}\n");
        let shown = commands.iter().filter_map(|entry| whole.find_subcommand(entry.name));
        for command in shown.filter(|command| !command.is_hide_set()) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let name = command.get_name();
            let first = format!("  {name:<rest$}", rest = INDENT - 2);
            let lines = wrapped(&about, Some(width), &first, &" ".repeat(INDENT));
            page += &lines.replacen(name, &format!("{literal}{name}{literal:#}"), 1);
        }
    }
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{page}\n\
         {head}Options:{head:#}\n{{options}}{{after-help}}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_are_consistent() {
        definition().debug_assert();
    }
}
