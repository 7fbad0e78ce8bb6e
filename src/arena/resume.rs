//! Where a run takes off: what is in the folder already, and the files open behind it.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::ops::Range;
use std::path::Path;

use super::folder::{Folder, FolderError, unreadable};
use super::journal::Outputs;
use super::lock::FolderLock;
use super::manifest::{Manifest, Status};
use super::moves;
use super::moves_file::{self, GameMoves, Kind};
use super::row::{self, Row, RowError, Rows};
use super::run::Remaining;
use super::schedule::Schedule;
use super::tally::Tally;
use super::wal::{self, Finished, FinishedGames, Wal};
use crate::world::GameSpec;

/// Where a run takes off.
#[derive(Debug)]
pub struct Begin {
    /// What is still to be played.
    pub rest: Remaining,
    /// Everything before it.
    pub tally: Tally,
    /// `games.csv` and perhaps `moves.csv`, to be appended to, and the side journal.
    pub outputs: Outputs<File>,
    /// The manifest of the earlier run, if there was one.
    pub earlier: Option<Manifest>,
    /// What was damaged and is repaired, for people.
    pub repaired: Option<String>,
    /// Nobody else may write meanwhile; nothing is written where everything is complete.
    pub lock: Option<FolderLock>,
}

/// How a folder is opened.
#[derive(Debug, Clone)]
pub struct Opening {
    /// The units that belong there: all of the schedule, or those of a shard.
    pub units: Range<u64>,
    /// Whether moves are written down.
    pub moves: bool,
    /// Throw away what is there.
    pub fresh: bool,
}

impl Folder {
    /// Makes the folder and opens `games.csv`, and `moves.csv` if asked for, behind the last
    /// game that is in order in it, or behind the pair that decided a sequential test. `tally`
    /// has counted nothing yet.
    ///
    /// Where anything before is damaged, missing or out of its place, the files are repaired
    /// first: see [`Begin::repaired`].
    ///
    /// # Errors
    /// What the disk refuses, or rows that no run of this schedule wrote.
    pub fn begin(
        &self,
        mut tally: Tally,
        schedule: &Schedule,
        opening: &Opening,
    ) -> Result<Begin, FolderError> {
        tally.distinct_openings = !schedule.repeats_openings();
        let path = self.file("games.csv");
        fs::create_dir_all(self.path()).map_err(disk("make the folder", self.path()))?;
        // What is complete is only read, so that an archive may be read-only.
        let earlier = self.manifest().filter(|_| !opening.fresh);
        let was_complete = earlier.as_ref().is_some_and(|m| m.status == Status::Complete);
        let length = fs::metadata(&path).map_or(0, |data| data.len());
        let has_header = length >= row::header().len() as u64;
        if was_complete
            && has_header
            && let Ok(games) = File::open(&path)
        {
            let kept = self.recount(schedule, opening, tally.clone())?;
            if kept.damage.is_none() && kept.is_whole(self, &opening.units)? {
                let (earlier, repaired, lock) = (earlier, None, None);
                let outputs = Outputs { games, moves: None, ahead: None };
                let rest = kept.rest(opening, FinishedGames::new());
                return Ok(Begin { rest, tally: kept.tally, outputs, earlier, repaired, lock });
            }
        }
        let lock = FolderLock::take(self.path())?;
        self.sweep();
        if opening.fresh {
            self.clear()?;
        }
        let mut kept = Kept::new(opening.units.start, 0, tally.clone());
        let (mut repair, mut repaired) = (None, None);
        if has_header && !opening.fresh {
            kept = self.recount(schedule, opening, tally.clone())?;
            if kept.damage.is_some() || !kept.current {
                let mut new = self.repair(schedule, opening, tally)?;
                if let Some(damage) = kept.damage {
                    self.keep_damaged(opening.moves)?;
                    repaired = Some(format!("{damage}; {}", new.words(schedule)));
                }
                kept = std::mem::replace(&mut new.kept, Kept::new(0, 0, Tally::new(vec![], &[])));
                repair = Some(new);
            } else if was_complete && kept.is_complete(&opening.units) {
                let file = if kept.bytes < length { "games.csv" } else { moves_file::NAME };
                repaired = Some(format!("{file}: lines behind the last game are taken out"));
            }
        }
        let noted = earlier.as_ref().map_or(0, |manifest| manifest.games);
        if repaired.is_none() && noted > kept.tally.rows {
            let there = kept.tally.rows;
            repaired = Some(format!("games.csv is cut off: it holds {there} of {noted} games"));
        }
        let mut finished = repair.as_mut().map(|new| std::mem::take(&mut new.finished));
        let finished = finished.get_or_insert_default();
        let ahead_path = self.file(wal::NAME);
        let noted = wal::read(&ahead_path, &kept.tally.names);
        for game in noted.map_err(disk("read", &ahead_path))? {
            let wanted = kept.wants(&game.row, schedule, &opening.units);
            if wanted && (!opening.moves || game.has_moves()) {
                finished.entry(game.row.game).or_insert(game);
            }
        }
        let ahead = match kept.is_complete(&opening.units) {
            true => {
                finished.clear();
                let _ = fs::remove_file(&ahead_path);
                None
            }
            false => {
                let ahead = Wal::create(ahead_path.clone(), finished);
                Some(ahead.map_err(disk("write", &ahead_path))?)
            }
        };
        // What waits behind a gap is in the side journal before it leaves the old files.
        repair.map_or(Ok(()), |mut new| new.keep())?;
        let moves = match opening.moves {
            true => Some(append(&self.file(moves_file::NAME), kept.moves, &moves::header())?),
            false => None,
        };
        let games = append(&path, kept.bytes, &row::header())?;
        let outputs = Outputs { games, moves, ahead };
        let rest = kept.rest(opening, std::mem::take(finished));
        Ok(Begin { rest, tally: kept.tally, outputs, earlier, repaired, lock: Some(lock) })
    }

    /// Counts the games that are in order, each with its moves; a torn last line is left out,
    /// and what is behind the first damage.
    fn recount(
        &self,
        schedule: &Schedule,
        opening: &Opening,
        tally: Tally,
    ) -> Result<Kept, FolderError> {
        let mut kept = Kept::new(opening.units.start, 0, tally);
        match self.recount_into(&mut kept, schedule, opening) {
            // Grades alone are not played again.
            Err(FolderError::BadMoves { path, source }) if opening.moves => {
                kept.damage = Some(format!("{}: {source}", name(&path)));
            }
            Err(FolderError::Strange { path, game }) if opening.moves => {
                let what = format!("{}: the moves of game {game} are damaged", name(&path));
                kept.damage = Some(what);
            }
            Err(FolderError::Games { path, source: source @ RowError::Damaged { .. } }) => {
                kept.damage = Some(format!("{}: {source}", name(&path)));
            }
            result => result?,
        }
        Ok(kept)
    }

    fn recount_into(
        &self,
        kept: &mut Kept,
        schedule: &Schedule,
        opening: &Opening,
    ) -> Result<(), FolderError> {
        let path = self.file("games.csv");
        let mut rows = self.rows(|file| Rows::new(file, kept.tally.names.clone()))?;
        kept.bytes = rows.offset();
        // Grades that a config does not ask for are not looked at.
        let wanted = opening.moves || self.manifest().is_some_and(|there| there.grading.is_some());
        let kind = if opening.moves { Kind::Recorded } else { Kind::Graded };
        let mut moves = match wanted {
            true => Some(GameMoves::open(self)?),
            false => None,
        };
        kept.current = rows.lines.is_current()
            && moves.as_ref().is_none_or(|moves| !opening.moves || moves.is_current());
        kept.moves = moves.as_ref().map_or(0, GameMoves::end);
        while let Some(spec) = kept.expects(schedule, &opening.units) {
            let row = match rows.next_row() {
                Ok(None) => break,
                Ok(Some(row)) => row,
                Err(error @ (RowError::Io(_) | RowError::Damaged { .. })) => {
                    return Err(unreadable(&path)(error));
                }
                Err(error) => {
                    kept.damage = Some(format!("games.csv: {error}"));
                    break;
                }
            };
            if !is_game(&row, &spec) {
                let number = kept.tally.rows + 1;
                if spec_of(&row, schedule).is_none_or(|spec| !is_game(&row, &spec)) {
                    let (game, pairing) = (row.game, row.pairing);
                    return Err(FolderError::Order { path, row: number, game, pairing });
                }
                kept.damage = Some(format!(
                    "games.csv: row {number} is game {} and not {}",
                    row.game, spec.game
                ));
                break;
            }
            if let Some(moves) = &mut moves {
                moves.check(&row, rows.texts().1, kind, None)?;
                kept.moves = moves.end();
            }
            kept.bytes = rows.offset();
            kept.count(&row, schedule);
        }
        Ok(())
    }
}

fn name(path: &Path) -> std::borrow::Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}

fn disk<'a>(action: &'static str, path: &'a Path) -> impl Fn(std::io::Error) -> FolderError + 'a {
    move |source| FolderError::Disk { action, path: path.to_owned(), source }
}

/// Opens a file behind its first `kept` bytes; an empty one gets its header.
fn append(path: &Path, kept: u64, header: &str) -> Result<File, FolderError> {
    let mut options = OpenOptions::new();
    let mut file =
        options.read(true).append(true).create(true).open(path).map_err(disk("open", path))?;
    if file.metadata().map_err(disk("read", path))?.len() > kept {
        file.set_len(kept).map_err(disk("truncate", path))?;
    }
    if kept == 0 {
        file.write_all(header.as_bytes()).map_err(disk("write", path))?;
    }
    Ok(file)
}

/// What `games.csv` holds in order.
#[derive(Debug)]
pub(super) struct Kept {
    /// The unit that the next game belongs to.
    pub unit: u64,
    /// How many of its games are there.
    pub skip: usize,
    /// The length of the file up to here.
    pub bytes: u64,
    /// The length of `moves.csv` up to here.
    pub moves: u64,
    pub tally: Tally,
    /// What is behind that should not be.
    pub damage: Option<String>,
    /// The files have the columns of this version.
    pub current: bool,
}

impl Kept {
    pub fn new(unit: u64, bytes: u64, tally: Tally) -> Self {
        Kept { unit, skip: 0, bytes, moves: 0, tally, damage: None, current: true }
    }

    /// Whether nothing is left to play and nothing is behind the last game.
    fn is_whole(&self, folder: &Folder, units: &Range<u64>) -> Result<bool, FolderError> {
        let ends = |name, bytes| {
            let path = folder.file(name);
            let data = fs::metadata(&path).map_err(disk("read", &path))?;
            Ok(data.len() == bytes)
        };
        Ok(self.is_complete(units)
            && ends("games.csv", self.bytes)?
            && (self.moves == 0 || ends(moves_file::NAME, self.moves)?))
    }

    /// The game that comes next, if one does.
    pub fn expects(&self, schedule: &Schedule, units: &Range<u64>) -> Option<GameSpec> {
        (!self.is_complete(units)).then(|| schedule.unit(self.unit).nth(self.skip))?
    }

    /// Counts the game that comes next.
    pub fn count(&mut self, row: &Row, schedule: &Schedule) {
        self.tally.push(row);
        self.skip += 1;
        if self.skip == schedule.unit(self.unit).count() {
            (self.unit, self.skip) = (self.unit + 1, 0);
        }
    }

    /// Whether nothing is left to play.
    pub fn is_complete(&self, units: &Range<u64>) -> bool {
        self.unit >= units.end || (self.skip == 0 && self.tally.is_decided())
    }

    /// Number of the last game that is there in order, or of the one before the first unit.
    pub fn last_game(&self, schedule: &Schedule) -> u64 {
        schedule.games_before(self.unit) + self.skip as u64
    }

    /// Whether a row is a game that is still to come.
    pub fn wants(&self, row: &Row, schedule: &Schedule, units: &Range<u64>) -> bool {
        schedule.unit_of(row.game).is_some_and(|unit| unit < units.end)
            && row.game > self.last_game(schedule)
            && spec_of(row, schedule).is_some_and(|spec| is_game(row, &spec))
    }

    fn rest(&self, opening: &Opening, finished: FinishedGames) -> Remaining {
        Remaining { units: self.unit..opening.units.end, skip: self.skip, finished }
    }
}

/// The game that the schedule has under the row's number.
pub(super) fn spec_of(row: &Row, schedule: &Schedule) -> Option<GameSpec> {
    schedule.unit(schedule.unit_of(row.game)?).find(|spec| spec.game == row.game)
}

/// Whether a row is that game.
pub(super) fn is_game(row: &Row, spec: &GameSpec) -> bool {
    (row.game, row.pairing, row.opening, row.first, row.second)
        == (spec.game, spec.pairing, spec.opening, spec.first, spec.second)
}

impl Finished {
    /// Whether the rows of its moves are all there.
    fn has_moves(&self) -> bool {
        let lines = self.moves.iter().filter(|&&byte| byte == b'\n').count() as u64;
        lines == super::moves::expected(&self.row)
    }
}

impl Begin {
    /// Whether nothing is left to play and everything derived was written.
    pub fn is_complete(&self) -> bool {
        (self.rest.units.is_empty() || self.tally.is_decided())
            && self.earlier.as_ref().is_some_and(|m| m.status == Status::Complete)
    }
}
