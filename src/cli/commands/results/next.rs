//! `agon next`: divides the next round of a format in rounds into shards, and prints those that are
//! still to be played.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::arena::Shard;
use crate::arena::{
    Folder, FolderLock, Manifest, MergeParts, Schedule, Shards, Status, Tally, Wave, header, ranges,
};
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::{default_folder, name_test, note};
use crate::cli::read_config_file::ConfigFile;
use crate::cli::read_results_folder::{StoredRun, count, existing, played, restore};
use crate::config::{Experiment, LoadedConfig, Overrides};
use crate::play::Registry;
use crate::report::{Answer, counted};

/// Prints the shards of the next round of a format in rounds, for many machines.
///
/// The shards that are still to be played go to stdout in the syntax of batch systems, such as
/// `1-37`. Play them with `--shard auto` or `--shard K/N`, merge them with `agon merge DIR`, and
/// ask again. With an answer, nothing goes to stdout, and the exit code is that of the run.
/// docs/endurance.md has loops for batch systems.
#[derive(Debug, Args)]
#[command(hide = true)]
pub struct NextArgs {
    /// The results folder.
    #[arg(value_name = "DIR", conflicts_with = "out", required_unless_present = "config")]
    dir: Option<PathBuf>,
    /// The config of a run that begins.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The results folder of a run that begins [default: results/NAME].
    #[arg(long, value_name = "DIR", requires = "config")]
    out: Option<PathBuf>,
    /// The maximum number of shards of a round [default: as in the round before].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=Shard::MOST))]
    shards: Option<u64>,
}

/// Prints the shards of the next round. Returns the exit code.
pub fn run(args: &NextArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let registry = context.registry;
    let folder = match &args.config {
        Some(config) => {
            let source = ConfigFile { file: None, config: Some(config.clone()) };
            let loaded = source.read(&Overrides::default(), context)?;
            let path = args.out.clone().or(args.dir.clone());
            let folder = Folder::new(path.unwrap_or_else(|| default_folder(&loaded.experiment)));
            begin(&folder, &loaded, args, context.argv, registry)?;
            folder
        }
        None => {
            let dir = args.dir.clone().unwrap_or_default();
            existing(&dir).map_err(|_| {
                Failure::usage(
                    format!("{} does not exist", dir.display()),
                    "`agon next --config FILE --out DIR --shards N` begins a run",
                )
            })?
        }
    };
    restore(&folder, registry)?;
    // Neither grades nor luck decide the next round, so they are not read.
    let stored = played(&folder, registry)?;
    refuse_one_round(&stored.experiment, &stored.schedule)?;
    let _lock = FolderLock::take(folder.path())?;
    let mut schedule = stored.schedule.clone();
    let (tally, _) = count(&folder, &stored.experiment, &mut schedule)?;
    if schedule.is_over(&tally) {
        let (results, _, StoredRun { experiment, schedule, .. }) = stored.load(&folder)?;
        note(Answer::of(&results).sentence);
        name_test(&folder, &experiment, &schedule);
        return Ok(exit_codes::of_results(&results));
    }
    let wave = divide(&folder, args.shards, &schedule, &tally)?;
    let parts = MergeParts::new(Shards(wave.folder(&folder)).list()?, wave.shards);
    let shown = folder.path().display();
    if parts.missing.is_empty() {
        let message = format!("all shards of wave {} are complete", wave.wave);
        return Err(Failure::usage(message, format!("merge them with `agon merge {shown}`")));
    }
    let first = schedule.games_before(schedule.last_round().start);
    note(format!(
        "wave {}: games {} to {} in {}",
        wave.wave,
        first + 1,
        schedule.games(),
        counted(wave.shards, "shard")
    ));
    if tally.rows > first {
        let games = counted(tally.rows - first, "game");
        note(format!(
            "warning: {shown} has {games} of this round; the shards play them again\n\
             help: `agon run {shown}/config.toml --out {shown}` continues on one machine instead"
        ));
    }
    writeln!(anstream::stdout(), "{}", ranges(&parts.missing))?;
    Ok(exit_codes::DONE)
}

/// The files of a run before its first game, besides its manifest.
const FIRST: [&str; 3] = ["config.toml", "resolved.toml", "games.csv"];

/// Creates the folder of a run before its first game, unless the run is there already.
fn begin(
    folder: &Folder,
    loaded: &LoadedConfig,
    args: &NextArgs,
    argv: &[String],
    registry: &Registry,
) -> Result<(), Failure> {
    let experiment = &loaded.experiment;
    let lineup = experiment.any_game.lineup(experiment.setup());
    let openings = lineup.map_err(|error| loaded.setup_error(&error))?.openings();
    refuse_one_round(experiment, &Schedule::new(experiment, openings))?;
    folder.check_ours()?;
    folder.check(experiment, registry)?;
    let has = |name| folder.file(name).exists();
    let manifest = folder.manifest();
    let is_played = manifest.as_ref().is_some_and(|manifest| manifest.games > 0);
    if is_played || (manifest.is_some() && FIRST.into_iter().all(has)) {
        return Ok(());
    }
    if args.shards.is_none() {
        return Err(how_many());
    }
    std::fs::create_dir_all(folder.path()).map_err(|error| {
        Failure::Other(anyhow::anyhow!("cannot make {}: {error}", folder.path().display()))
    })?;
    let _lock = FolderLock::take(folder.path())?;
    // The manifest is first: whatever a kill leaves then belongs to this run.
    let mut manifest = Manifest::begin(experiment, 0, argv);
    manifest.status = Status::Interrupted;
    folder.write_manifest(&manifest)?;
    let resolved = experiment.to_toml();
    let contents = [loaded.text.as_str(), &resolved, header()];
    for (name, content) in FIRST.into_iter().zip(contents) {
        folder.replace(name, content.as_bytes())?;
    }
    Ok(())
}

fn how_many() -> Failure {
    let help = "`--shards N`, for example one for each machine; later rounds have as many";
    Failure::usage("into how many shards is a round divided?", help)
}

fn refuse_one_round(experiment: &Experiment, schedule: &Schedule) -> Result<(), Failure> {
    if schedule.grows() {
        return Ok(());
    }
    let word = experiment.schedule.format.word;
    Err(Failure::usage(
        format!("a {word} plays in one round"),
        "`agon run FILE --shard K/N` plays a part of it, and `agon merge` merges the parts",
    ))
}

/// The wave of the next round. If it is new, it is written to the folder.
fn divide(
    folder: &Folder,
    asked: Option<u64>,
    schedule: &Schedule,
    tally: &Tally,
) -> Result<Wave, Failure> {
    let latest = Wave::of(folder);
    let current = match latest {
        Some(wave) if !wave.is_merged(folder, schedule, tally)? => Some(wave),
        _ => None,
    };
    let Some(asked) = asked.or(latest.map(|wave| wave.asked)) else { return Err(how_many()) };
    let wave = Wave::new(schedule, asked);
    match current {
        Some(current) if current == wave => {}
        Some(current) if !Shards(current.folder(folder)).list()?.is_empty() => {
            let shards = counted(current.shards, "shard");
            return Err(Failure::usage(
                format!("wave {} is divided into {shards}, and some are there", current.wave),
                "leave `--shards` out until this wave is merged",
            ));
        }
        _ => wave.write(folder)?,
    }
    Ok(wave)
}
