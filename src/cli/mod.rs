//! The command line: one file per command.

mod args;
mod bench;
mod compare;
mod dry_run;
mod exit;
mod grade;
mod list;
mod listener;
mod merge;
mod plan;
mod report;
mod run;
mod scheduler;
mod schema;
mod shard;
mod signals;
mod solve;
mod tables;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Cli, Command};
pub use exit::Failure;

use crate::config::Sequential;
use crate::report::Format;
use crate::world::Registry;

/// Runs the program on these arguments, the program's name first.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to stdout and are no error; a closed pipe is none either.
            let code = if error.use_stderr() { exit::USAGE } else { exit::DONE };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    cli.color.write_global();
    let registry = Registry::builtin();
    let argv = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    match command(&cli, argv, &registry) {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            let _ = failure.print(&mut anstream::stderr());
            ExitCode::from(failure.code())
        }
    }
}

fn command(cli: &Cli, argv: Vec<String>, registry: &Registry) -> Result<u8, Failure> {
    let gates = matches!(cli.command, Some(Command::Bench(_) | Command::Compare(_)));
    if cli.run.format == Format::Benchmark && !gates {
        let message = "`--format benchmark` is for `agon bench` and `agon compare`";
        return Err(Failure::Usage(format!("{message}\nremedy: text, json or markdown")));
    }
    match &cli.command {
        Some(Command::List { topic }) => {
            list::run(*topic, cli.run.format, registry, &mut anstream::stdout())?;
            Ok(exit::DONE)
        }
        Some(Command::Schema) => {
            schema::run(registry, &mut io::stdout())?;
            Ok(exit::DONE)
        }
        Some(Command::Bench(args)) => bench::run(args, cli.run.format, registry),
        Some(Command::Compare(args)) => compare::run(args, cli.run.format, registry),
        Some(Command::Plan(args)) => plan::run(args, cli.run.format, registry),
        Some(Command::Report(args)) => report::run(args, cli.run.format, registry),
        Some(Command::Merge(args)) => merge::run(args, cli.run.format, argv, registry),
        Some(Command::Grade(args)) => grade::run(args, cli.run.format, registry),
        Some(Command::Solve(args)) => solve::run(args, cli.run.format, registry),
        Some(Command::Sprt { run: args, test }) => {
            let sequential =
                Sequential { elo0: test.elo0, elo1: test.elo1, alpha: test.alpha, beta: test.beta };
            run::run(args, Some(sequential), argv, registry)
        }
        None if cli.run.config.is_some() => run::run(&cli.run, None, argv, registry),
        None => {
            let help = Cli::command().render_help();
            let _ = write!(anstream::stderr(), "{}", help.ansi());
            Ok(exit::USAGE)
        }
    }
}
