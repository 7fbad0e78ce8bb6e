//! The main job: an experiment from its config to its results folder.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::RunArgs;
use super::dry_run;
use super::exit::Failure;
use super::signals::Stop;
use super::tables::{Results, TABLES, context, heading};
use crate::arena::{
    Begin, Demand, Folder, Manifest, Observer, Runner, Schedule, Silent, Status, Tally,
    available_memory, probe,
};
use crate::config::{self, Experiment, Overrides, Reading, Sequential};
use crate::report::{Bar, Lines, counted};
use crate::world::{Field, Registry};

/// Plays an experiment and writes its results folder; the exit code. `sequential` asks for
/// a sequential test, whether the config has one or not.
pub fn run(
    args: &RunArgs,
    sequential: Option<Sequential>,
    argv: Vec<String>,
    registry: &Registry,
) -> Result<u8, Failure> {
    let path = args.config.as_deref().unwrap_or(Path::new(""));
    let overrides =
        Overrides { seed: args.seed, games: args.games, set: args.set.clone(), sequential };
    let reading = config::read(path, &overrides, registry)?;
    let experiment = &reading.experiment;
    let field = (experiment.world.clone())
        .field(experiment.setup())
        .map_err(|error| reading.setup_error(&error))?;
    let schedule = Schedule::new(experiment, field.openings());
    let jobs = args.jobs.map_or_else(num_cpus::get_physical, usize::from);
    warn(experiment);
    let check_memory = || refuse_memory(&reading, &schedule, jobs);
    let folder = Folder::new(args.out.clone().unwrap_or_else(|| default_folder(experiment)));
    folder.check_ours()?;
    let stop = Stop::listen(args.quiet)?;
    let new = args.fresh || folder.manifest().is_none();
    if new {
        check_memory()?;
    }
    if new && !experiment.schedule.allow_duplicates {
        refuse_repetition(&reading, &field, &schedule, jobs, &stop)?;
    }
    if !args.fresh {
        folder.check(experiment, |text| {
            config::parse(text, "resolved.toml", &Overrides::default(), registry).ok()
        })?;
    }
    if args.dry_run {
        return dry_run::run(args, experiment, &schedule, jobs);
    }
    if args.fresh {
        folder.clear()?;
    }
    let names: Vec<String> = experiment.agents.iter().map(|agent| agent.name.clone()).collect();
    let nothing = Tally::new(names, schedule.pairings()).testing(experiment.sprt);
    let begin = folder.begin(nothing, &schedule)?;
    if begin.is_complete(&schedule) {
        if !args.quiet {
            eprintln(&format!(
                "{} is complete; nothing is played (`--fresh` plays it again)",
                folder.path().display()
            ));
        }
        let context = context(experiment, &schedule, field.openings(), &begin.tally);
        let results = Results { heading: heading(experiment), tally: &begin.tally, context };
        if !TABLES.iter().all(|name| folder.file(name).exists()) {
            results.write(&folder)?;
        }
        results.print(args.format, args.verbose)?;
        return Ok(results.code());
    }

    check_memory()?;
    let Begin { unit, tally, games, earlier } = begin;
    folder.replace("config.toml", reading.text.as_bytes())?;
    folder.replace("resolved.toml", experiment.to_toml().as_bytes())?;
    let mut manifest = Manifest::begin(experiment, jobs, argv);
    if let Some(earlier) = earlier.filter(|_| unit > 0) {
        manifest.started = earlier.started;
        manifest.peak_memory_bytes = earlier.peak_memory_bytes;
    }
    folder.write_manifest(&manifest)?;
    if unit > 0 && !args.quiet {
        let (done, total) = (tally.rows, schedule.games());
        let are = if done == 1 { "is" } else { "are" };
        eprintln(&format!("{done} of {total} games {are} there already; going on"));
    }

    if args.verbose {
        let (games, openings) = (schedule.games(), field.openings());
        let place = folder.path().display();
        eprintln(&format!(
            "{}, {}, {}, config {}, into {place}",
            counted(games, "game"),
            counted(openings, "opening"),
            counted(jobs as u64, "thread"),
            manifest.config_hash
        ));
    }

    let observer = observer(args.quiet, schedule.games());
    let listener: &dyn Observer = match &observer {
        Listener::Bar(bar) => bar,
        Listener::Lines(lines) => lines,
        Listener::Silent(silent) => silent,
    };
    let openings = field.openings();
    let runner = Runner { field, schedule: &schedule, jobs, stop: stop.flag(), observer: listener };
    let result = runner.run(games, unit, tally);
    if let Listener::Bar(bar) = &observer {
        bar.clear();
    }
    if result.is_err() {
        // Where the disk is full, this is lost as well.
        manifest.status = Status::Interrupted;
        let _ = folder.write_manifest(&manifest);
    }
    let tally = result?;

    let complete = tally.rows == schedule.games() || tally.is_decided();
    let status = if complete { Status::Complete } else { Status::Interrupted };
    let context = context(experiment, &schedule, openings, &tally);
    let results = Results { heading: heading(experiment), tally: &tally, context };
    results.write(&folder)?;
    manifest.end(&tally, status);
    folder.write_manifest(&manifest)?;
    if !args.quiet {
        let folder = folder.path().display();
        eprintln(&match complete {
            true => format!("results are in {folder}"),
            false => format!(
                "stopped after {} of {} games; the same command goes on: {}",
                tally.rows,
                schedule.games(),
                manifest.argv.join(" ")
            ),
        });
    }
    results.print(args.format, args.verbose)?;
    Ok(stop.code().filter(|_| !complete).unwrap_or_else(|| results.code()))
}

/// Refuses a run that asks for more memory than the machine has, where that is known.
fn refuse_memory(reading: &Reading, schedule: &Schedule, jobs: usize) -> Result<(), Failure> {
    let specs = reading.experiment.agents.iter().map(|agent| &agent.spec);
    let Demand { total, largest, each, workers } = Demand::of(specs, schedule, jobs);
    match available_memory() {
        Some(available) if total > available => {
            let mb = |bytes: u64| bytes >> 20;
            let most = (largest, mb(each));
            Err(reading.memory_error(mb(total), mb(available), most, workers).into())
        }
        _ => Ok(()),
    }
}

/// Refuses games that are bound to repeat others.
fn refuse_repetition(
    reading: &Reading,
    field: &Arc<dyn Field>,
    schedule: &Schedule,
    jobs: usize,
    stop: &Stop,
) -> Result<(), Failure> {
    let found = probe(field, schedule, jobs, stop.flag());
    if found.is_empty() {
        return Ok(());
    }
    let name = |agent: usize| reading.experiment.agents[agent].name.as_str();
    let pairings: Vec<(String, u64)> = (found.iter())
        .map(|repeats| {
            let pairing = schedule.pairings()[repeats.pairing];
            let against = if pairing.is_self() { "itself" } else { name(pairing.b) };
            (format!("`{}` against `{against}`", name(pairing.a)), repeats.distinct)
        })
        .collect();
    Err(reading.repetition_error(&pairings, schedule.games_each()).into())
}

/// Where results go if nothing is said.
pub(super) fn default_folder(experiment: &Experiment) -> PathBuf {
    Path::new("results").join(&experiment.name)
}

enum Listener {
    Bar(Bar),
    Lines(Lines),
    Silent(Silent),
}

fn observer(quiet: bool, total: u64) -> Listener {
    if quiet {
        Listener::Silent(Silent)
    } else if io::stderr().is_terminal() {
        Listener::Bar(Bar::new(total))
    } else {
        Listener::Lines(Lines::new())
    }
}

/// What is probably not meant about the game.
pub(super) fn warn(experiment: &Experiment) {
    for warning in experiment.world.warnings() {
        eprintln(&format!("warning: {warning}"));
    }
}

/// A line for people on stderr; that nobody reads it must not stop anything.
fn eprintln(line: &str) {
    let _ = writeln!(anstream::stderr(), "{line}");
}
