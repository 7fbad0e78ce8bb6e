//! The main command: runs an experiment from its config and writes its results folder.

mod already_complete;
mod dry_run;
mod match_of_tuned_agent;
mod play_and_report;
mod preconditions;
mod sharding;

pub(super) use sharding::no_wave;
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::run::sharding::Sharding;
use crate::arena::{
    Begin, Folder, Manifest, OpenedRun, Programs, REPLAYS, RunHistory, Schedule, Tally,
    cpu_pinning, has_rounds, identify, resume,
};
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::grading::Grading;
use crate::cli::options_of_several_commands::RunArgs;
use crate::cli::print_run_results::{default_folder, note, warn, warn_of_config};
use crate::cli::read_results_folder::{count, restore};
use crate::cli::signals::StopSignal;
use crate::cli::slurm_variables;
use crate::config::{self, Experiment, LoadedConfig};
use crate::engine::{EngineContext, KeptTranscripts, Lateness};
use crate::play::{Lineup, Registry, Setup};
use crate::report::{Results, RunFacts, TableFormat};

/// Plays an experiment and writes its results folder. Returns the exit code.
pub fn run_config(
    loaded: &LoadedConfig,
    args: &RunArgs,
    context: &CommandContext<'_>,
) -> Result<u8, Failure> {
    if args.format == TableFormat::Csv {
        let help = "use text, json or markdown; the folder of the run has its tables as CSV";
        return Err(Failure::usage("only `agon table` and sweeps write `--format csv`", help));
    }
    let folder = args.out.clone().unwrap_or_else(|| default_folder(&loaded.experiment));
    refuse_file(&folder)?;
    let place = Place { folder, stop: StopSignal::listen(args.quiet)?, in_sweep: false };
    play_in(place, loaded, args, context.argv, context.registry)
}

/// Refuses a file in the place of a results folder.
pub(super) fn refuse_file(folder: &Path) -> Result<(), Failure> {
    match folder.is_file() {
        true => Err(Failure::usage(
            format!("{} is a file and not a results folder", folder.display()),
            "name a folder, as in `--out DIR`",
        )),
        false => Ok(()),
    }
}

/// Where a run is played.
pub(super) struct Place {
    pub folder: PathBuf,
    pub stop: StopSignal,
    /// The run belongs to a sweep, which prints one table for all its runs.
    pub in_sweep: bool,
}

/// The number of games and the folder of a run that could be played. Writes no files.
pub(super) fn dry_run_in(
    place: Place,
    loaded: &LoadedConfig,
    args: &RunArgs,
    registry: &Registry,
) -> Result<(u64, PathBuf), Failure> {
    let loaded = &continuing(&place.folder, loaded, args, registry)?;
    let job = Job::new(place, args, loaded, registry)?;
    job.check_before_run(registry)?;
    Ok((job.schedule.games(), job.folder.path().to_owned()))
}

/// Plays an experiment at this place.
pub(super) fn play_in(
    place: Place,
    loaded: &LoadedConfig,
    args: &RunArgs,
    argv: &[String],
    registry: &Registry,
) -> Result<u8, Failure> {
    let loaded = &continuing(&place.folder, loaded, args, registry)?;
    let place_of_test = Place { folder: place.folder.clone(), stop: place.stop.clone(), ..place };
    let mut job = Job::new(place, args, loaded, registry)?;
    if job.is_done(registry)? {
        return Ok(exit_codes::DONE);
    }
    job.check_before_run(registry)?;
    if args.dry_run {
        return dry_run::run(args, job.experiment, &job.schedule, job.jobs);
    }
    let begin = job.begin(argv)?;
    let code = match begin.is_complete() && job.sharding.is_none() {
        true => job.show(begin)?,
        false => job.play(begin, argv)?,
    };
    let Job { experiment, schedule, sharding: None, .. } = job else { return Ok(code) };
    if place_of_test.stop.code().is_some() {
        return Ok(code);
    }
    let folder = &place_of_test.folder;
    match match_of_tuned_agent::prepare(folder, experiment, &schedule, code, args, registry)? {
        ControlFlow::Break(code) => Ok(code),
        ControlFlow::Continue((folder, test)) => {
            play_in(Place { folder, ..place_of_test }, &test, args, argv, registry)
        }
    }
}

/// The config as an extension of the run in the folder, if there is one.
fn continuing<'a>(
    folder: &Path,
    loaded: &'a LoadedConfig,
    args: &RunArgs,
    registry: &Registry,
) -> Result<Cow<'a, LoadedConfig>, Failure> {
    let folder = Folder::new(folder);
    folder.check_files()?;
    let there = folder.experiment(registry);
    Ok(match there.filter(|_| !args.fresh && args.shard.is_none()) {
        Some(there) => Cow::Owned(loaded.continuing(&there)),
        None => Cow::Borrowed(loaded),
    })
}

/// The work to do, with its settings.
struct Job<'a> {
    args: &'a RunArgs,
    loaded: &'a LoadedConfig,
    experiment: &'a Experiment,
    /// The shard that this process plays; `None`: the whole run.
    sharding: Option<Sharding>,
    /// The results folder, of the shard if there is one.
    folder: Folder,
    /// Ignore the results of an earlier run.
    new: bool,
    prints: bool,
    stop: StopSignal,
    lineup: Arc<Lineup>,
    engine_context: Arc<EngineContext>,
    /// The external programs of the agents.
    programs: Programs,
    schedule: Schedule,
    jobs: usize,
}

/// The context of engines that write their logs to this folder.
fn engine_context(experiment: &Experiment, folder: &Folder, fresh: bool) -> Arc<EngineContext> {
    let mut context = experiment.engine_context();
    context.logs = Some(folder.path().to_owned());
    if context.kept_transcripts != KeptTranscripts::None {
        context.transcripts = Some(folder.transcripts());
    }
    if !fresh {
        context.add_logs(folder.all_logs().count() as u64);
    }
    Arc::new(context)
}

impl<'a> Job<'a> {
    /// Determines the work to do. Writes no files.
    fn new(
        place: Place,
        args: &'a RunArgs,
        loaded: &'a LoadedConfig,
        registry: &Registry,
    ) -> Result<Self, Failure> {
        let experiment = &loaded.experiment;
        let Place { folder, stop, in_sweep } = place;
        let parent = Folder::new(folder);
        let mut sharding = Sharding::of(args, &parent, has_rounds(experiment))?;
        let folder = match &sharding {
            None => parent.clone(),
            Some(sharding) => sharding.parent.part(sharding.shard),
        };
        let engine_context = engine_context(experiment, &folder, args.fresh);
        // Shards do not know each other's costs, so each gets an equal part of the limit.
        let shards = sharding.as_ref().map_or(1, |sharding| sharding.shard.count);
        let max_cost = experiment.limits.max_cost.map(|cost| cost / shards as f64);
        let engines = Arc::clone(&engine_context);
        let setup = Setup { engine_context: engines, max_cost, ..experiment.setup() };
        let lineup = experiment.any_game.lineup(setup);
        let lineup = lineup.map_err(|error| loaded.setup_error(&error))?;
        let mut schedule = Schedule::new(experiment, lineup.openings());
        if let Some(sharding) = &mut sharding
            && sharding.wave.is_some()
        {
            parent.check(experiment, registry)?;
            restore(&parent, registry)?;
            let (tally, _) = count(&parent, experiment, &mut schedule)?;
            sharding.begin_wave(&parent, &schedule, &tally)?;
            schedule = schedule.without_more_rounds();
        }
        let jobs = slurm_variables::jobs(args.threads.jobs);
        warn_of_config(&loaded.warnings);
        warn(&experiment.any_game);
        if args.pin {
            cpu_pinning::check(jobs).map_err(|why| Failure::usage(why, ""))?;
        }
        if !args.fresh && !args.dry_run {
            restore(&folder, registry)?;
            let whole = sharding.as_ref().map(|sharding| sharding.parent.whole(sharding.shard));
            whole.map_or(Ok(()), |whole| restore(&whole, registry))?;
        }
        let new = args.fresh || folder.manifest().is_none();
        Ok(Job {
            args,
            loaded,
            experiment,
            sharding,
            folder,
            new,
            prints: !in_sweep,
            stop,
            lineup,
            engine_context,
            programs: identify(experiment),
            schedule,
            jobs,
        })
    }

    /// Whether this shard needs no more work. If so, prints the reason.
    fn is_done(&self, registry: &Registry) -> Result<bool, Failure> {
        let Some(sharding) = &self.sharding else { return Ok(false) };
        self.say(&sharding.describe(&self.schedule));
        if self.args.dry_run {
            return Ok(false);
        }
        let (programs, fresh) = (&self.programs, self.args.fresh);
        let Some(why) = sharding.reason_to_skip(self.experiment, programs, fresh, registry)? else {
            return Ok(false);
        };
        self.say(&why);
        sharding.evaluate_test(self.experiment, &self.schedule)?;
        Ok(true)
    }

    /// Reads the folder, and opens it for the remaining games. The schedule gets all rounds that
    /// follow from the games there.
    fn begin(&mut self, argv: &[String]) -> Result<Begin, Failure> {
        // A shard does not know the games before it, so it does not decide a test alone.
        let test = self.experiment.kind.sequential_test().filter(|_| self.sharding.is_none());
        let nothing = self.schedule.empty_tally(self.experiment).testing(test);
        let units = match &self.sharding {
            Some(sharding) => sharding.shard.units(&self.schedule),
            None => 0..self.schedule.units(),
        };
        let opening = OpenedRun {
            units,
            moves: self.experiment.output.moves,
            fresh: self.args.fresh,
            manifest: self.manifest(argv),
        };
        let begin = resume(&self.folder, nothing, &mut self.schedule, &opening)?;
        if let Some(repaired) = &begin.repaired {
            // Damage is reported even with `--quiet`.
            note(format!("warning: {}: {repaired}", self.folder.path().display()));
        }
        Ok(begin)
    }

    /// The manifest of a run that begins now.
    fn manifest(&self, argv: &[String]) -> Manifest {
        let mut manifest = Manifest::begin(self.experiment, self.jobs, argv);
        manifest.shard = self.sharding.as_ref().map(|sharding| sharding.shard);
        manifest.wave = self.sharding.as_ref().and_then(|sharding| Some(sharding.wave?.wave));
        manifest.programs = self.programs.clone();
        manifest
    }

    /// The settings of grading.
    fn grading(&self, grading: config::Grading) -> Grading<'_> {
        Grading {
            schedule: &self.schedule,
            games: grading.games,
            fresh: false,
            jobs: self.jobs,
            quiet: self.args.quiet,
            stop: &self.stop,
        }
    }

    /// The counts with all other facts about the run, and its luckiest games.
    fn measured_results(&self, tally: Tally) -> Result<Results, Failure> {
        let mut results = self.results(tally);
        results.measure_luck_of(&self.folder, self.experiment)?;
        Ok(results)
    }

    /// The counts with all other facts about the run.
    fn results(&self, tally: Tally) -> Results {
        let facts = RunFacts {
            delay: self.engine_context.worst_delay(),
            final_scores: self.engine_context.final_scores(),
            unavailable: self.engine_context.unavailable(),
            ..RunFacts::of(self.folder.manifest().as_ref())
        };
        Results::of(self.experiment, &self.schedule, self.lineup.openings(), tally, facts)
    }

    /// Writes the config as given, and with all defaults filled in.
    fn write_config(&self) -> Result<(), Failure> {
        let resolved = self.experiment.to_toml();
        // A run of a sweep has a config of its own; the sweep's is in the folder above.
        let given = match self.loaded.sweep {
            Some(_) => resolved.clone(),
            None => self.loaded.text_for_results(),
        };
        self.folder.replace("config.toml", given.as_bytes())?;
        self.folder.replace("resolved.toml", resolved.as_bytes())?;
        Ok(())
    }

    /// The history of the run for its page, read from its games.
    fn read_history(&self) -> Result<Option<RunHistory>, Failure> {
        if !self.experiment.output.report {
            return Ok(None);
        }
        let (_, history) = count(&self.folder, self.experiment, &mut self.schedule.clone())?;
        Ok(Some(history))
    }

    /// Warns if the machine was too busy for the time limits of engines.
    fn warn_of_delay(&self) {
        let Some(worst) = self.engine_context.worst_delay() else { return };
        let replayed = match Lateness::of(worst.delay, worst.margin) {
            Lateness::TooLate => {
                format!("; such games are void and are played again, at most {REPLAYS} times each")
            }
            _ => String::new(),
        };
        self.say(&format!(
            "warning: {worst}{replayed}\n\
             help: use fewer threads (`-j`), stop other programs, or raise `time_margin`"
        ));
    }

    /// Names the attributes of a referee's results that are no columns, and the columns that no
    /// result has. A config with `attributes = []` wants no columns.
    fn note_attributes(&self) {
        let found = self.engine_context.attributes();
        let columns = &self.experiment.any_game.attributes();
        let is_unwanted = self.experiment.game.values.get("attributes").is_some();
        if found.is_empty() || (columns.is_empty() && is_unwanted) {
            return;
        }
        let list = |names: Vec<&String>| {
            const SHOWN: usize = 8;
            let shown: Vec<String> =
                names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
            match names.len().saturating_sub(SHOWN) {
                0 => shown.join(", "),
                more => format!("{} and {more} more", shown.join(", ")),
            }
        };
        let missing: Vec<_> = columns.iter().filter(|name| !found.contains(name)).collect();
        if !missing.is_empty() {
            self.say(&format!(
                "warning: columns of games.csv that no result of the referee fills: {}",
                list(missing)
            ));
        }
        // Ranks, scores and errors make the result.
        let is_result =
            |name: &str| ["ranks", "scores", "errors"].iter().any(|key| name.starts_with(key));
        let is_unused = |name: &&String| !columns.contains(name) && !is_result(name);
        let unused: Vec<_> = found.iter().filter(is_unused).collect();
        if !unused.is_empty() {
            self.say(&format!(
                "note: attributes of the results that are no columns of games.csv: {}\n\
                 help: name them in `attributes` of `[game]`; `attributes = []` keeps none",
                list(unused)
            ));
        }
    }

    /// Continues with what an earlier process recorded of the engines.
    fn remember(&self, earlier: &Manifest) {
        let Manifest { delay, final_scores, unavailable, .. } = earlier.clone();
        self.engine_context.add_unavailable(unavailable);
        delay.into_iter().for_each(|delay| self.engine_context.record_delay(delay));
        final_scores.into_iter().for_each(|scores| self.engine_context.record_final_scores(scores));
    }

    /// Prints a line, unless `--quiet` is set.
    fn say(&self, line: &str) {
        if !self.args.quiet {
            note(line);
        }
    }
}
