//! `agon grade`, and grading at the end of a run: how good was each move?

use std::path::PathBuf;

use clap::Args;

use crate::arena::{
    Folder, FolderLock, GradingPass, GradingRecord, Sample, Schedule, Tally, count_grades,
};
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes::{self, Failure};
use crate::cli::options_of_several_commands::{Shown, Threads};
use crate::cli::print_run_results::{note, print};
use crate::cli::read_results_folder::{count, existing_run, played, restore};
use crate::cli::show_progress::Listener;
use crate::cli::signals::StopSignal;
use crate::cli::slurm_variables::jobs;
use crate::config::Experiment;
use crate::report::{ExportSource, PAGE, PGN, Results, RunFacts, TABLES, counted, export};

/// Grades each move of a results folder by exact values.
///
/// Supports games that are small or have a solver (see `agon solve`). Writes moves.csv with
/// the value before and after each move, adds columns to agents.csv, and prints the tables.
/// If there are more games than requested, a random sample is graded. The sample depends on
/// the experiment's seed and not on the number of threads. Existing grades are kept.
#[derive(Debug, Args)]
pub struct GradeArgs {
    /// The results folder.
    dir: PathBuf,
    /// Maximum number of games to grade, in whole pairs [default: `grading.games` of the config,
    /// or 1000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..))]
    games: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    /// Discard earlier grades.
    #[arg(long)]
    fresh: bool,
    #[command(flatten)]
    shown: Shown,
}

/// Grades the games of a folder and updates its tables.
pub fn run(args: &GradeArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let &CommandContext { format, registry, .. } = context;
    let stop = StopSignal::listen(args.shown.quiet)?;
    let folder = existing_run(&args.dir)?;
    restore(&folder, registry)?;
    let (experiment, mut schedule, openings) = played(&folder, registry)?;
    if let Err(error) = experiment.any_game.grader() {
        let help = match error.help.as_str() {
            "" => "`agon solve` and the agent `perfect` show which games have exact values",
            help => help,
        };
        return Err(Failure::usage(error.message, help));
    }
    let _lock = FolderLock::take(folder.path())?;
    let (mut tally, history) = count(&folder, &experiment, &mut schedule)?;
    let grading = Grading {
        folder: &folder,
        experiment: &experiment,
        schedule: &schedule,
        games: args.games.unwrap_or(experiment.grading.unwrap_or_default().games),
        fresh: args.fresh,
        jobs: jobs(args.threads.jobs),
        quiet: args.shown.quiet,
        stop: &stop,
    };
    let stopped = grading.run(&mut tally)?;
    let facts = RunFacts::of(folder.manifest().as_ref());
    let mut results = Results::of(&experiment, &schedule, openings, tally, facts);
    results.measure_luck_of(&folder, &experiment)?;
    let experiment = Some(&experiment);
    let source =
        ExportSource { results: &results, folder: &folder, experiment, history: Some(&history) };
    export(&source, TABLES)?;
    export(&source, &[PGN, PAGE])?;
    if !args.shown.quiet {
        print(&mut results, &folder, format, args.shown.verbose)?;
    }
    Ok(stopped.unwrap_or(exit_codes::DONE))
}

/// The games to grade, and the settings of grading.
pub(crate) struct Grading<'a> {
    pub folder: &'a Folder,
    pub experiment: &'a Experiment,
    pub schedule: &'a Schedule,
    pub games: u64,
    /// Discard earlier grades.
    pub fresh: bool,
    pub jobs: usize,
    pub quiet: bool,
    pub stop: &'a StopSignal,
}

impl Grading<'_> {
    /// Grades the games, adds the grades to the tally, and updates the manifest. Returns the exit code
    /// of a signal that stopped it early.
    pub fn run(&self, tally: &mut Tally) -> Result<Option<u8>, Failure> {
        let sample =
            Sample::new(self.schedule, self.units(tally), self.games, self.experiment.seed);
        let earlier = count_grades(self.folder, &tally.names)?.map_or(0, |grades| grades.games);
        if !self.quiet && (self.fresh || earlier < sample.games()) {
            let games = counted(sample.games(), "game");
            note(format!("grading {games} by exact values"));
        }
        let listener = Listener::new(self.quiet, sample.games(), false);
        let pass = GradingPass {
            folder: self.folder,
            any_game: &self.experiment.any_game,
            names: tally.names.clone(),
            schedule: self.schedule,
            sample: &sample,
            fresh: self.fresh,
            jobs: self.jobs,
            stop: self.stop.flag(),
            observer: &listener,
        };
        let graded = self.stop.finishing(None, || pass.run());
        listener.clear();
        let graded = graded?;
        if let Some(mut manifest) = self.folder.manifest() {
            let (games, asked) = (graded.games, self.games);
            let complete = graded.complete;
            manifest.grading =
                Some(GradingRecord { oracle: "perfect".to_owned(), asked, games, complete });
            self.folder.write_manifest(&manifest)?;
        }
        if !self.quiet && graded.complete && graded.new == 0 && graded.games > 0 {
            let games = counted(graded.games, "game");
            note(format!("{games} had their grades already (`--fresh` grades them again)"));
        }
        if !self.quiet && !graded.complete {
            let dir = self.folder.path().display();
            let (done, all) = (graded.games, counted(sample.games(), "game"));
            note(format!("stopped after grading {done} of {all}; `agon grade {dir}` continues"));
        }
        tally.grades = count_grades(self.folder, &tally.names)?;
        Ok(self.stop.code().filter(|_| !graded.complete))
    }

    /// The units to sample from: all of the schedule, or fewer if a sequential test has ended the
    /// run.
    fn units(&self, tally: &Tally) -> u64 {
        if tally.is_decided() { tally.rows.div_ceil(2) } else { self.schedule.units() }
    }
}
