//! A command as the list of commands has it, and what every command gets.

use clap::{ArgMatches, Args};

use super::failure::Failure;
use crate::play::Registry;
use crate::report::TableFormat;

/// What every command gets beside its own arguments.
pub struct CommandContext<'a> {
    /// `--format`.
    pub format: TableFormat,
    /// The whole command line; the first word is the name of the program.
    pub argv: &'a [String],
    /// Games and agents.
    pub registry: &'a Registry,
    /// The definition of the command line.
    pub definition: fn() -> clap::Command,
}

/// A command of the command line.
pub struct CommandEntry {
    /// Its name, as typed.
    pub name: &'static str,
    /// Adds its help and its arguments.
    pub define: fn(clap::Command) -> clap::Command,
    /// Runs it. Returns the exit code.
    pub run: fn(&ArgMatches, &CommandContext<'_>) -> Result<u8, Failure>,
    /// Its formats beside text, JSON and Markdown.
    formats: &'static [TableFormat],
    /// If it is killed, it loses its work, and the same command repeats it.
    pub loses_work: bool,
}

impl CommandEntry {
    /// A command without formats of its own; [`command!`] calls this.
    pub const fn new(
        name: &'static str,
        define: fn(clap::Command) -> clap::Command,
        run: fn(&ArgMatches, &CommandContext<'_>) -> Result<u8, Failure>,
    ) -> CommandEntry {
        CommandEntry { name, define, run, formats: &[], loses_work: false }
    }

    /// The same command, which also writes these formats.
    pub const fn writes(self, formats: &'static [TableFormat]) -> CommandEntry {
        CommandEntry { formats, ..self }
    }

    /// The same command, which loses its work if it is killed.
    pub const fn loses_work(self) -> CommandEntry {
        CommandEntry { loses_work: true, ..self }
    }

    /// Refuses a format that this command does not write.
    ///
    /// # Errors
    /// As a mistake on the command line.
    pub fn check_format(&self, format: TableFormat) -> Result<(), Failure> {
        let message = match format {
            TableFormat::Text | TableFormat::Json | TableFormat::Markdown => return Ok(()),
            own if self.formats.contains(&own) => return Ok(()),
            TableFormat::Benchmark => {
                "only `agon bench`, `agon compare` and `agon gate` support `--format benchmark`"
            }
            TableFormat::Junit => "only `agon compare` and `agon gate` support `--format junit`",
            TableFormat::Csv => {
                "only `agon table`, `agon rate`, `agon sprt` and sweeps write `--format csv`"
            }
        };
        Err(Failure::usage(message, "use text, json or markdown"))
    }
}

/// The entry of a command: its name, and the function that runs it with its arguments.
macro_rules! command {
    ($name:literal, $run:path) => {
        CommandEntry::new(
            $name,
            |command| command_entry::define($run, command),
            |matches, context| $run(&command_entry::arguments($run, matches), context),
        )
    };
}
pub(super) use command;

/// The type of function that runs a command with its arguments.
pub type Run<A> = fn(&A, &CommandContext<'_>) -> Result<u8, Failure>;

/// Adds the help and the arguments of a command.
pub fn define<A: Args>(_: Run<A>, command: clap::Command) -> clap::Command {
    A::augment_args(command)
}

/// The arguments of a command. clap has checked them.
pub fn arguments<A: Args>(_: Run<A>, matches: &ArgMatches) -> A {
    A::from_arg_matches(matches).unwrap_or_else(|error| error.exit())
}

/// Hides the arguments of `agon FILE`, which `agon run --help` shows.
pub fn hide_options_of_run(definition: clap::Command) -> clap::Command {
    let shown = ["help", "version", "color", "format"];
    definition.mut_args(|arg| match shown.contains(&arg.get_id().as_str()) {
        true => arg,
        false => arg.hide(true),
    })
}
