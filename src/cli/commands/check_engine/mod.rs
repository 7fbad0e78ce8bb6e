//! `agon check-engine`: tests how an engine handles its protocol.

mod check_steps;
mod engine_under_test;
mod process_usage;
mod step_result;

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde_json::json;

use crate::agents::{EngineStart, default_sandbox, engine_start};
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::{
    print_text, terminal_width, warn_of_config, warn_without_sandbox,
};
use crate::cli::signals::StopSignal;
use crate::config::{self, Overrides};
use crate::engine::{
    self, Connection, EngineError, EngineProtocol, Launch, Setting, greet_in_groups,
    missing_sandbox,
};
use crate::params::Spec;
use crate::play::{AnyGame, Registry};
use crate::report::{TableFormat, TextTable, counted};
use engine_under_test::{EngineCommand, EngineProgram};
use step_result::{CheckStep, StepResult};

/// An engine with the results of its steps.
struct Examined {
    title: String,
    command: Vec<String>,
    game: String,
    steps: Vec<CheckStep>,
}
/// Tests whether an engine handles its protocol as tournaments require.
///
/// Tests the greeting, options, legal moves, limits on nodes, depth and time, repeated
/// searches, `stop`, and the shutdown. Prints pass, warn or fail for each step, and what a
/// failure means for games.
///
/// For example: agon check-engine ./engine --game connect4
///
/// Exit code 0:
/// no step fails; 7: a step fails.
#[derive(Debug, Args)]
pub struct CheckEngineArgs {
    /// Check every engine of this config, with its game, options and protocol.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["game", "protocol", "options", "dir", "command"]
    )]
    config: Option<PathBuf>,
    /// With `--config`: show the steps of engines that pass, too.
    #[arg(short, long)]
    verbose: bool,
    /// The game, such as `connect4` or `mnk:m=15,n=15,k=5`.
    #[arg(long, value_name = "SPEC", default_value = "chess")]
    game: String,
    /// The engine's protocol [default: uci for chess, ugi for other games].
    #[arg(long, value_parser = protocol(), value_name = "PROTOCOL")]
    protocol: Option<EngineProtocol>,
    /// An option of the engine, such as `Hash=16`. Repeatable.
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// The folder in which the engine runs [default: the current folder].
    #[arg(long, value_name = "DIR")]
    dir: Option<String>,
    /// Show whether this machine can make a sandbox, and run the command in it.
    #[arg(long)]
    sandbox: bool,
    /// The command that starts the engine, such as ./engine or "python3 bot.py". Its own options
    /// go in quotes or after `--`.
    #[arg(required_unless_present_any = ["config", "sandbox"], value_name = "COMMAND")]
    command: Vec<String>,
}

/// The parser of `--protocol`.
fn protocol() -> impl TypedValueParser<Value = EngineProtocol> {
    let help: [&str; EngineProtocol::WORDS.len()] = [
        "The Universal Chess Interface",
        "The Universal Game Interface",
        "The protocol of Gomocup (Piskvork)",
        "The Go Text Protocol",
    ];
    let value = |(&word, help)| PossibleValue::new(word).help(help);
    PossibleValuesParser::new(EngineProtocol::WORDS.iter().zip(help).map(value))
        .map(|word| EngineProtocol::from_word(&word).expect("one of the words"))
}

/// Checks the engine, or all engines of a config, and prints a table of each.
pub fn run(args: &CheckEngineArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let &CommandContext { format, registry, .. } = context;
    // A signal ends the engines with all their processes.
    let _stop = StopSignal::listen(true)?;
    let mut examined = match &args.config {
        Some(path) => examine_config(path, registry)?,
        None if args.command.is_empty() => Vec::new(),
        // A program that is to run in a sandbox does not run without it.
        None if args.sandbox && missing_sandbox().is_some() => Vec::new(),
        None => vec![examine(args, registry)?],
    };
    if args.sandbox {
        examined.insert(0, examine_machine());
    }
    let text = match format {
        TableFormat::Json => as_json(args, &examined),
        _ => {
            let is_short = |one: &Examined| {
                let is_good = worst(&one.steps) != StepResult::Fail;
                is_good && args.config.is_some() && !args.verbose && format == TableFormat::Text
            };
            let text = |one: &Examined| {
                if is_short(one) { in_one_line(one) } else { as_text(one, format) }
            };
            let tables: Vec<String> = examined.iter().map(text).collect();
            let last = if examined.len() > 1 { failures(&examined) } else { String::new() };
            tables.concat() + &last + &meanings(&examined)
        }
    };
    print_text(&text)?;
    let worst = examined.iter().map(|one| worst(&one.steps)).max();
    Ok(if worst == Some(StepResult::Fail) { exit_codes::ENGINE_FAILS } else { exit_codes::DONE })
}

/// What the sandbox of this machine protects from a program.
const PROTECTIONS: [(&str, &str); 6] = [
    ("network", "none, not even this machine's (network namespace, seccomp)"),
    ("files", "those of the system and its own, read-only; an empty folder (mount namespace)"),
    ("processes of others", "neither visible nor in reach of signals (process namespace)"),
    ("number of processes", "limited (rlimit)"),
    ("memory, processor time", "limited for all its processes together (checked every 100 ms)"),
    ("system calls", "none that leave the sandbox (seccomp)"),
];

/// The protections that this machine has.
fn examine_machine() -> Examined {
    let missing = missing_sandbox();
    let step = |(name, detail)| match missing {
        None => CheckStep::new(name, StepResult::Pass, detail),
        Some(why) => CheckStep::new(name, StepResult::Fail, why),
    };
    Examined {
        title: "sandbox".to_owned(),
        command: Vec::new(),
        game: String::new(),
        steps: PROTECTIONS.into_iter().map(step).collect(),
    }
}

/// The engine of the command line.
fn examine(args: &CheckEngineArgs, registry: &Registry) -> Result<Examined, Failure> {
    if let [file] = &args.command[..]
        && file.ends_with(".toml")
    {
        return Err(Failure::usage(
            format!("`{file}` is a config and not an engine"),
            format!("`agon check-engine --config {file}` checks the engines of a config"),
        ));
    }
    let (game, any_game) = config::parse_game_spec(&args.game, "--game", registry)?;
    let wrong = |error: EngineError| Failure::usage(error.detail, error.help);
    let dir = args.dir.as_deref();
    // The command as one word in quotes, as `agon match` takes it.
    let (command, mut launch) = match &args.command[..] {
        [line] => {
            let launch = Launch::find_line(line, dir, &BTreeMap::new()).map_err(wrong)?;
            (engine::command_words(line, dir).unwrap_or_default(), launch)
        }
        all => (all.to_vec(), Launch::find(all, dir, &BTreeMap::new()).map_err(wrong)?),
    };
    if args.sandbox {
        launch.sandbox = Some(default_sandbox(&launch));
    }
    let options = args.options.iter().map(|option| setting(option)).collect::<Result<_, _>>()?;
    let protocol = args.protocol.unwrap_or(match game.kind.as_str() {
        "chess" => EngineProtocol::Uci,
        _ => EngineProtocol::Ugi,
    });
    let limits = (Duration::from_millis(100), Vec::new());
    let engine_context = Arc::new(config::engine_context_of(&game, &any_game));
    let program = EngineProgram { launch, protocol, options, engine_context };
    let steps = walk(&any_game, program, limits)?;
    Ok(Examined { title: command.join(" "), command, game: args.game.clone(), steps })
}

/// All engines of a config.
fn examine_config(path: &Path, registry: &Registry) -> Result<Vec<Examined>, Failure> {
    let reading = config::read(path, &Overrides::default(), registry)?;
    warn_of_config(&reading.warnings);
    let experiment = reading.experiment;
    warn_without_sandbox(&experiment);
    let engine_context =
        Arc::new(config::engine_context_of(&experiment.game, &experiment.any_game));
    let starts: Vec<(String, EngineStart)> = (experiment.agents.iter())
        .filter_map(|agent| Some((agent.name.clone(), engine_start(&agent.spec)?)))
        .collect();
    let mut programs = Vec::new();
    for (_, start) in &starts {
        let EngineStart { launch, protocol, options, .. } = start;
        programs.push(launch.clone().map(|launch| EngineProgram {
            launch,
            protocol: *protocol,
            options: options.clone(),
            engine_context: Arc::clone(&engine_context),
        }));
    }
    let mut refusals = greet_together(&programs);
    let mut all = Vec::new();
    for (index, ((title, start), program)) in starts.into_iter().zip(programs).enumerate() {
        let EngineStart { command, movetime, limits, .. } = start;
        let limits = (Duration::from_millis(movetime.unwrap_or(100)), limits);
        let steps = match (program, refusals.remove(&index)) {
            (Err(error), _) => vec![CheckStep::failed("start", &error)],
            (_, Some(error)) => vec![CheckStep::failed("greeting", &error)],
            (Ok(program), None) => walk(&experiment.any_game, program, limits)?,
        };
        let game = experiment.game.kind.clone();
        all.push(Examined { title, command, game, steps });
    }
    if all.is_empty() {
        let message = format!("{} has no agents of kind `engine`", path.display());
        let help = "`agon check-engine COMMAND --game SPEC` checks a program";
        return Err(Failure::usage(message, help));
    }
    Ok(all)
}

/// Greets all programs, so that those that do not answer are waited for together. Returns why
/// programs failed. Their steps follow one after the other, because they measure times.
fn greet_together(programs: &[Result<EngineProgram, EngineError>]) -> BTreeMap<usize, EngineError> {
    let failed = Mutex::new(BTreeMap::new());
    let fail = |index: usize, error: EngineError| {
        failed.lock().unwrap_or_else(PoisonError::into_inner).insert(index, error);
    };
    let start = |index: usize| {
        let program = programs[index].as_ref().ok()?;
        // A program that cannot start says so at its first step.
        Some((program, Connection::spawn(&program.launch).ok()?))
    };
    // Without a thread, a program is greeted at its first step.
    greet_in_groups(programs.len(), start, |index, (program, link)| match program.greet(link) {
        Ok(engine) => engine.link.quit(program.protocol.quit_line()),
        Err(error) => fail(index, error),
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Runs all steps with one engine.
fn walk(
    any_game: &AnyGame,
    program: EngineProgram,
    (movetime, limits): (Duration, Vec<&'static str>),
) -> Result<Vec<CheckStep>, Failure> {
    let player = Spec { kind: "random".to_owned(), ..Spec::default() };
    let rules = any_game.session(&player).map_err(|error| Failure::usage(error, ""))?;
    let start = any_game.transcribe("", "").and_then(Result::ok).and_then(|written| written.start);
    let mut candidate = EngineCommand { program, start, rules, by_depth: false, movetime, limits };
    Ok(check_steps::all(&mut candidate))
}

/// `NAME=VALUE`.
fn setting(text: &str) -> Result<Setting, Failure> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.to_owned()))
        }
        _ => Err(Failure::usage(
            format!("`--option {text}` has no name or no value"),
            "write `--option NAME=VALUE`",
        )),
    }
}

fn worst(steps: &[CheckStep]) -> StepResult {
    steps.iter().map(|step| step.verdict).max().unwrap_or(StepResult::None)
}

/// An engine whose steps all pass, perhaps with warnings.
fn in_one_line(one: &Examined) -> String {
    let warnings = one.steps.iter().filter(|step| step.verdict == StepResult::Warn).count();
    match warnings {
        0 => format!("{}: ok\n", one.title),
        count => format!("{}: ok, {}\n", one.title, counted(count as u64, "warning")),
    }
}

/// The table, followed by the ends of standard errors, which do not fit into a row.
fn as_text(one: &Examined, format: TableFormat) -> String {
    let mut table = TextTable::new(&one.title).text(["step", "verdict", "details"]);
    let mut below: Vec<&str> = Vec::new();
    for CheckStep { name, verdict, detail } in &one.steps {
        let (line, more) = detail.split_once('\n').unwrap_or((detail, ""));
        table.row([(*name).to_owned(), verdict.word().to_owned(), line.to_owned()]);
        if !more.is_empty() && !below.contains(&more) {
            below.push(more);
        }
    }
    let markdown = format == TableFormat::Markdown;
    let mut text = table.render(markdown, !markdown, terminal_width());
    for more in below {
        text.push_str(&format!("\n{more}\n"));
    }
    text
}

/// The line after the tables of several engines: which ones fail, each with its first failed step.
fn failures(examined: &[Examined]) -> String {
    let failed: Vec<String> = (examined.iter())
        .filter_map(|one| {
            let step = one.steps.iter().find(|step| step.verdict == StepResult::Fail)?;
            Some(format!("{} ({})", one.title, step.name))
        })
        .collect();
    let all = examined.len();
    match failed.len() {
        0 => format!("\nall {all} engines pass\n"),
        count => format!("\n{count} of {all} engines failed: {}\n", failed.join(", ")),
    }
}

/// What the failures mean for games, one line for each step.
fn meanings(examined: &[Examined]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for step in examined.iter().flat_map(|one| &one.steps) {
        let line = step.meaning().map(|meaning| format!("{}: {meaning}\n", step.name));
        lines.extend(line.filter(|line| !lines.contains(line)));
    }
    let lead = if lines.is_empty() || examined.len() > 1 { "" } else { "\n" };
    format!("{lead}{}", lines.concat())
}

/// One document, or a list of them for a config.
fn as_json(args: &CheckEngineArgs, examined: &[Examined]) -> String {
    let document = |one: &Examined| {
        let steps: Vec<_> = (one.steps.iter())
            .map(|step| {
                let CheckStep { name, verdict, detail } = step;
                let verdict = (*verdict != StepResult::None).then(|| verdict.word());
                json!({ "step": name, "verdict": verdict, "detail": detail, "means": step.meaning() })
            })
            .collect();
        json!({ "name": one.title, "command": one.command, "game": one.game, "steps": steps })
    };
    match (&args.config, examined) {
        (None, [one]) => format!("{:#}\n", document(one)),
        _ => format!("{:#}\n", json!(examined.iter().map(document).collect::<Vec<_>>())),
    }
}
