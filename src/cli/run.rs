//! The main job: an experiment from its config to its results folder.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::RunArgs;
use super::dry_run;
use super::exit::{self, Failure};
use super::grade::Grading;
use super::listener::Listener;
use super::page;
use super::report;
use super::scheduler;
use super::shard::Sharding;
use super::signals::Stop;
use super::tables::{Results, TABLES, context, heading, write_pgn};
use crate::arena::{
    Begin, Demand, Folder, FolderLock, Keeper, Manifest, Opening, Outputs, Runner, Schedule,
    Status, Tally, available_memory, pin, probe,
};
use crate::config::{self, Experiment, NamedAgent, Overrides, Reading, Sequential};
use crate::report::counted;
use crate::world::{Field, Registry, Setup};

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
    let parent = Folder::new(args.out.clone().unwrap_or_else(|| default_folder(experiment)));
    let sharding = Sharding::of(args, &parent)?;
    let folder = match &sharding {
        None => parent,
        Some(sharding) => sharding.parent.shard_part(sharding.shard),
    };
    let stop = Stop::listen(args.quiet)?;
    let mut house = experiment.house();
    house.logs = Some(folder.path().to_owned());
    house.stop = Some(stop.shared());
    let field = (experiment.world.clone())
        .field(Setup { house: Arc::new(house), ..experiment.setup() })
        .map_err(|error| reading.setup_error(&error))?;
    // What is pinned must start where it is pinned.
    let keep = !args.pin && !args.dry_run;
    let ready = || field.ready(keep).map_err(|error| reading.setup_error(&error));
    let schedule = Schedule::new(experiment, field.openings());
    let jobs = scheduler::jobs(args.jobs);
    warn(experiment);
    if args.pin {
        pin::check(jobs).map_err(Failure::Usage)?;
    }
    let check_memory = || refuse_memory(&reading, &schedule, jobs);
    let same =
        |text: &str| config::parse(text, "resolved.toml", &Overrides::default(), registry).ok();
    let say = |line: &str| {
        if !args.quiet {
            eprintln(line);
        }
    };
    if let Some(sharding) = &sharding {
        say(&sharding.words(&schedule));
        if !args.dry_run
            && let Some(why) = sharding.settled(experiment, args.fresh, same)?
        {
            say(&why);
            sharding.judge(experiment, &schedule)?;
            return Ok(exit::DONE);
        }
    }
    folder.check_ours()?;
    if sharding.is_none()
        && let Some(hint) = scheduler::hint(&|name: &str| std::env::var(name).ok())
    {
        say(&format!("warning: {hint}"));
    }
    let new = args.fresh || folder.manifest().is_none();
    if new {
        check_memory()?;
        if !args.quiet && !args.dry_run {
            announce_memory(experiment, &schedule, jobs);
        }
        ready()?;
    }
    if new && !experiment.schedule.allow_duplicates {
        refuse_repetition(&reading, &field, &schedule, jobs, &stop)?;
    }
    if !args.fresh {
        folder.check(experiment, same)?;
    }
    if args.dry_run {
        return dry_run::run(args, experiment, &schedule, jobs);
    }
    let grade = |grading: &config::Grading, tally: &mut Tally| -> Result<Option<u8>, Failure> {
        let (folder, schedule, stop, quiet) = (&folder, &schedule, &stop, args.quiet);
        let (games, fresh) = (grading.games, false);
        let grading = Grading { folder, experiment, schedule, games, fresh, jobs, quiet, stop };
        let graded = grading.run(tally)?;
        Ok(stop.code().filter(|_| !graded.complete))
    };
    let names: Vec<String> = experiment.agents.iter().map(|agent| agent.name.clone()).collect();
    // A shard does not know what is before it, and judges nothing alone.
    let test = experiment.sprt.filter(|_| sharding.is_none());
    let nothing = Tally::new(names, schedule.pairings()).testing(test);
    let units = match &sharding {
        Some(sharding) => sharding.shard.units(&schedule),
        None => 0..schedule.units(),
    };
    let opening = Opening { units, moves: experiment.output.moves, fresh: args.fresh };
    let mut begin = folder.begin(nothing, &schedule, &opening)?;
    if let Some(mended) = &begin.mended {
        say(&format!("warning: {}: {mended}", folder.file("games.csv").display()));
    }
    if begin.is_complete() && sharding.is_none() {
        if !args.quiet {
            eprintln(&format!(
                "{} is complete; nothing is played (`--fresh` plays it again)",
                folder.path().display()
            ));
        }
        let earlier = begin.earlier.as_ref().and_then(|manifest| manifest.grading.as_ref());
        let graded = folder.has_moves().then_some(earlier).flatten();
        let page = experiment.output.report.then_some(&page::NAME);
        let mut stale = !TABLES.iter().chain(page).all(|name| folder.file(name).exists());
        let regrade = match &experiment.grading {
            Some(grading) => graded.is_none_or(|g| !g.complete || g.asked != grading.games),
            None => false,
        };
        let lock = match stale || regrade {
            true if begin.lock.is_none() => Some(FolderLock::take(folder.path())?),
            // A run that was killed at its very end has left its lock behind: it goes with this.
            _ => FolderLock::left_behind(folder.path()),
        };
        if lock.is_some() {
            folder.sweep();
        }
        let mut stopped = None;
        match &experiment.grading {
            Some(grading) if regrade => {
                folder.replace("config.toml", reading.text.as_bytes())?;
                folder.replace("resolved.toml", experiment.to_toml().as_bytes())?;
                stopped = grade(grading, &mut begin.tally)?;
                stale = true;
            }
            _ if graded.is_some() => begin.tally.grades = folder.grades(&begin.tally.names)?,
            _ => {}
        }
        let context = context(experiment, &schedule, field.openings(), &begin.tally);
        let results = Results { heading: heading(experiment), tally: begin.tally, context };
        if stale {
            results.write(&folder)?;
            write_pgn(&folder, experiment)?;
            write_page(&folder, &results, experiment, &schedule)?;
        }
        drop(lock);
        results.print(args.format, args.verbose)?;
        return Ok(stopped.unwrap_or_else(|| results.code()));
    }

    if !new {
        check_memory()?;
        ready()?;
    }
    let Begin { rest, tally, outputs, earlier, lock, .. } = begin;
    let lock = lock.map_or_else(|| FolderLock::take(folder.path()), Ok)?;
    let bearing = |agent: &NamedAgent| crate::agents::max_faults(&agent.spec);
    let tally = tally.bearing(experiment.agents.iter().map(bearing));
    folder.replace("config.toml", reading.text.as_bytes())?;
    folder.replace("resolved.toml", experiment.to_toml().as_bytes())?;
    let mut manifest = Manifest::begin(experiment, jobs, argv);
    manifest.shard = sharding.as_ref().map(|sharding| sharding.shard);
    let waiting = rest.finished.len() as u64;
    let resumes = tally.rows + waiting > 0;
    if let Some(earlier) = earlier.filter(|_| resumes) {
        manifest.started = earlier.started;
        manifest.peak_memory_bytes = earlier.peak_memory_bytes;
    }
    folder.write_manifest(&manifest)?;
    let games =
        schedule.games_before(opening.units.end) - schedule.games_before(opening.units.start);
    if resumes {
        let done = tally.rows + waiting;
        let are = if done == 1 { "is" } else { "are" };
        say(&format!("{done} of {games} games {are} there already; going on"));
    }

    if args.verbose {
        let openings = field.openings();
        let place = folder.path().display();
        eprintln(&format!(
            "{}, {}, {}, config {}, into {place}",
            counted(games, "game"),
            counted(openings, "opening"),
            counted(jobs as u64, "thread"),
            manifest.config_hash
        ));
    }

    let listener = Listener::new(args.quiet, games);
    let openings = field.openings();
    let observer = listener.observer();
    let results = |tally: Tally| {
        let context = context(experiment, &schedule, openings, &tally);
        Results { heading: heading(experiment), tally, context }
    };
    let goes_on = |rows: u64| {
        format!(
            "stopped after {rows} of {games} games; the same command goes on: {}",
            again(&manifest.argv)
        )
    };
    // What is finished stands in the files; only what runs is dropped.
    let give_up = |tally: Tally| {
        listener.clear();
        let rows = tally.rows;
        let mut manifest = manifest.clone();
        manifest.end(&tally, Status::Interrupted);
        let _ = folder.write_manifest(&manifest);
        if sharding.is_none() {
            let _ = results(tally).write(&folder);
        }
        say(&format!("games that ran longer than the grace period are dropped; {}", goes_on(rows)));
        std::process::exit(stop.code().unwrap_or(exit::FAILED).into());
    };
    let keeper = Keeper {
        sync: experiment.output.sync(),
        files: files(&folder, &outputs)?,
        verdict: (sharding.as_ref())
            .filter(|_| experiment.sprt.is_some())
            .map(|sharding| sharding.parent.stop_file()),
        grace: experiment.output.grace(),
        give_up: Some(&give_up),
    };
    let (stopping, pin) = (stop.flag(), args.pin);
    let runner = Runner { field, schedule: &schedule, jobs, stop: stopping, pin, observer, keeper };
    let result = runner.run(outputs, &rest, tally);
    listener.clear();
    if result.is_err() {
        // Where the disk is full, this is lost as well.
        let manifest = Manifest { status: Status::Interrupted, ..manifest.clone() };
        let _ = folder.write_manifest(&manifest);
    }
    let tally = result?;

    let complete = tally.rows == games || tally.is_decided();
    let status = if complete { Status::Complete } else { Status::Interrupted };
    let mut ended = manifest.clone();
    ended.end(&tally, status);
    if let Some(sharding) = &sharding {
        folder.write_manifest(&ended)?;
        if complete {
            sharding.parent.publish(&folder, sharding.shard)?;
            drop(lock);
            say(&format!("{} is complete", sharding.shard));
            if let Some(words) = sharding.judge(experiment, &schedule)? {
                say(&format!("{words}; `agon merge {}`", again_one(&sharding.parent)));
            } else if sharding.missing()?.is_empty() {
                say(&format!("all shards are there; `agon merge {}`", again_one(&sharding.parent)));
            }
            return Ok(exit::DONE);
        }
        if let Some(code) = stop.code() {
            say(&goes_on(tally.rows));
            return Ok(code);
        }
        let (_, words) = sharding.parent.stopped().unwrap_or_default();
        say(&format!("{words}; {} is not needed any more", sharding.shard));
        return Ok(exit::DONE);
    }
    let mut results = results(tally);
    results.write(&folder)?;
    write_pgn(&folder, experiment)?;
    folder.write_manifest(&ended)?;
    let mut stopped = stop.code().filter(|_| !complete);
    if let Some(grading) = experiment.grading.as_ref().filter(|_| complete) {
        stopped = grade(grading, &mut results.tally)?;
        results.write(&folder)?;
    }
    write_page(&folder, &results, experiment, &schedule)?;
    drop(lock);
    say(&match complete {
        true => format!("results are in {}", folder.path().display()),
        false if let Some(agent) = results.tally.gave_up => format!(
            "given up after {} of {games} games: `{}` lost {} in a row by faults (`max_faults`); \
             why is in {}, and the same command goes on",
            results.tally.rows,
            results.tally.names[agent],
            crate::agents::max_faults(&experiment.agents[agent].spec),
            folder.path().display(),
        ),
        false => goes_on(results.tally.rows),
    });
    results.print(args.format, args.verbose)?;
    Ok(stopped.unwrap_or_else(|| results.code()))
}

/// The files that are written game by game, opened once more.
fn files(folder: &Folder, outputs: &Outputs<File>) -> Result<Vec<(PathBuf, File)>, Failure> {
    let all = [("moves.csv", outputs.moves.as_ref()), ("games.csv", Some(&outputs.games))];
    let open = |(name, file): (&str, Option<&File>)| {
        let file = file?.try_clone();
        Some(file.map(|file| (folder.file(name), file)))
    };
    Ok(all.into_iter().filter_map(open).collect::<Result<_, _>>()?)
}

/// A command as it can be pasted into a shell.
pub(super) fn again(argv: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=,@%+".contains(c);
    let quoted = argv.iter().map(|word| match !word.is_empty() && word.chars().all(plain) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// A folder as it can be pasted into a shell.
fn again_one(folder: &Folder) -> String {
    again(&[folder.path().display().to_string()])
}

/// Writes the page from what now stands in the folder, so that `agon report` writes the same.
pub(super) fn write_page(
    folder: &Folder,
    results: &Results,
    experiment: &Experiment,
    schedule: &Schedule,
) -> Result<(), Failure> {
    if !experiment.output.report {
        return Ok(());
    }
    let (_, chronicle) = report::count(folder, experiment, schedule)?;
    page::write(folder, results, &chronicle, Some(experiment))
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
    let found = stop.while_idle(|| probe(field, schedule, jobs, stop.flag()));
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

/// What is probably not meant about the game.
pub(super) fn warn(experiment: &Experiment) {
    for warning in experiment.world.warnings() {
        eprintln(&format!("warning: {warning}"));
    }
}

/// So many bytes take the system seconds to hand out.
const MUCH: u64 = 2 << 30;

/// Says what the silence before the first game is for, where agents ask for much memory.
fn announce_memory(experiment: &Experiment, schedule: &Schedule, jobs: usize) {
    let demand = Demand::of(experiment.agents.iter().map(|agent| &agent.spec), schedule, jobs);
    if demand.total >= MUCH {
        let gigabytes = demand.total as f64 / f64::from(1 << 30);
        eprintln(&format!("taking {gigabytes:.1} GiB for tables and trees before the first game"));
    }
}

/// A line for people on stderr; that nobody reads it must not stop anything.
fn eprintln(line: &str) {
    let _ = writeln!(anstream::stderr(), "{line}");
}
