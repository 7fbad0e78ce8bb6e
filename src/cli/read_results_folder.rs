//! Reads what a command needs of a results folder: its experiment, counts and history. Repairs files that a
//! kill has damaged first.

use std::io;
use std::path::Path;

use super::failure::Failure;
use super::print_run_results::{note, warn_of_config};
use crate::arena::{
    self, Folder, FolderError, FolderLock, Manifest, NO_REPAIR, RunHistory, Schedule, ShardFolder,
    Status, Tally, count_grades, header, repair_help,
};
use crate::config::{self, Experiment, Overrides};
use crate::play::{Registry, Setup};
use crate::report::{Heading, Results, RunContext, RunEnd, RunFacts, counted};

/// The results and the history of a folder, and its experiment, if it is known.
type Loaded = (Results, RunHistory, Option<Experiment>);

/// Counts the games of a folder. Uses `resolved.toml` if it exists.
pub fn loaded(folder: &Folder, registry: &Registry) -> Result<Loaded, Failure> {
    match played(folder, registry) {
        Ok(played) => {
            let (results, history, played) = played.load(folder)?;
            return Ok((results, history, Some(played.experiment)));
        }
        Err(error) if has_config(folder) => note(format!(
            "warning: {}: the config cannot be used, so only the games are counted, and verdicts \
             are those without it: {}",
            folder.path().display(),
            anstream::adapter::strip_str(&error.to_string()).to_string().trim_end(),
        )),
        Err(_) => {}
    }
    let (mut tally, history) = count_rows(folder, Tally::new(Vec::new(), &[]), None)?;
    tally.grades = count_grades(folder, &tally.names)?;
    let context = RunContext { ending: ending(folder, &tally), ..RunContext::default() };
    let heading = Heading { name: name(folder.path()), ..Heading::default() };
    Ok((Results::new(heading, tally, context), history, None))
}

/// Whether a folder has the config of its run, which may be damaged.
fn has_config(folder: &Folder) -> bool {
    ["resolved.toml", "config.toml"].iter().any(|name| folder.file(name).exists())
}

/// An experiment with its schedule and the number of its openings.
pub struct StoredRun {
    pub experiment: Experiment,
    pub schedule: Schedule,
    pub openings: u64,
}

impl StoredRun {
    /// Counts the games of the folder and measures their luck. The schedule gets all rounds that
    /// were played.
    pub fn load(mut self, folder: &Folder) -> Result<(Results, RunHistory, Self), Failure> {
        let StoredRun { experiment, schedule, openings } = &mut self;
        let (results, history) = results_of(folder, experiment, schedule, *openings)?;
        Ok((results, history, self))
    }
}

/// Counts the games of a folder with that experiment and measures their luck. The schedule gets all
/// rounds that were played.
pub fn results_of(
    folder: &Folder,
    experiment: &Experiment,
    schedule: &mut Schedule,
    openings: u64,
) -> Result<(Results, RunHistory), Failure> {
    let (mut tally, history) = count(folder, experiment, schedule)?;
    tally.grades = count_grades(folder, &tally.names)?;
    let facts = RunFacts::of(folder.manifest().as_ref());
    let mut results = Results::of(experiment, schedule, openings, tally, facts);
    results.measure_luck_of(folder, experiment).map_err(unreadable)?;
    Ok((results, history))
}

/// The maximum number of damages that are listed.
const SHOWN: usize = 20;

/// Checks all files of a folder.
pub fn verify(folder: &Folder, quiet: bool, registry: &Registry) -> Result<(), Failure> {
    let StoredRun { experiment, schedule, .. } = played(folder, registry)?;
    let tally = schedule.empty_tally(&experiment);
    let verified = arena::verify(folder, &experiment, schedule, tally)?;
    let damage = &verified.damage;
    if damage.is_empty() {
        if !quiet {
            let games = counted(verified.games, "game");
            note(format!("verified: {games}; every result agrees with its moves"));
        }
        return Ok(());
    }
    let dir = folder.path().display();
    let mut text = format!("{dir} is damaged:\n");
    for what in damage.iter().take(SHOWN) {
        text += &format!("  {what}\n");
    }
    if damage.len() > SHOWN {
        text += &format!("  and {} more\n", damage.len() - SHOWN);
    }
    let help = match verified.is_header {
        true => NO_REPAIR.to_owned(),
        false => repair_help(&folder.file("games.csv")),
    };
    Err(Failure::Damaged(format!("{text}help: {help}")))
}

/// Removes what killed commands have left, and restores a `manifest.json` that is missing or damaged,
/// from the config and the games.
pub fn restore(folder: &Folder, registry: &Registry) -> Result<(), Failure> {
    folder.check_files()?;
    folder.check_version()?;
    folder.sweep();
    let games = std::fs::metadata(folder.file("games.csv"));
    let Ok(games) = games else { return Ok(()) };
    for path in folder.files_without_checksums() {
        note(format!("note: {} has no checksums: changes in it are not noticed", path.display()));
    }
    if folder.manifest().is_some() {
        return Ok(());
    }
    let Ok(StoredRun { experiment, mut schedule, .. }) = played(folder, registry) else {
        return Ok(());
    };
    let shard = ShardFolder::named(folder);
    if shard.is_some() && schedule.grows() {
        // The round of a shard is not known here. The shard is played again.
        return Ok(());
    }
    // A running process writes the manifest itself when it ends.
    let Ok(_lock) = FolderLock::take(folder.path()) else { return Ok(()) };
    let tally = schedule.empty_tally(&experiment);
    // Games that cannot be counted are damaged. The run that resumes reports them.
    let tally =
        arena::count(folder, tally.clone(), Some(&mut schedule)).map_or(tally, |(tally, _)| tally);
    if tally.rows == 0 && games.len() <= header().len() as u64 {
        return Ok(());
    }
    let whole = match shard.map(|shard| shard.units(&schedule)) {
        Some(units) => {
            let games = schedule.games_before(units.end) - schedule.games_before(units.start);
            tally.rows == games
        }
        None => schedule.is_over(&tally),
    };
    let begun = std::fs::metadata(folder.file("config.toml")).and_then(|data| data.modified());
    let begun = begun.or(games.modified()).unwrap_or(std::time::SystemTime::UNIX_EPOCH);
    let mut manifest = Manifest::restored(&experiment, begun);
    manifest.end(&tally, if whole { Status::Complete } else { Status::Interrupted });
    (manifest.shard, manifest.peak_memory_bytes, manifest.ended) = (shard, None, None);
    if folder.write_manifest(&manifest).is_ok() {
        let dir = folder.path().display();
        note(format!(
            "warning: {dir}: manifest.json was missing or damaged; it is restored from the config \
             and games.csv"
        ));
    }
    Ok(())
}

/// Whether a folder holds the runs of a sweep.
pub fn is_sweep(dir: &Path) -> bool {
    dir.join("sweep.toml").exists() && !dir.join("games.csv").exists()
}

/// The results folder of one run.
pub fn existing_run(dir: &Path) -> Result<Folder, Failure> {
    if is_sweep(dir) {
        let shown = dir.display();
        return Err(Failure::usage(
            format!("{shown} holds the runs of a sweep"),
            format!("name one of its runs, a folder in it; `agon table {shown}` shows them all"),
        ));
    }
    existing(dir)
}

pub fn existing(dir: &Path) -> Result<Folder, Failure> {
    if dir.is_dir() {
        let folder = Folder::new(dir);
        folder.check_files()?;
        return Ok(folder);
    }
    let is = if dir.exists() { "is not a folder" } else { "does not exist" };
    let help = "name the folder that `agon run FILE` wrote, such as results/NAME";
    Err(Failure::usage(format!("{} {is}", dir.display()), help))
}

/// Counts the games of a folder with that experiment, and reads their history. The schedule gets all
/// rounds that follow from the games.
pub fn count(
    folder: &Folder,
    experiment: &Experiment,
    schedule: &mut Schedule,
) -> Result<(Tally, RunHistory), Failure> {
    count_rows(folder, schedule.empty_tally(experiment), Some(schedule))
}

/// Counts the rows of the folder. Skips an incomplete last line with a warning.
fn count_rows(
    folder: &Folder,
    tally: Tally,
    schedule: Option<&mut Schedule>,
) -> Result<(Tally, RunHistory), Failure> {
    let counts = arena::count(folder, tally, schedule).map_err(unreadable)?;
    let (there, path) = (counts.0.rows, folder.file("games.csv"));
    if let Some(noted) = folder.manifest().filter(|noted| noted.games > there) {
        let (path, games) = (path.display(), noted.games);
        note(format!("warning: {path} has {there} of the {games} games of manifest.json"));
    }
    if arena::ends_torn(&path).unwrap_or(false) {
        let path = path.display();
        note(format!("warning: the last line of {path} is incomplete and left out"));
    }
    Ok(counts)
}

/// The error for damaged files of a folder. Its help text differs from that of a run, which
/// discards games: these files may be the only copy.
pub fn unreadable(error: FolderError) -> Failure {
    match error {
        FolderError::Content { path, what, is_header, .. } if path.ends_with("games.csv") => {
            let help = if is_header { NO_REPAIR.to_owned() } else { repair_help(&path) };
            Failure::usage(format!("{}: {what}", path.display()), help)
        }
        // The folder contains something else.
        FolderError::Disk { ref path, ref source, .. }
            if source.kind() == io::ErrorKind::NotFound =>
        {
            let help = "name a results folder of agon, such as results/NAME";
            Failure::usage(format!("there is no {}", path.display()), help)
        }
        other => other.into(),
    }
}

/// The experiment of the folder with its schedule.
pub fn played(folder: &Folder, registry: &Registry) -> Result<StoredRun, Failure> {
    let experiment = experiment(folder, registry)?;
    // No game is played, so no tables are needed.
    let setup = Setup { syzygy: None, ..experiment.setup() };
    let lineup = experiment.any_game.lineup(setup);
    let openings = lineup
        .map_err(|error| Failure::usage(format!("{}: {error}", folder.path().display()), ""))?
        .openings();
    let schedule = Schedule::new(&experiment, openings);
    Ok(StoredRun { experiment, schedule, openings })
}

pub fn experiment(folder: &Folder, registry: &Registry) -> Result<Experiment, Failure> {
    folder.check_version()?;
    let path = match folder.file("resolved.toml") {
        path if path.exists() => path,
        _ => folder.file("config.toml"),
    };
    let text = std::fs::read_to_string(&path).map_err(|error| {
        let help = "name a results folder of agon; this file has the game and the agents";
        let shown = path.display();
        match error.kind() {
            io::ErrorKind::NotFound => Failure::usage(format!("there is no {shown}"), help),
            _ => Failure::usage(format!("cannot read {shown}: {error}"), help),
        }
    })?;
    let name = path.display().to_string();
    let reading = config::read_from(&text, &name, &Overrides::default(), registry)?;
    warn_of_config(&reading.warnings);
    Ok(reading.experiment)
}

/// How the run ended, if only the manifest is known. The manifest does not say whether a sequential
/// test ended the run, so the number of games may depend on the results.
fn ending(folder: &Folder, tally: &Tally) -> RunEnd {
    match folder.manifest() {
        None => RunEnd::Unknown,
        Some(there) if there.status == Status::Complete && there.games == tally.rows => {
            RunEnd::Complete
        }
        Some(_) => RunEnd::Stopped,
    }
}

/// The default name of a folder's experiment.
fn name(dir: &Path) -> String {
    let whole = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    whole.file_name().map_or_else(|| "games".to_owned(), |name| name.to_string_lossy().into_owned())
}
