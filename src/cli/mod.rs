//! The command line: one file per command.

mod api;
mod arg_types;
mod args;
mod batch_system;
mod bench;
mod check_engine;
mod compare;
mod completions;
mod dry_run;
mod exit_codes;
mod grade;
mod list;
mod merge;
mod mock_engine;
mod old_keys;
mod plan;
mod play;
mod print_results;
mod progress;
mod replay;
mod report;
mod run;
mod schema;
mod serve;
mod shard;
mod signals;
mod solve;
mod watch;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};

pub use api::{PlayError, RunResult, run};
use args::{Cli, Command};
pub use exit_codes::Failure;
use signals::StopSignal;

use crate::config::Sequential;
use crate::gather::{Each, Gather};
use crate::play::Registry;
use crate::report::TableFormat;

/// Runs the program with these arguments; the first one is the name of the program.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    main_with(args, &Registry::builtin())
}

/// Runs the program with custom games and agents, which every command supports.
pub fn main_with(args: impl IntoIterator<Item = OsString>, registry: &Registry) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().gather();
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to stdout and are no error. A closed pipe is no error either.
            let code = if error.use_stderr() { exit_codes::USAGE } else { exit_codes::DONE };
            match explain(&error, &args) {
                Some(text) => {
                    let _ = writeln!(anstream::stderr(), "{text}");
                }
                None => {
                    let _ = error.print();
                }
            }
            return ExitCode::from(code);
        }
    };
    cli.color.write_global();
    let argv = args.iter().map(|arg| arg.to_string_lossy().into_owned()).gather();
    match command(&cli, argv, registry) {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            let _ = failure.print(&mut anstream::stderr());
            ExitCode::from(failure.code())
        }
    }
}

/// The message for a mistake on the command line, with a help text instead of the usage. `None` if
/// the message of clap is better.
fn explain(error: &clap::Error, args: &[OsString]) -> Option<String> {
    let invalid = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    let unknown = invalid(ContextKind::InvalidArg).unwrap_or_default();
    let help = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = invalid(ContextKind::InvalidSubcommand)?;
            let file = if word.ends_with(".toml") { word } else { "FILE" };
            format!("`agon --config {file}` plays an experiment")
        }
        ErrorKind::UnknownArgument if unknown == "-c" => {
            "`agon --config FILE` plays an experiment; `--config` has no short form".to_owned()
        }
        ErrorKind::UnknownArgument if args.get(1).is_some_and(|word| word == "check-engine") => {
            "write `--` before the engine's command, such as `agon check-engine --game chess -- \
             stockfish`"
                .to_owned()
        }
        ErrorKind::ValueValidation => "`agon --help` explains each option".to_owned(),
        _ => return None,
    };
    let text = error.render().to_string();
    let ends = ["\n\nUsage:", "\n\nFor more information"].each(|end| text.find(end));
    let end = ends.into_iter().flatten().min().unwrap_or(text.len());
    Some(format!("{}\nhelp: {help}", text[..end].trim_end()))
}

fn command(cli: &Cli, argv: Vec<String>, registry: &Registry) -> Result<u8, Failure> {
    let gates = matches!(cli.command, Some(Command::Bench(_) | Command::Compare(_)));
    if cli.run.format == TableFormat::Benchmark && !gates {
        let message = "only `agon bench` and `agon compare` support `--format benchmark`";
        return Err(Failure::usage(message, "use text, json or markdown"));
    }
    // If these commands are killed, they lose their work, and the same command repeats it. In a
    // container, the first process receives only signals for which it has a handler.
    use Command::{Bench, Compare, Plan, Report, Solve};
    let loses = matches!(cli.command, Some(Bench(_) | Compare(_) | Plan(_) | Report(_) | Solve(_)));
    let _stop = loses.then(|| StopSignal::listen(true)).transpose()?;
    match &cli.command {
        Some(Command::List { topic }) => {
            list::run(topic.as_deref(), cli.run.format, registry, &mut anstream::stdout())?;
            Ok(exit_codes::DONE)
        }
        Some(Command::Schema) => {
            schema::run(registry, &mut io::stdout())?;
            Ok(exit_codes::DONE)
        }
        Some(Command::Completions { shell }) => {
            completions::completions(*shell, &mut io::stdout())?;
            Ok(exit_codes::DONE)
        }
        Some(Command::Man) => {
            completions::man(&mut io::stdout())?;
            Ok(exit_codes::DONE)
        }
        Some(Command::Bench(args)) => bench::run(args, cli.run.format, registry),
        Some(Command::Rogue(args)) => mock_engine::run(args, registry),
        Some(Command::Compare(args)) => compare::run(args, cli.run.format, registry),
        Some(Command::Plan(args)) => plan::run(args, cli.run.format, registry),
        Some(Command::Replay(args)) => replay::run(args, registry),
        Some(Command::Play(args)) => play::run(args, registry),
        Some(Command::Report(args)) => report::run(args, cli.run.format, registry),
        Some(Command::Merge(args)) => merge::run(args, cli.run.format, argv, registry),
        Some(Command::Grade(args)) => grade::run(args, cli.run.format, registry),
        Some(Command::CheckEngine(args)) => check_engine::run(args, cli.run.format, registry),
        Some(Command::Serve(args)) => serve::run(args, registry),
        Some(Command::Solve(args)) => solve::run(args, cli.run.format, registry),
        Some(Command::Watch(args)) => watch::run(args, registry),
        Some(Command::Sprt { run: args, test }) => {
            let sequential =
                Sequential { elo0: test.elo0, elo1: test.elo1, alpha: test.alpha, beta: test.beta };
            run::run(args, Some(sequential), argv, registry)
        }
        None if cli.run.config.is_some() => run::run(&cli.run, None, argv, registry),
        None if argv.len() > 1 => Err(Failure::Usage(
            "there is no config to play\nhelp: add `--config FILE`, or see `agon --help`"
                .to_owned(),
        )),
        None => {
            let help = Cli::command().render_help();
            let _ = write!(anstream::stderr(), "{}", help.ansi());
            Ok(exit_codes::USAGE)
        }
    }
}
