//! `agon table`: the agents of several runs as one table.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::arena::{Folder, Status};
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::{note, terminal_width, unless_closed};
use crate::cli::read_results_folder::{existing, experiment};
use crate::play::Registry;
use crate::report::{PooledRows, StackedRun, TableFormat, stacked, sweep_page};

const TABLE: &str = "agents.csv";
const PAGE: &str = "report.html";

/// Stacks the agents of several runs in one table, as text, CSV, JSON or Markdown.
///
/// Each agent is a row with its results, its cost, and every parameter and key of the config
/// that differs between the rows. Give results folders, or a folder that contains them, such as
/// the folder of a sweep. Reads agents.csv and resolved.toml.
#[derive(Debug, Args)]
pub struct TableArgs {
    /// Results folders, or folders that contain them.
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// One row for all runs that differ only in their seeds: the mean, and its 95 % t interval.
    #[arg(long)]
    pool_seeds: bool,
}

/// Prints the table.
///
/// # Errors
/// A folder without results, and tables that cannot be read.
pub fn run(args: &TableArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let mut folders = Vec::new();
    for dir in &args.dirs {
        folders.append(&mut runs_in(dir)?);
    }
    let runs = read_runs(&folders, context.registry)?;
    if args.pool_seeds {
        print(|out| PooledRows::new(&runs).write(context.format, terminal_width(), out))?;
    } else {
        print_stacked(&runs, context.format)?;
    }
    Ok(exit_codes::DONE)
}

/// Prints the table of these runs.
pub fn print_stacked(runs: &[StackedRun], format: TableFormat) -> Result<(), Failure> {
    print(|out| stacked(runs, format, terminal_width(), out))
}

fn print(write: impl Fn(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = io::BufWriter::new(anstream::stdout());
    unless_closed(write(&mut out).and_then(|()| out.flush()))
}

/// Reads the runs of a sweep.
pub fn runs_of_sweep(dir: &Path, registry: &Registry) -> Result<Vec<StackedRun>, Failure> {
    read_runs(&runs_in(dir)?, registry)
}

/// Writes the page of a sweep into its folder. Runs without a page have no link.
pub fn write_sweep_page(parent: &Folder, runs: &[StackedRun]) -> Result<(), Failure> {
    let name =
        |path: &Path| path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into());
    let mut pages = Vec::new();
    for run in runs {
        let values = name(Path::new(run.place()));
        if parent.file(&values).join(PAGE).exists() {
            pages.push((format!("{values}/{PAGE}"), values));
        }
    }
    let path = parent.path().canonicalize().unwrap_or_else(|_| parent.path().to_owned());
    parent.replace(PAGE, sweep_page(&name(&path), runs, &pages).as_bytes())?;
    Ok(())
}

/// Reads these runs. Warns about runs that are not complete.
pub fn read_runs(folders: &[Folder], registry: &Registry) -> Result<Vec<StackedRun>, Failure> {
    let mut runs = Vec::new();
    for folder in folders {
        let shown = folder.path().display();
        if folder.manifest().is_some_and(|manifest| manifest.status != Status::Complete) {
            note(format!("warning: {shown} is not complete"));
        }
        runs.push(read(folder, registry)?);
    }
    Ok(runs)
}

/// Reads a run. Says so if its length was not fixed before it: its intervals are of another kind.
fn read(folder: &Folder, registry: &Registry) -> Result<StackedRun, Failure> {
    let (dir, file) = (folder.path().display(), folder.file(TABLE));
    let wrong = |what: String| {
        let help = format!("`agon report {dir}` writes it again");
        Failure::usage(format!("cannot read {}: {what}", file.display()), help)
    };
    let text = fs::read(&file).map_err(|error| wrong(error.to_string()))?;
    let there = ["resolved.toml", "config.toml"].iter().any(|name| folder.file(name).exists());
    let played = if there { Some(experiment(folder, registry)?) } else { None };
    let is_extended = folder.manifest().is_some_and(|manifest| manifest.is_extended());
    let why = match &played {
        // Results chose its games, so it has no intervals of ratings.
        Some(played) if played.kind.chooses_pairings() => None,
        _ if is_extended => Some("was extended after its results could be seen"),
        Some(played) if !played.kind.has_fixed_length() => Some("ended by its results"),
        _ => None,
    };
    if let Some(why) = why {
        note(format!("note: {dir} {why}, so its intervals hold at any time"));
    }
    StackedRun::read(dir.to_string(), played, book(folder), &text).map_err(wrong)
}

/// The file of the openings, as the config of a run names it.
fn book(folder: &Folder) -> Option<String> {
    let config: toml::Table = fs::read_to_string(folder.file("config.toml")).ok()?.parse().ok()?;
    Some(config.get("openings")?.get("file")?.as_str()?.to_owned())
}

/// The run in a folder, or the runs in its folders.
fn runs_in(dir: &Path) -> Result<Vec<Folder>, Failure> {
    let folder = existing(dir)?;
    let is_run = |folder: &Folder| folder.file("games.csv").exists() || folder.file(TABLE).exists();
    if is_run(&folder) {
        return Ok(vec![folder]);
    }
    let mut paths: Vec<PathBuf> =
        fs::read_dir(dir)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort_by_key(|path| natural(path));
    let all: Vec<Folder> = paths.into_iter().map(Folder::new).filter(is_run).collect();
    all.iter().try_for_each(Folder::check_files)?;
    let (runs, without): (Vec<Folder>, Vec<Folder>) =
        all.into_iter().partition(|run| run.file(TABLE).exists());
    for run in without {
        let shown = run.path().display();
        note(format!("warning: {shown} has no {TABLE}; `agon report {shown}` writes it"));
    }
    if runs.is_empty() {
        let message = format!("{} is not a results folder and contains none", dir.display());
        let help = "name folders that `agon run` wrote, such as results/NAME";
        return Err(Failure::usage(message, help));
    }
    Ok(runs)
}

/// A path such that `seed=10` is sorted after `seed=9`: each number has 20 digits.
fn natural(path: &Path) -> String {
    let (mut key, mut digits) = (String::new(), String::new());
    for c in path.to_string_lossy().chars().chain(['\0']) {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        if !digits.is_empty() {
            key.push_str(&format!("{digits:0>20}"));
            digits.clear();
        }
        key.push(c);
    }
    key
}
