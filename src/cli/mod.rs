//! The command line: one file per command.

mod api;
mod arg_types;
mod args;
mod batch_system;
mod bench;
mod check_engine;
mod compare;
mod completions;
mod config_file;
mod dry_run;
mod example;
mod exit_codes;
mod grade;
mod init;
mod list;
mod match_agents;
mod merge;
mod mistakes;
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
mod start_args;
mod watch;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::FromArgMatches;

pub use api::{PlayError, RunResult, run};
use args::{Cli, Command};
pub use exit_codes::Failure;
use signals::StopSignal;

use crate::config::Sequential;
use crate::gather::Gather;
use crate::play::Registry;
use crate::report::TableFormat;

/// Runs the program with these arguments; the first one is the name of the program.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    main_with(args, &Registry::builtin())
}

/// Runs the program with custom games and agents, which every command supports.
pub fn main_with(args: impl IntoIterator<Item = OsString>, registry: &Registry) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().gather();
    if args.len() == 2 && args[1] == "--help" {
        // One screen; the long form would need three.
        let _ = write!(anstream::stdout(), "{}", args::definition().render_help().ansi());
        return ExitCode::from(exit_codes::DONE);
    }
    let parsed = args::definition().try_get_matches_from(&args);
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to stdout and are no error. A closed pipe is no error either.
            let code = if error.use_stderr() { exit_codes::USAGE } else { exit_codes::DONE };
            match mistakes::explained(&error, &args) {
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
        Some(Command::Run { source, run: args }) => run::run(source, args, None, argv, registry),
        Some(Command::Init(args)) => init::run(args),
        Some(Command::Example { what, run }) => example::run(what, run, argv, registry),
        Some(Command::Match { what, run }) => match_agents::run(what, run, argv, registry),
        Some(Command::Sprt { source, run: args, test }) => {
            let sequential =
                Sequential { elo0: test.elo0, elo1: test.elo1, alpha: test.alpha, beta: test.beta };
            run::run(source, args, Some(sequential), argv, registry)
        }
        None if cli.source.is_given() => run::run(&cli.source, &cli.run, None, argv, registry),
        None if argv.len() > 1 => Err(Failure::Usage(
            "there is no config to play\nhelp: `agon run FILE` plays a config, `agon match A B` two \
             agents; `agon --help` lists the commands"
                .to_owned(),
        )),
        None => {
            let help = args::definition().render_help();
            let _ = write!(anstream::stderr(), "{}", help.ansi());
            Ok(exit_codes::USAGE)
        }
    }
}
