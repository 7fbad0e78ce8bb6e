//! The command line: one file per command.

mod argument_types;
mod clap_definitions;
mod command_entry;
mod command_line_mistakes;
mod commands;
mod example_configs;
mod exit_codes;
mod failure;
mod grading;
mod input_line;
mod manual_page;
mod options_of_several_commands;
mod print_run_results;
mod progress_listener;
mod read_config_file;
mod read_results_folder;
mod run_files;
mod run_from_library;
mod signals;
mod slurm_variables;

use std::ffi::OsString;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::ExitCode;

use clap::{ArgMatches, FromArgMatches};

use crate::play::{Registry, RulesFailure};
use clap_definitions::{Cli, definition};
use command_entry::{CommandContext, hide_options_of_run};
use commands::commands;
pub use failure::Failure;
use print_run_results::note;
pub use run_from_library::{PlayError, run};
use signals::StopSignal;

/// Runs the program with these arguments; the first one is the name of the program.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    main_with(args, &Registry::builtin())
}

/// Runs the program with custom games and agents, which every command supports.
pub fn main_with(args: impl IntoIterator<Item = OsString>, registry: &Registry) -> ExitCode {
    let mut args: Vec<OsString> = args.into_iter().collect();
    crate::engine::become_sandbox_helper(&args);
    if args.len() == 3 && args[1] == "help" && commands().all(|entry| args[2] != entry.name) {
        // `agon help depth`: no command, so perhaps a term, a key, a game or an agent.
        args[1] = "explain".into();
    }
    if args.len() == 2 && args[1] == "--help" {
        // One screen; the long form would need three.
        let _ = write!(anstream::stdout(), "{}", short_help());
        return ExitCode::from(exit_codes::DONE);
    }
    let parsed = hide_options_of_run(definition()).try_get_matches_from(&args);
    let parsed = parsed.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            // Help and version go to stdout and are no error. A closed pipe is no error either.
            let code = if error.use_stderr() { exit_codes::USAGE } else { exit_codes::DONE };
            match command_line_mistakes::explained(&error, &args, definition) {
                Some(text) => note(text),
                None => {
                    let _ = error.print();
                }
            }
            return ExitCode::from(code);
        }
    };
    cli.color.write_global();
    let argv: Vec<String> = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let format = cli.run.run.format;
    let context = CommandContext { format, argv: &argv, registry, definition };
    let unwound = catch_unwind(AssertUnwindSafe(|| command(&cli, &matches, &context)));
    let done = unwound.unwrap_or_else(|payload| match RulesFailure::of_payload(payload) {
        Ok(failure) => Err(failure.into()),
        Err(panic) => resume_unwind(panic),
    });
    match done {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            let message = failure.to_string();
            if !message.is_empty() {
                note(message.trim_end_matches('\n'));
            }
            ExitCode::from(failure.code())
        }
    }
}

fn command(cli: &Cli, matches: &ArgMatches, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let typed = matches.subcommand();
    // `agon FILE` is `agon run FILE`.
    let (name, arguments) = typed.unwrap_or(("run", matches));
    let command = commands().find(|command| command.name == name).ok_or_else(|| {
        Failure::usage(format!("there is no command `{name}`"), "`agon --help` lists the commands")
    })?;
    command.check_format(context.format)?;
    // In a container, the first process receives only signals for which it has a handler.
    let _stop = command.loses_work.then(|| StopSignal::listen(true)).transpose()?;
    if typed.is_some() || cli.run.source.is_given() {
        return (command.run)(arguments, context);
    }
    if context.argv.len() > 1 {
        return Err(Failure::usage(
            "there is no config to play",
            "`agon run FILE` plays a config, `agon match A B` two agents; `agon --help` lists the \
             commands",
        ));
    }
    let _ = write!(anstream::stderr(), "{}", short_help());
    Ok(exit_codes::USAGE)
}

/// The help on one screen.
fn short_help() -> String {
    hide_options_of_run(definition()).render_help().ansi().to_string()
}
