//! `agon grade`: how good was each move?

use std::path::PathBuf;

use clap::Args;

use crate::arena::FolderLock;
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::grading::Grading;
use crate::cli::options_of_several_commands::{Shown, Threads};
use crate::cli::print_run_results::print;
use crate::cli::read_results_folder::{existing_run, played, restore};
use crate::cli::run_files::Files;
use crate::cli::signals::StopSignal;
use crate::cli::slurm_variables::jobs;

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
    let played = played(&folder, registry)?;
    played.experiment.any_game.check_has_moves()?;
    if let Err(error) = played.experiment.any_game.grader() {
        let help = match error.help.as_str() {
            "" => "`agon solve` and the agent `perfect` show which games have exact values",
            help => help,
        };
        return Err(Failure::usage(error.message, help));
    }
    let _lock = FolderLock::take(folder.path())?;
    let (mut results, history, played) = played.load(&folder)?;
    let experiment = &played.experiment;
    let grading = Grading {
        schedule: &played.schedule,
        games: args.games.unwrap_or(experiment.grading.unwrap_or_default().games),
        fresh: args.fresh,
        jobs: jobs(args.threads.jobs),
        quiet: args.shown.quiet,
        stop: &stop,
    };
    let files = Files {
        folder: &folder,
        experiment: Some(experiment),
        history: experiment.output.report.then_some(history),
        grading: Some(grading),
        manifest: None,
    };
    let stopped = files.write(&mut results)?;
    if !args.shown.quiet {
        print(&mut results, Some(&folder), format, args.shown.verbose)?;
    }
    Ok(stopped.unwrap_or(exit_codes::DONE))
}
