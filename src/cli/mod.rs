//! The command line: one file per command.

mod argument_types;
mod batch_system_variables;
mod clap_definitions;
mod command_line_mistakes;
mod commands;
mod example_configs;
mod exit_codes;
mod line_reader;
mod options_of_several_commands;
mod print_run_results;
mod read_config_file;
mod run_from_library;
mod run_source_options;
mod show_progress;
mod signals;
mod warn_of_old_keys;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::FromArgMatches;

use clap_definitions::{Cli, Command};
pub use exit_codes::Failure;
pub use run_from_library::{PlayError, run};
use signals::StopSignal;

use crate::config::{Overrides, Sequential, schema_text};
use crate::play::Registry;
use crate::report::TableFormat;
use crate::util::collect_with_less_code::Gather;

/// Runs the program with these arguments; the first one is the name of the program.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    main_with(args, &Registry::builtin())
}

/// Runs the program with custom games and agents, which every command supports.
pub fn main_with(args: impl IntoIterator<Item = OsString>, registry: &Registry) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().gather();
    if args.len() == 2 && args[1] == "--help" {
        // One screen; the long form would need three.
        let _ =
            write!(anstream::stdout(), "{}", clap_definitions::definition().render_help().ansi());
        return ExitCode::from(exit_codes::DONE);
    }
    let parsed = clap_definitions::definition().try_get_matches_from(&args);
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to stdout and are no error. A closed pipe is no error either.
            let code = if error.use_stderr() { exit_codes::USAGE } else { exit_codes::DONE };
            match command_line_mistakes::explained(&error, &args) {
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
    use Command::{Run, Sprt, Table};
    let stacks = matches!(cli.command, None | Some(Table(_) | Run { .. } | Sprt { .. }));
    if cli.run.format == TableFormat::Csv && !stacks {
        let message = "only `agon table` and sweeps write `--format csv`";
        return Err(Failure::usage(message, "use text, json or markdown"));
    }
    // If these commands are killed, they lose their work, and the same command repeats it. In a
    // container, the first process receives only signals for which it has a handler.
    use Command::{Bench, Compare, Plan, Plot, Report, Solve};
    let loses = matches!(
        cli.command,
        Some(Bench(_) | Compare(_) | Plan(_) | Plot(_) | Report(_) | Solve(_))
    );
    let _stop = loses.then(|| StopSignal::listen(true)).transpose()?;
    match &cli.command {
        Some(Command::List { topic }) => {
            commands::list::run(topic.as_deref(), cli.run.format, registry)
        }
        Some(Command::Schema) => {
            io::stdout().write_all(schema_text(registry).as_bytes())?;
            Ok(exit_codes::DONE)
        }
        Some(Command::Completions { shell }) => {
            commands::completions::completions(*shell, &mut io::stdout())?;
            Ok(exit_codes::DONE)
        }
        Some(Command::Man) => {
            commands::completions::man(&mut io::stdout())?;
            Ok(exit_codes::DONE)
        }
        Some(Command::Bench(args)) => commands::bench::run(args, cli.run.format, registry),
        Some(Command::Rogue(args)) => commands::faulty_test_engine::run(args, registry),
        Some(Command::Compare(args)) => commands::compare::run(args, cli.run.format, registry),
        Some(Command::Plan(args)) => commands::plan::run(args, cli.run.format, registry),
        Some(Command::Table(args)) => commands::table::run(args, cli.run.format, registry),
        Some(Command::Plot(args)) => commands::plot::run(args, registry),
        Some(Command::Replay(args)) => commands::replay::run(args, registry),
        Some(Command::Play(args)) => commands::play::run(args, registry),
        Some(Command::Report(args)) => match &args.luck {
            Some(spec) => {
                commands::scores_without_luck::run(args, spec, cli.run.format, registry)
            }
            None => commands::report::run(args, cli.run.format, registry),
        },
        Some(Command::Merge(args)) => commands::merge::run(args, cli.run.format, argv, registry),
        Some(Command::Next(args)) => commands::next::run(args, argv, registry),
        Some(Command::Grade(args)) => commands::grade::run(args, cli.run.format, registry),
        Some(Command::CheckEngine(args)) => commands::check_engine::run(args, cli.run.format, registry),
        Some(Command::Serve(args)) => commands::serve::run(args, registry),
        Some(Command::Solve(args)) => commands::solve::run(args, cli.run.format, registry),
        Some(Command::Watch(args)) => commands::watch::run(args, registry),
        Some(Command::Run { source, run: args }) => commands::run_config_or_sweep::run(source, args, &args.changes.overrides(), argv, registry),
        Some(Command::Tune { source, run: args }) => {
            let overrides = Overrides { tune: true, ..args.changes.overrides() };
            commands::run_config_or_sweep::run(source, args, &overrides, argv, registry)
        },
        Some(Command::Init(args)) => commands::init::run(args),
        Some(Command::Example { what, run }) => commands::example::run(what, run, argv, registry),
        Some(Command::Match { what, run }) => commands::match_agents::run(what, run, argv, registry),
        Some(Command::Sprt { source, run: args, test }) => {
            let sequential =
                Sequential { elo0: test.elo0, elo1: test.elo1, alpha: test.alpha, beta: test.beta };
            let overrides = Overrides { sequential: Some(sequential), ..args.changes.overrides() };
            commands::run_config_or_sweep::run(source, args, &overrides, argv, registry)
        }
        None if cli.source.is_given() => commands::run_config_or_sweep::run(&cli.source, &cli.run, &cli.run.changes.overrides(), argv, registry),
        None if argv.len() > 1 => Err(Failure::Usage(
            "there is no config to play\nhelp: `agon run FILE` plays a config, `agon match A B` two \
             agents; `agon --help` lists the commands"
                .to_owned(),
        )),
        None => {
            let help = clap_definitions::definition().render_help();
            let _ = write!(anstream::stderr(), "{}", help.ansi());
            Ok(exit_codes::USAGE)
        }
    }
}
