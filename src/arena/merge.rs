//! Shards become one run: their files one behind the other, as one machine would have
//! written them, in memory that does not grow with the games.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use super::folder::{Folder, FolderError, game_of_log, unreadable};
use super::moves;
use super::moves_file::{self, GameMoves, Kind};
use super::resume::is_game;
use super::row::{self, Row, Rows};
use super::schedule::Schedule;
use super::shard::Place;
use super::tally::Tally;
use crate::sorting;
use crate::world::GameSpec;

/// Why shards cannot become one run.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A folder, or what is in it.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Two folders hold the same shard, and it came out differently.
    #[error(
        "{} and {} are the same shard but differ in game {game}\n\
         help: name only one of them", one.display(), two.display()
    )]
    Differ {
        /// One folder.
        one: PathBuf,
        /// The other.
        two: PathBuf,
        /// Number of the first game that differs.
        game: u64,
    },
    /// Some shards wrote down moves and some did not.
    #[error(
        "{} has no moves.csv\n\
         help: play it again with `moves = true`, like the others", path.display()
    )]
    Moves {
        /// The folder that lacks them.
        path: PathBuf,
    },
}

/// The file that every shard has.
const NAME: &str = "games.csv";

/// A shard in which a file holds what no run writes.
fn damaged(folder: &Folder, error: FolderError) -> FolderError {
    let path = folder.path().to_owned();
    match error {
        FolderError::Games { source, .. } => {
            FolderError::Shard { path, what: format!("{NAME}: {source}") }
        }
        FolderError::BadMoves { source, .. } => {
            FolderError::Shard { path, what: format!("{}: {source}", moves_file::NAME) }
        }
        FolderError::Strange { game, .. } => {
            let what = format!("{}: the moves of game {game} are not all there", moves_file::NAME);
            FolderError::Shard { path, what }
        }
        error => error,
    }
}

/// The rows of `games.csv` of a shard.
pub(super) struct Games {
    folder: PathBuf,
    rows: Rows<File>,
    read: u64,
}

impl Games {
    /// Opens the games of a folder.
    pub fn open(folder: &Folder, names: &[String]) -> Result<Self, FolderError> {
        let bad = |error| damaged(folder, error);
        let rows = folder.rows(|file| Rows::new(file, names.to_vec())).map_err(bad)?;
        let known = rows.lines.refuse_unknown();
        known.map_err(|error| bad(unreadable(&folder.file(NAME))(error)))?;
        Ok(Games { folder: folder.path().to_owned(), rows, read: 0 })
    }

    /// The row of that game, which must be next.
    pub fn next(&mut self, spec: &GameSpec) -> Result<Row, FolderError> {
        self.read += 1;
        let what = match self.rows.next_row() {
            Ok(Some(row)) if is_game(&row, spec) => return Ok(row),
            Ok(Some(Row { game, pairing, .. })) => format!(
                "row {} of {NAME} is game {game} of pairing {pairing} and not game {}",
                self.read, spec.game
            ),
            Ok(None) => format!("{NAME} ends before game {}", spec.game),
            Err(source) => format!("{NAME}: {source}"),
        };
        Err(FolderError::Shard { path: self.folder.clone(), what })
    }
}

/// The parts that a whole run consists of, by the shards that are there.
#[derive(Debug)]
pub struct Parts {
    /// One complete folder per shard, in order.
    pub whole: Vec<Place>,
    /// Further folders of the same shards.
    pub twice: Vec<(Place, Place)>,
    /// Numbers of the shards that are not there.
    pub missing: Vec<u64>,
}

impl Parts {
    /// Sorts out folders of shards of one experiment, all of so many.
    pub fn new(places: Vec<Place>, count: u64) -> Self {
        let mut parts = Parts { whole: Vec::new(), twice: Vec::new(), missing: Vec::new() };
        let mut places: Vec<Place> = places.into_iter().filter(|place| place.complete).collect();
        sorting::by_key(&mut places, |place| place.shard.index);
        for place in places {
            match parts.whole.last() {
                Some(last) if last.shard == place.shard => parts.twice.push((last.clone(), place)),
                _ => parts.whole.push(place),
            }
        }
        let mut there = parts.whole.iter().map(|place| place.shard.index).peekable();
        parts.missing = (1..=count).filter(|&k| there.next_if_eq(&k).is_none()).collect();
        parts
    }

    /// The shards before the first gap.
    fn unbroken(&self) -> impl Iterator<Item = &Place> {
        self.whole
            .iter()
            .enumerate()
            .map_while(|(i, place)| (place.shard.index == i as u64 + 1).then_some(place))
    }
}

/// Writes the games of the shards before the first gap, and with `moves` their moves, into
/// `out`; ends with the pair that decides the tally's test. `tally` has counted nothing yet.
/// Whether anything is missing is for the caller to judge, and then to [`Merged::keep`].
///
/// # Errors
/// Files that cannot be read or written, rows that do not belong there, and folders of one
/// shard that differ.
pub fn merge(
    parts: &Parts,
    schedule: &Schedule,
    mut tally: Tally,
    out: &Folder,
    moves: bool,
) -> Result<Merged, MergeError> {
    tally.distinct_openings = !schedule.repeats_openings();
    for (one, two) in &parts.twice {
        compare(one, two, schedule, &tally.names)?;
    }
    let mut games_out = Part::create(out, NAME, &row::header())?;
    let mut moves_out = match moves {
        true => Some(Part::create(out, moves_file::NAME, &moves::header())?),
        false => None,
    };
    let (mut shards, mut bytes) = (Vec::new(), Vec::new());
    for place in parts.unbroken() {
        if tally.is_decided() {
            break;
        }
        let folder = &place.folder;
        let mut games = Games::open(folder, &tally.names)?;
        let mut moves_in = match moves {
            true if !folder.has_moves() => {
                return Err(MergeError::Moves { path: folder.path().to_owned() });
            }
            true => Some(GameMoves::open(folder).map_err(|error| damaged(folder, error))?),
            false => None,
        };
        let mut last = 0;
        for spec in place.shard.units(schedule).flat_map(|unit| schedule.unit(unit)) {
            let row = games.next(&spec)?;
            bytes.clear();
            games.rows.lines.copy_to(&mut bytes);
            games_out.write(&bytes)?;
            if let (Some(moves), Some(out)) = (&mut moves_in, &mut moves_out) {
                bytes.clear();
                let text = games.rows.texts().1;
                moves
                    .check(&row, text, Kind::Recorded, Some(&mut bytes))
                    .map_err(|error| damaged(folder, error))?;
                out.write(&bytes)?;
            }
            tally.push(&row);
            last = row.game;
            if tally.is_decided() {
                break;
            }
        }
        shards.push((place.folder.clone(), last));
    }
    tally.settle();
    Ok(Merged { tally, games: games_out, moves: moves_out, shards })
}

/// Copies the logs of engines that failed in the games up to `last`, one piece at a time.
fn copy_logs(folder: &Folder, last: u64, out: &Folder) -> Result<(), FolderError> {
    let disk = |action, path: PathBuf| {
        move |source| FolderError::Disk { action, path: path.clone(), source }
    };
    let there = || folder.path().to_owned();
    for entry in fs::read_dir(folder.path()).map_err(disk("read", there()))? {
        let entry = entry.map_err(disk("read", there()))?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        if game_of_log(name).is_none_or(|game| game > last) {
            continue;
        }
        let mut log = File::open(entry.path()).map_err(disk("read", entry.path()))?;
        out.replace_by(name, |to| {
            io::copy(&mut log, to).map(drop).map_err(disk("write", out.file(name)))
        })?;
    }
    Ok(())
}

/// Holds two folders of one shard against each other, times left out.
fn compare(
    one: &Place,
    two: &Place,
    schedule: &Schedule,
    names: &[String],
) -> Result<(), MergeError> {
    let mut games = [Games::open(&one.folder, names)?, Games::open(&two.folder, names)?];
    for spec in one.shard.units(schedule).flat_map(|unit| schedule.unit(unit)) {
        let mut rows = [games[0].next(&spec)?, games[1].next(&spec)?];
        for side in rows.iter_mut().flat_map(|row| &mut row.sides) {
            (side.time_ns, side.slowest_ns) = (0, 0);
        }
        if rows[0] != rows[1] || games[0].rows.texts() != games[1].rows.texts() {
            let [one, two] = [one, two].map(|place| place.folder.path().to_owned());
            return Err(MergeError::Differ { one, two, game: spec.game });
        }
    }
    Ok(())
}

/// What was merged, written but not yet in its place.
pub struct Merged {
    /// Everything that was counted.
    pub tally: Tally,
    games: Part,
    moves: Option<Part>,
    /// The shards whose games these are, each with the number of the last one.
    shards: Vec<(Folder, u64)>,
}

impl Merged {
    /// Puts the files in their places in `out`, logs of engines that failed among them.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn keep(self, out: &Folder) -> Result<Tally, FolderError> {
        for (folder, last) in &self.shards {
            copy_logs(folder, *last, out)?;
        }
        // Moves first: `games.csv` never tells of a game whose moves are missing.
        self.moves.map_or(Ok(()), Part::keep)?;
        self.games.keep()?;
        Ok(self.tally)
    }
}

/// A file that is written under another name first.
pub(super) struct Part {
    path: PathBuf,
    out: BufWriter<tempfile::NamedTempFile>,
}

impl Part {
    pub fn create(folder: &Folder, name: &str, header: &str) -> Result<Self, FolderError> {
        let path = folder.file(name);
        let file = folder.temporary().map_err(|source| {
            let path = path.clone();
            FolderError::Disk { action: "write", path, source }
        })?;
        let mut part = Part { path, out: BufWriter::with_capacity(1 << 16, file) };
        part.write(header.as_bytes())?;
        Ok(part)
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<(), FolderError> {
        self.out.write_all(bytes).map_err(|source| {
            let path = self.path.clone();
            FolderError::Disk { action: "write", path, source }
        })
    }

    pub fn keep(self) -> Result<(), FolderError> {
        let path = self.path;
        let disk = |source| FolderError::Disk { action: "write", path: path.clone(), source };
        let file = self.out.into_inner().map_err(|error| disk(error.into_error()))?;
        file.as_file().sync_all().map_err(disk)?;
        file.persist(&path).map_err(|error| disk(error.error))?;
        Ok(())
    }
}

/// Numbers as text for people and batch systems: `3,7-9`.
pub fn ranges(numbers: &[u64]) -> String {
    let mut parts: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let text = |&(first, last): &(u64, u64)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    parts.iter().map(text).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_batch_systems_read_them() {
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[3]), "3");
        assert_eq!(ranges(&[3, 7, 8, 9]), "3,7-9");
        assert_eq!(ranges(&[1, 2, 4, 6, 7]), "1-2,4,6-7");
    }
}
