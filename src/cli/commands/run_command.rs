//! `agon run`: plays a config, which is its only run, or all runs of its sweep. Each run of a sweep has a
//! folder of its own, and one table shows the agents of all runs.

use std::fs;
use std::io::Write;
use std::path::Path;

use clap::Args;

use super::run::{Place, dry_run_in, play_in, refuse_file, run_config};
use crate::arena::Folder;
use crate::cli::command_entry::CommandContext;
use crate::cli::commands::results::table;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::options_of_several_commands::RunArgs;
use crate::cli::print_run_results::note;
use crate::cli::read_config_file::ConfigFile;
use crate::cli::signals::StopSignal;
use crate::config::{LoadedConfig, Overrides, SweepRun};
use crate::play::Registry;
use crate::report::{DataTable, StackedRun, TableFormat, TextTable, counted};

/// The config of the sweep in its folder.
const CONFIG: &str = "sweep.toml";

/// Plays the experiment of a config. `agon FILE` does the same.
#[derive(Debug, Args)]
#[command(after_help = exit_codes::HELP)]
pub struct RunCommand {
    /// The config.
    #[command(flatten)]
    pub source: ConfigFile,
    /// How it is played.
    #[command(flatten)]
    pub run: RunArgs,
}

pub fn run(args: &RunCommand, context: &CommandContext<'_>) -> Result<u8, Failure> {
    play_config(&args.source, &args.run, &args.run.changes.overrides(), context)
}

/// Reads a config with these overrides and plays it. Returns the exit code.
pub(super) fn play_config(
    source: &ConfigFile,
    args: &RunArgs,
    overrides: &Overrides,
    context: &CommandContext<'_>,
) -> Result<u8, Failure> {
    let runs = source.read_runs(overrides, context)?;
    match &runs[..] {
        [run] if run.sweep.is_none() => run_config(run, args, context),
        [first, _, ..]
            if first.experiment.kind.tuned().is_some() || first.experiment.grid.is_some() =>
        {
            let options = first.sweep.as_ref().map_or("", |run| &run.options);
            Err(Failure::usage(
                format!("a tune is one run, and the sweep has {}", runs.len()),
                format!("choose one value of each list, such as `{options}`"),
            ))
        }
        runs => sweep(runs, args, context),
    }
}

/// Plays all runs. Runs that are complete are only counted.
///
/// # Errors
/// A folder of something else, `--shard` for several runs, and the errors of a run.
fn sweep(
    runs: &[LoadedConfig],
    args: &RunArgs,
    context: &CommandContext<'_>,
) -> Result<u8, Failure> {
    let &CommandContext { argv, registry, .. } = context;
    let swept: Vec<(&LoadedConfig, &SweepRun)> =
        runs.iter().filter_map(|run| Some((run, run.sweep.as_ref()?))).collect();
    let Some((first, first_run)) = swept.first() else { return Ok(exit_codes::DONE) };
    if args.shard.is_some() && runs.len() > 1 {
        return Err(no_shards(runs.len(), first_run));
    }
    let parent = args.out.clone().unwrap_or_else(|| Path::new("results").join(&first_run.sweep));
    refuse_file(&parent)?;
    let parent = Folder::new(parent);
    check_folder(&parent, &first.text)?;
    let stop = StopSignal::listen(args.quiet)?;
    let place = |run: &SweepRun| Place {
        folder: parent.file(&run.values),
        stop: stop.clone(),
        in_sweep: true,
    };
    if args.dry_run {
        return dry_run(&swept, args, place, registry);
    }
    fs::create_dir_all(parent.path())?;
    parent.sweep();
    parent.replace(CONFIG, first.text.as_bytes())?;
    let (mut worst, mut folders) = (exit_codes::DONE, Vec::new());
    for (number, (loaded, run)) in swept.iter().enumerate() {
        if !args.quiet {
            note(format!("run {} of {}: {}", number + 1, runs.len(), run.values));
        }
        Folder::new(parent.file(&run.values)).check_no_link()?;
        let code = play_in(place(run), loaded, args, argv, registry)?;
        if let Some(code) = stop.code() {
            return Ok(code);
        }
        if [exit_codes::UNAVAILABLE, exit_codes::TOO_COSTLY].contains(&code) {
            return Ok(code);
        }
        if code == exit_codes::FAULTS {
            worst = code;
        }
        folders.push(Folder::new(parent.file(&run.values)));
    }
    if args.shard.is_some() {
        return Ok(worst);
    }
    let stacked = table::read_runs(&folders, registry)?;
    end_sweep(&parent, &stacked, first.experiment.output.report, args.format)?;
    Ok(worst)
}

/// Writes the page of a sweep, if it is wanted, and prints the table.
fn end_sweep(
    parent: &Folder,
    stacked: &[StackedRun],
    with_page: bool,
    format: TableFormat,
) -> Result<(), Failure> {
    let dir = parent.path().display();
    let mut page = format!("{dir}/*/report.html");
    if with_page {
        table::write_sweep_page(parent, stacked)?;
        page = format!("{dir}/report.html");
    }
    table::print_stacked(stacked, format)?;
    if format == TableFormat::Text {
        writeln!(anstream::stdout(), "more: {page}; `agon table {dir}` prints this table")?;
    }
    Ok(())
}

/// The error for shards of several runs.
fn no_shards(runs: usize, first: &SweepRun) -> Failure {
    let options = &first.options;
    Failure::usage(
        format!("`--shard` divides one run, and the sweep has {runs}"),
        format!("let each task play one run, such as `{options}`; `agon table DIR` stacks them"),
    )
}

/// Refuses a folder with a run that is no sweep, or with a `sweep.toml` that agon did not write.
fn check_folder(parent: &Folder, text: &str) -> Result<(), Failure> {
    parent.check_files()?;
    let shown = parent.path().display();
    let help = "`--out DIR` writes elsewhere";
    if parent.file("manifest.json").exists() || parent.file("games.csv").exists() {
        let message = format!("{shown} holds the results of one run, and this is a sweep");
        return Err(Failure::usage(message, help));
    }
    let there = fs::read_to_string(parent.file(CONFIG));
    let is_ours = || {
        let entries = fs::read_dir(parent.path()).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| entry.path().join("manifest.json").exists())
    };
    if there.is_ok_and(|there| there != text) && !is_ours() {
        let message = format!("{shown} holds another `{CONFIG}` and no runs of a sweep");
        return Err(Failure::usage(message, help));
    }
    Ok(())
}

/// Prints the runs. Plays no games and writes no files.
fn dry_run(
    swept: &[(&LoadedConfig, &SweepRun)],
    args: &RunArgs,
    place: impl Fn(&SweepRun) -> Place,
    registry: &Registry,
) -> Result<u8, Failure> {
    let mut rows = Vec::new();
    for (loaded, run) in swept {
        let (games, folder) = dry_run_in(place(run), loaded, args, registry)?;
        rows.push((&run.values, games, folder.display().to_string()));
    }
    let mut out = anstream::stdout();
    let format = args.format;
    if matches!(format, TableFormat::Csv | TableFormat::Json) {
        let table = DataTable::new("run, games, folder", |add| {
            for (run, games, folder) in &rows {
                add(vec![run.as_str().into(), (*games).into(), folder.as_str().into()]);
            }
        });
        match format {
            TableFormat::Csv => table.write_csv(&mut out)?,
            _ => writeln!(out, "{:#}", table.json())?,
        }
        return Ok(exit_codes::DONE);
    }
    let mut table = TextTable::new("Runs").text(["run"]).figures(["games"]).text(["folder"]);
    for (run, games, folder) in &rows {
        table.row([run.as_str(), &games.to_string(), folder]);
    }
    let games = counted(rows.iter().map(|(_, games, _)| games).sum(), "game");
    let markdown = format == TableFormat::Markdown;
    let runs = counted(rows.len() as u64, "run");
    write!(out, "{runs}, {games}\n\n{}", table.render(markdown, !markdown, None))?;
    Ok(exit_codes::DONE)
}
