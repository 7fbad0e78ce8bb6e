//! `agon completions`: prints a script for command completion, made from the definitions of the command
//! line.

use std::io::{self, Write};

use clap::Args;
use clap_complete::Shell;

use crate::cli::argument_types::words;
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;

/// Prints a script for command completion; `agon man` prints the manual page.
///
/// For example: agon completions bash > ~/.local/share/bash-completion/completions/agon
#[derive(Debug, Args)]
#[command(hide = true)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_parser = words::<Shell>())]
    shell: Shell,
}

pub fn run(args: &CompletionsArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    // The generator panics if its output is closed, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut (context.definition)(), "agon", &mut script);
    io::stdout().write_all(&script)?;
    Ok(exit_codes::DONE)
}
