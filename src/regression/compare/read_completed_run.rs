//! Reads the results folder of a completed run.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use super::comparability;
use crate::arena::{Duplicates, Folder, GameRow, GameRows, Manifest, RowError, Status, ends_torn};
use crate::config::{self, Experiment, Overrides};
use crate::play::{Outcome, Registry};
use crate::regression::usage_error::UsageError;

#[derive(Debug)]
pub struct CompletedRun {
    pub path: PathBuf,
    pub manifest: Manifest,
    pub experiment: Experiment,
    pub(super) games: Vec<PlayedGame>,
}

/// The compared data of a game, about a hundred bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PlayedGame {
    /// Number of the game, from 1.
    pub number: u64,
    /// Number of the opening, from 1.
    pub opening: u64,
    /// Agents by seat, as indices into the experiment.
    pub agents: [usize; 2],
    pub outcome: Outcome,
    /// Whether the game counts as evidence even if it repeats another game; see [`Duplicates`].
    pub varies: bool,
    /// Hash of opening, moves and end. Equal for the same game, whichever agents played it.
    pub line: u64,
    /// Searched nodes, by seat.
    pub nodes: [u64; 2],
    /// Time spent in nanoseconds, by seat.
    pub time_ns: [u64; 2],
    pub moves: [u32; 2],
}

impl CompletedRun {
    /// Whether the number of games was chosen before the run and not changed after it.
    pub(super) fn has_fixed_length(&self) -> bool {
        self.experiment.kind.has_fixed_length() && !self.manifest.is_extended()
    }

    /// Whether an agent of the run is an external program.
    pub(super) fn has_engines(&self) -> bool {
        self.experiment.agents.iter().any(|agent| agent.needs.engines > 0)
    }
}

impl PlayedGame {
    /// Half points of a seat: 0, 1 or 2; `None` for a game that does not count.
    pub fn half_points(&self, seat: usize) -> Option<i32> {
        match (self.outcome, seat) {
            (Outcome::Void, _) => None,
            (Outcome::Draw, _) => Some(1),
            (Outcome::First, 0) | (Outcome::Second, 1) => Some(2),
            _ => Some(0),
        }
    }
}

const OTHER_FOLDER: &str = "name the folder that `agon run FILE` wrote, such as results/NAME";
const AGAIN: &str = "copy the folder again, or play into a new folder with `--out DIR`";

impl CompletedRun {
    /// Reads a complete run, or as much as both sides of a gate have played.
    ///
    /// # Errors
    /// The folder or a file is missing or damaged, or a run that is no side of a gate was stopped.
    pub fn open(path: &Path, registry: &Registry, is_of_gate: bool) -> Result<Self, UsageError> {
        Folder::new(path).check_files().map_err(|error| {
            let (message, help) = error.message_and_help();
            UsageError::new(message, help)
        })?;
        let manifest = manifest(path, is_of_gate)?;
        let name = path.join("resolved.toml").display().to_string();
        let text = read(path, "resolved.toml", AGAIN)?;
        let reading =
            config::read_from(&text, &name, &Overrides::default(), registry).map_err(|error| {
                let first = error.to_string().lines().next().unwrap_or_default().to_owned();
                UsageError::new(
                    format!("this version of agon cannot read {name}: {first}"),
                    "compare with the version of agon that can read both runs, or play it again",
                )
            })?;
        let experiment = reading.experiment;
        let games = games(path, &experiment)?;
        let (found, noted) = (games.len() as u64, manifest.games);
        if found != noted {
            return Err(UsageError::new(
                format!(
                    "{} has {found} games, but manifest.json says {noted}",
                    path.join("games.csv").display()
                ),
                AGAIN,
            ));
        }
        if games.is_empty() {
            let message = format!("{} has no games", path.join("games.csv").display());
            return Err(UsageError::new(message, AGAIN));
        }
        Ok(CompletedRun { path: path.to_owned(), manifest, experiment, games })
    }

    /// What differs from a run with the same settings and agents, as a sentence.
    pub(super) fn difference(&self, other: &CompletedRun) -> &'static str {
        let place = |run: &CompletedRun| fs::canonicalize(&run.path).ok();
        if place(self).is_some() && place(self) == place(other) {
            "nothing differs: baseline and candidate are the same folder"
        } else if self.games == other.games {
            "nothing differs: all games are the same, with their times, so one is a copy"
        } else if self.has_games_of(other) {
            "all games are the same; only times and memory may differ"
        } else {
            "only the results have changed"
        }
    }

    /// Whether the other run has the same games with the same nodes, at whatever times.
    fn has_games_of(&self, other: &CompletedRun) -> bool {
        let untimed = |game: &PlayedGame| PlayedGame { time_ns: [0; 2], ..*game };
        self.games.iter().map(untimed).eq(other.games.iter().map(untimed))
    }

    /// The version and revision of the program that played the run.
    pub fn program(&self) -> String {
        match &self.manifest.revision {
            Some(revision) => format!("agon {} ({revision})", self.manifest.version),
            None => format!("agon {}", self.manifest.version),
        }
    }

    pub(super) fn agent(&self, name: &str) -> Option<usize> {
        comparability::agent(&self.experiment, name)
    }
}

fn read(path: &Path, name: &str, help: &str) -> Result<String, UsageError> {
    fs::read_to_string(path.join(name)).map_err(|error| unreadable(path, name, &error, help))
}

fn unreadable(path: &Path, name: &str, error: &io::Error, help: &str) -> UsageError {
    let message = match error.kind() {
        io::ErrorKind::NotFound => format!("{} has no {name}", path.display()),
        _ => format!("cannot read {}: {error}", path.join(name).display()),
    };
    UsageError::new(message, help)
}

fn manifest(path: &Path, is_of_gate: bool) -> Result<Manifest, UsageError> {
    let shown = path.display();
    let text = read(path, "manifest.json", OTHER_FOLDER).map_err(|error| UsageError {
        message: error.message + ": not a results folder",
        ..error
    })?;
    let file = path.join("manifest.json");
    let manifest = Manifest::parse(&text).map_err(|error| {
        let message = format!("{} is not a manifest of agon: {error}", file.display());
        UsageError::new(message, AGAIN)
    })?;
    let resume = format!("wait for it, or finish it: {}", manifest.argv.join(" "));
    match manifest.status {
        Status::Complete => Ok(manifest),
        Status::Interrupted if is_of_gate => Ok(manifest),
        Status::Running => {
            Err(UsageError::new(format!("{shown} is still being played, or was killed"), resume))
        }
        Status::Interrupted => {
            Err(UsageError::new(format!("{shown} was stopped before its end"), resume))
        }
    }
}

fn games(path: &Path, experiment: &Experiment) -> Result<Vec<PlayedGame>, UsageError> {
    let file = path.join("games.csv");
    let shown = file.display();
    let disk = |error| unreadable(path, "games.csv", &error, AGAIN);
    if ends_torn(&file).map_err(disk)? {
        return Err(UsageError::new(format!("{shown}: the last line is cut off"), AGAIN));
    }
    let bad = |error: RowError| UsageError::new(format!("{shown}: {error}"), AGAIN);
    let names = experiment.agent_names();
    let known = names.len();
    let input = File::open(&file).map_err(disk)?;
    let mut rows = GameRows::new(BufReader::new(input), names).map_err(bad)?;
    let (mut games, mut duplicates) = (Vec::new(), Duplicates::default());
    while let Some(row) = rows.next_row().map_err(bad)? {
        if let Some(stranger) = rows.names().get(known) {
            let game = row.game;
            let message = format!(
                "{shown}: game {game} has the agent `{stranger}`, which is not in resolved.toml"
            );
            return Err(UsageError::new(message, AGAIN));
        }
        duplicates.is_new(&row);
        let varies = row.rng_draws > 0 || duplicates.varied(row.pairing);
        games.push(PlayedGame { varies, ..game(&row, rows.texts()) });
    }
    Ok(games)
}

fn game(row: &GameRow, texts: (&str, &str)) -> PlayedGame {
    // The hash is never written to a file, so it may differ between versions of the library.
    let mut line = DefaultHasher::new();
    (texts, row.outcome, row.reason).hash(&mut line);
    PlayedGame {
        number: row.game,
        opening: row.opening,
        agents: [row.first, row.second],
        outcome: row.outcome,
        varies: false,
        line: line.finish(),
        nodes: row.sides.map(|side| side.nodes),
        time_ns: row.sides.map(|side| side.time_ns),
        moves: row.sides.map(|side| side.moves),
    }
}
