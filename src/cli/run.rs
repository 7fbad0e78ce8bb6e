//! The main job: an experiment from its config to its results folder.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::args::RunArgs;
use super::exit::{self, Failure};
use super::signals::Stop;
use crate::arena::{Begin, Folder, Manifest, Observer, Runner, Schedule, Silent, Status, Tally};
use crate::config::{self, Experiment, Overrides, Sequential};
use crate::report::{self, Bar, Context, Format, Heading, Lines, Summary};
use crate::stats::ratings::Reference;
use crate::world::{Openings, Registry, Setup};

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
        .field(setup(experiment))
        .map_err(|error| reading.setup_error(&error))?;
    let schedule = Schedule::new(experiment, field.openings());
    let jobs = args.jobs.map_or_else(num_cpus::get_physical, usize::from);
    if args.dry_run {
        return dry_run(args, experiment, &schedule, jobs);
    }

    let folder = Folder::new(args.out.clone().unwrap_or_else(|| default_folder(experiment)));
    folder.check_ours()?;
    if args.fresh {
        folder.clear()?;
    }
    folder.check(experiment, |text| {
        config::parse(text, "resolved.toml", &Overrides::default(), registry).ok()
    })?;
    let names: Vec<String> = experiment.agents.iter().map(|agent| agent.name.clone()).collect();
    let nothing = Tally::new(names, schedule.pairings()).testing(experiment.sprt);
    let begin = folder.begin(nothing, &schedule)?;
    let heading = heading(experiment);
    if begin.is_complete(&schedule) {
        if !args.quiet {
            eprintln(&format!(
                "{} is complete; nothing is played (`--fresh` plays it again)",
                folder.path().display()
            ));
        }
        let context = context(experiment, &schedule, field.openings(), &begin.tally);
        let summary = Summary::new(heading, &begin.tally, &context);
        if !TABLES.iter().all(|name| folder.file(name).exists()) {
            write_tables(&folder, &context, &begin.tally, &summary)?;
        }
        return finish(args, &summary, &begin.tally, None);
    }

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
        eprintln(&format!("{done} of {total} games are there already; going on"));
    }

    if args.verbose {
        let (games, openings) = (schedule.games(), field.openings());
        let place = folder.path().display();
        eprintln(&format!(
            "{games} games, {openings} openings, {jobs} threads, config {}, into {place}",
            manifest.config_hash
        ));
    }

    let stop = Stop::listen(args.quiet)?;
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
    let tally = result?;

    let complete = tally.rows == schedule.games() || tally.is_decided();
    let status = if complete { Status::Complete } else { Status::Interrupted };
    let context = context(experiment, &schedule, openings, &tally);
    let summary = Summary::new(heading, &tally, &context);
    write_tables(&folder, &context, &tally, &summary)?;
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
    finish(args, &summary, &tally, stop.code().filter(|_| !complete))
}

/// What the game needs to know of the experiment.
fn setup(experiment: &Experiment) -> Setup {
    Setup {
        agents: experiment.agents.iter().map(|agent| agent.spec.clone()).collect(),
        openings: experiment.openings.clone(),
        wanted: experiment.openings_wanted(),
        max_plies: experiment.max_plies,
        seed: experiment.seed,
    }
}

/// The files that are derived from `games.csv`.
const TABLES: [&str; 4] = ["agents.csv", "pairings.csv", "seats.csv", "summary.txt"];

/// Writes everything that is derived from `games.csv`.
fn write_tables(
    folder: &Folder,
    context: &Context,
    tally: &Tally,
    summary: &Summary,
) -> Result<(), Failure> {
    folder.replace("agents.csv", &report::agents_csv(tally, context))?;
    folder.replace("pairings.csv", &report::pairings_csv(tally, context))?;
    folder.replace("seats.csv", &report::seats_csv(tally, context))?;
    folder.replace("summary.txt", summary.render(Format::Text, false).as_bytes())?;
    Ok(())
}

/// Prints the summary; the exit code.
fn finish(
    args: &RunArgs,
    summary: &Summary,
    tally: &Tally,
    signal: Option<u8>,
) -> Result<u8, Failure> {
    let mut out = anstream::stdout();
    let text = summary.render(args.format, true);
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // Whoever reads only the first lines still gets the verdict as exit code.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        written => written?,
    }
    Ok(match signal {
        Some(code) => code,
        None if tally.faults() + tally.voids() > 0 => exit::FAULTS,
        None => exit::of_test(tally),
    })
}

/// Says what would be played.
fn dry_run(
    args: &RunArgs,
    experiment: &Experiment,
    schedule: &Schedule,
    jobs: usize,
) -> Result<u8, Failure> {
    let heading = heading(experiment);
    let mut out = anstream::stdout();
    writeln!(out, "{} · {} · {}", heading.name, heading.game, heading.openings)?;
    let (pairings, games) = (schedule.pairings().len(), schedule.games());
    writeln!(
        out,
        "{games} games: {pairings} pairings of {} games each",
        experiment.schedule.games
    )?;
    let per_pairing = (games / pairings.max(1) as u64) as usize;
    let mut table = report::Table::new("Pairings", ["#", "<agent", "<against", "games"]);
    for (i, pairing) in schedule.pairings().iter().enumerate() {
        let name = |agent: usize| experiment.agents[agent].name.clone();
        table.row([
            (i + 1).to_string(),
            name(pairing.a),
            if pairing.is_self() { "itself".to_owned() } else { name(pairing.b) },
            per_pairing.to_string(),
        ]);
    }
    write!(out, "\n{}", table.render(false, true))?;
    writeln!(
        out,
        "\n{jobs} threads; results would go to {}",
        args.out.clone().unwrap_or_else(|| default_folder(experiment)).display()
    )?;
    Ok(exit::DONE)
}

fn default_folder(experiment: &Experiment) -> PathBuf {
    Path::new("results").join(&experiment.name)
}

/// What the tables need to know besides counts.
fn context(experiment: &Experiment, schedule: &Schedule, openings: u64, tally: &Tally) -> Context {
    Context {
        kinds: experiment.agents.iter().map(|agent| agent.spec.kind.clone()).collect(),
        reference: match experiment.schedule.format {
            config::Format::Gauntlet => Reference::Player(0),
            _ => Reference::Mean,
        },
        complete: tally.rows == schedule.games() || tally.is_decided(),
        sequential: tally.sprt.is_some(),
        opening_set: match experiment.openings {
            Openings::Start | Openings::List(_) => Some(openings),
            Openings::Random { .. } => None,
        },
    }
}

/// The experiment in words.
pub(super) fn heading(experiment: &Experiment) -> Heading {
    Heading {
        name: experiment.name.clone(),
        question: experiment.question.clone(),
        game: experiment.game.in_words(),
        openings: experiment.openings.to_string(),
        seed: experiment.seed,
    }
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

/// A line for people on stderr; that nobody reads it must not stop anything.
fn eprintln(line: &str) {
    let _ = writeln!(anstream::stderr(), "{line}");
}
