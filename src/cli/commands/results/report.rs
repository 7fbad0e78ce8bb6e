//! `agon report`: builds the tables of a results folder again from its `games.csv`.

use std::path::PathBuf;

use clap::Args;

use super::scores_without_luck;
use super::table;
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::options_of_several_commands::Shown;
use crate::cli::print_run_results::print;
use crate::cli::read_results_folder::{existing, existing_run, is_sweep, loaded, restore, verify};
use crate::cli::run_files::Files;

/// Builds the tables of a results folder again from its games.csv.
///
/// Prints the summary and rewrites agents.csv, pairings.csv, seats.csv, summary.txt and
/// report.html. Reads grades from moves.csv if it exists. A folder with only games.csv is
/// enough, but then the experiment's name and its planned length are unknown. For the folder of
/// a sweep, writes its report.html from the agents.csv of its runs.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The results folder.
    dir: PathBuf,
    #[command(flatten)]
    shown: Shown,
    /// First check every checksum and replay every game. Damage is listed, with exit code 9.
    #[arg(long)]
    verify: bool,
    /// Also show the scores without luck of a run without `[luck]`, and write no files. `exact`, or
    /// an evaluator with the keys of `[luck]`, such as `lead:scale=10`.
    #[arg(long, value_name = "SPEC", conflicts_with = "quiet")]
    luck: Option<String>,
}

/// Builds and prints the tables again. Uses `resolved.toml` if it exists; the games alone are
/// enough.
pub fn run(args: &ReportArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let &CommandContext { format, registry, .. } = context;
    if is_sweep(&args.dir) && !args.verify && args.luck.is_none() {
        return page_of_sweep(args, context);
    }
    let folder = existing_run(&args.dir)?;
    if let Some(spec) = &args.luck {
        if args.verify {
            verify(&folder, false, registry)?;
        }
        return scores_without_luck::print(&folder, spec, args.shown.verbose, context);
    }
    restore(&folder, registry)?;
    if args.verify {
        verify(&folder, args.shown.quiet, registry)?;
    }
    let (mut results, history, experiment) = loaded(&folder, registry)?;
    let files = Files {
        folder: &folder,
        experiment: experiment.as_ref(),
        history: Some(history),
        grading: None,
        manifest: None,
    };
    let written = files.write(&mut results);
    // The results of a folder that cannot be written are shown all the same.
    if !args.shown.quiet {
        print(&mut results, Some(&folder), format, args.shown.verbose)?;
    }
    written.map(|_| exit_codes::DONE)
}

/// Writes the page of a sweep from the tables of its runs, and prints their table.
fn page_of_sweep(args: &ReportArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let runs = table::runs_of_sweep(&args.dir, context.registry)?;
    table::write_sweep_page(&existing(&args.dir)?, &runs)?;
    if !args.shown.quiet {
        table::print_stacked(&runs, context.format)?;
    }
    Ok(exit_codes::DONE)
}
