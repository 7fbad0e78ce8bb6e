//! Where a run takes off: what is in the folder already, and the files open behind it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::Range;

use super::ahead::{self, Ahead, Finished, FinishedGames};
use super::journal::Outputs;
use super::lock::FolderLock;
use super::manifest::{Manifest, Status};
use super::results::{Folder, FolderError, whole_lines};
use super::row::{self, Row, RowError, Rows};
use super::run::Rest;
use super::schedule::Schedule;
use super::tally::Tally;
use crate::world::GameSpec;

/// Where a run takes off.
#[derive(Debug)]
pub struct Begin {
    /// What is still to be played.
    pub rest: Rest,
    /// Everything before it.
    pub tally: Tally,
    /// `games.csv` and perhaps `moves.csv`, to be appended to, and the side journal.
    pub outputs: Outputs<File>,
    /// The manifest of the earlier run, if there was one.
    pub earlier: Option<Manifest>,
    /// What was wrong with `games.csv` and is mended, for people.
    pub mended: Option<String>,
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
    /// Lines that are no rows, or rows that are there twice, are taken out of `games.csv`, and
    /// rows behind a gap are kept: see [`Begin::mended`].
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
        let disk = |action| {
            let path = path.clone();
            move |source| FolderError::Disk { action, path, source }
        };
        fs::create_dir_all(self.path()).map_err(|source| FolderError::Disk {
            action: "make the folder",
            path: self.path().to_owned(),
            source,
        })?;
        // What is complete is only read, so that an archive may be read-only.
        let earlier = self.manifest().filter(|_| !opening.fresh);
        if earlier.as_ref().is_some_and(|manifest| manifest.status == Status::Complete)
            && let Ok(games) = File::open(&path)
        {
            let length = games.metadata().map_err(disk("read"))?.len();
            let kept = self.recount(&games, schedule, (&opening.units, u64::MAX), tally.clone())?;
            if kept.is_complete(&opening.units) && kept.bytes == length {
                if opening.moves && !self.has_moves() {
                    self.open_moves(&kept.tally, u64::MAX)?;
                }
                let (earlier, mended, lock) = (earlier, None, None);
                let outputs = Outputs { games, moves: None, ahead: None };
                let rest = kept.rest(opening, FinishedGames::new());
                return Ok(Begin { rest, tally: kept.tally, outputs, earlier, mended, lock });
            }
        }
        let lock = FolderLock::take(self.path())?;
        self.sweep();
        if opening.fresh {
            self.clear()?;
        }
        let open = || {
            let mut options = OpenOptions::new();
            options.read(true).append(true).create(true).open(&path).map_err(disk("open"))
        };
        let mut games = open()?;
        let header = row::header();
        let mut length = games.metadata().map_err(disk("read"))?.len();
        let mut kept = Kept::new(opening.units.start, 0, tally.clone());
        let mut finished = FinishedGames::new();
        let mut mended = None;
        if length >= header.len() as u64 {
            kept = self.recount(&games, schedule, (&opening.units, u64::MAX), kept.tally)?;
            if let Some(damage) = kept.damage.take() {
                let found = self.mend(&games, schedule, opening, &mut kept)?;
                mended = Some(format!("{damage}; {}", found.words()));
                finished = found.finished;
                games = open()?;
                length = games.metadata().map_err(disk("read"))?.len();
            }
        }
        // Before anything is cut off, for moves that are missing may yet refuse the folder.
        let moves = match opening.moves {
            true => Some(match self.open_moves(&kept.tally, kept.last_game(schedule)) {
                // When the power failed, moves.csv may have reached the disk less far.
                Err(error @ FolderError::Moves { .. }) => {
                    let killed = earlier.as_ref().is_some_and(|m| m.status == Status::Running);
                    let Some(last) = self.last_of_moves()?.filter(|_| killed) else {
                        return Err(error);
                    };
                    let units = (&opening.units, last.saturating_sub(1));
                    let less = self.recount(&games, schedule, units, tally)?;
                    let again = kept.tally.rows - less.tally.rows;
                    // What a second costs a long run; more was played without `moves = true`.
                    if again > kept.tally.rows / 10 {
                        return Err(error);
                    }
                    kept = less;
                    finished.clear();
                    mended = Some(format!(
                        "moves.csv reached the disk less far; {again} games are played again"
                    ));
                    self.open_moves(&kept.tally, kept.last_game(schedule))?
                }
                moves => moves?,
            }),
            false => None,
        };
        if kept.bytes < length {
            games.set_len(kept.bytes).map_err(disk("truncate"))?;
        }
        if kept.bytes == 0 {
            games.write_all(header.as_bytes()).map_err(disk("write"))?;
        }
        let ahead_path = self.file(ahead::NAME);
        let ahead_disk = |action| {
            let path = ahead_path.clone();
            move |source| FolderError::Disk { action, path, source }
        };
        let noted = ahead::read(&ahead_path, &kept.tally.names).map_err(ahead_disk("read"))?;
        for game in noted {
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
                Some(Ahead::create(ahead_path.clone(), &finished).map_err(ahead_disk("write"))?)
            }
        };
        let outputs = Outputs { games, moves, ahead };
        let rest = kept.rest(opening, finished);
        Ok(Begin { rest, tally: kept.tally, outputs, earlier, mended, lock: Some(lock) })
    }

    /// Counts the games that are in order, up to number `last`; a torn last line is left out,
    /// and what is behind the first damage.
    fn recount(
        &self,
        games: &File,
        schedule: &Schedule,
        (units, last): (&Range<u64>, u64),
        tally: Tally,
    ) -> Result<Kept, FolderError> {
        let path = self.file("games.csv");
        let bad = |source| FolderError::Games { path: path.clone(), source };
        let disk = |source| FolderError::Disk { action: "read", path: path.clone(), source };
        let whole = whole_lines(games).map_err(disk)?;
        let mut reader = BufReader::with_capacity(1 << 16, games.take(whole));
        let header = row::header();
        let begin = reader.fill_buf().map_err(disk)?;
        if !begin.starts_with(&header.as_bytes()[..header.len().min(begin.len())]) {
            return Err(bad(RowError::Foreign));
        }
        let mut rows = Rows::new(reader, tally.names.clone()).map_err(bad)?;
        let mut kept = Kept::new(units.start, header.len() as u64, tally);
        while let Some(spec) = kept.expects(schedule, units) {
            match rows.next_row() {
                Ok(None) => break,
                Ok(Some(row)) if row.game > last => break,
                Ok(Some(row)) if is_game(&row, &spec) => {
                    kept.bytes = rows.offset();
                    kept.count(&row, schedule);
                }
                Ok(Some(row)) => {
                    let number = kept.tally.rows + 1;
                    if spec_of(&row, schedule).is_none_or(|spec| !is_game(&row, &spec)) {
                        let (game, pairing) = (row.game, row.pairing);
                        return Err(FolderError::Order { path, row: number, game, pairing });
                    }
                    let what = format!("row {number} is game {} and not {}", row.game, spec.game);
                    kept.damage = Some(what);
                    break;
                }
                Err(RowError::Csv(error)) if error.is_io_error() => {
                    let csv::ErrorKind::Io(source) = error.into_kind() else { break };
                    return Err(disk(source));
                }
                Err(error) => {
                    kept.damage = Some(error.to_string());
                    break;
                }
            }
        }
        Ok(kept)
    }
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
    pub tally: Tally,
    /// What stands behind that should not.
    pub damage: Option<String>,
}

impl Kept {
    fn new(unit: u64, bytes: u64, tally: Tally) -> Self {
        Kept { unit, skip: 0, bytes, tally, damage: None }
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
    fn last_game(&self, schedule: &Schedule) -> u64 {
        schedule.games_before(self.unit) + self.skip as u64
    }

    /// Whether a row is a game that is still to come.
    pub fn wants(&self, row: &Row, schedule: &Schedule, units: &Range<u64>) -> bool {
        schedule.unit_of(row.game).is_some_and(|unit| unit < units.end)
            && row.game > self.last_game(schedule)
            && spec_of(row, schedule).is_some_and(|spec| is_game(row, &spec))
    }

    fn rest(&self, opening: &Opening, finished: FinishedGames) -> Rest {
        Rest { units: self.unit..opening.units.end, skip: self.skip, finished }
    }
}

/// The game that the schedule has under the row's number.
fn spec_of(row: &Row, schedule: &Schedule) -> Option<GameSpec> {
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

/// Reads lines that may be anything, none longer than so much into memory.
pub(super) fn read_line(
    reader: &mut impl BufRead,
    line: &mut Vec<u8>,
    most: u64,
) -> io::Result<bool> {
    line.clear();
    if reader.take(most).read_until(b'\n', line)? == 0 {
        return Ok(false);
    }
    // The rest of a line that is too long is passed over.
    while !line.ends_with(b"\n") {
        let part = reader.fill_buf()?;
        match part.iter().position(|&byte| byte == b'\n') {
            _ if part.is_empty() => break,
            Some(end) => {
                reader.consume(end + 1);
                break;
            }
            None => {
                let length = part.len();
                reader.consume(length);
            }
        }
    }
    Ok(true)
}
