//! Opens or resumes a run in one pass over `games.csv` and `moves.csv`. At the first damage it starts
//! new files: games in order go there, games after a gap are kept until the gap is played, and all
//! others are played again. The same pass adds columns that a file lacks.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use super::journal::Outputs;
use super::remaining_games::Remaining;
use super::write_ahead_log;
use super::write_ahead_log::{Finished, WriteAheadLog};
use crate::arena::count::tally::Tally;
use crate::arena::folder::game_moves;
use crate::arena::folder::game_moves::{GameMoves, Kind, MovesIndex};
use crate::arena::folder::manifest::{Manifest, Status};
use crate::arena::folder::results_folder::{Folder, Replacement};
use crate::arena::folder::results_folder_lock::FolderLock;
use crate::arena::schedule::game_schedule::Schedule;
use crate::play::GameSpec;
use crate::rows::games_csv_columns;
use crate::rows::games_csv_rows::{GameRow, GameRows};
use crate::rows::moves_csv_rows;
use crate::rows::results_folder_errors::{FolderError, RowError};
use crate::util::unix;

/// Maximum bytes of rows that are kept after a gap.
const MOST: usize = 64 << 20;

/// The point at which a run resumes.
#[derive(Debug)]
pub struct Begin {
    pub remaining: Remaining,
    /// The tally of everything before.
    pub tally: Tally,
    /// `games.csv` and perhaps `moves.csv`, open for appending, and the write-ahead log.
    pub outputs: Outputs<File>,
    pub earlier: Option<Manifest>,
    /// A message about repaired damage.
    pub repaired: Option<String>,
    /// The lock against other writers; `None` if the run is complete, because nothing is written.
    pub lock: Option<FolderLock>,
}

impl Begin {
    /// Whether nothing is left to play and all derived files were written.
    pub fn is_complete(&self) -> bool {
        (self.remaining.units.is_empty() || self.tally.is_decided())
            && self.earlier.as_ref().is_some_and(|m| m.status == Status::Complete)
    }
}

#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct OpenedRun {
    /// The units of this folder: the whole schedule, or a shard.
    pub units: Range<u64>,
    pub moves: bool,
    /// Whether to delete the existing results.
    pub fresh: bool,
    /// The manifest of a run that begins.
    pub manifest: Manifest,
}

/// Creates the folder and opens `games.csv`, and `moves.csv` if requested. Both are opened after
/// the last game in order, or after the pair that decided a sequential test. `tally` must be empty.
/// `schedule` gets all rounds that follow from the games.
///
/// If earlier content is damaged, missing or out of order, the files are repaired first: see
/// [`Begin::repaired`].
pub fn resume(
    folder: &Folder,
    tally: Tally,
    schedule: &mut Schedule,
    opening: &OpenedRun,
) -> Result<Begin, FolderError> {
    fs::create_dir_all(folder.path())
        .map_err(FolderError::disk("make the folder", folder.path()))?;
    let earlier = folder.manifest().filter(|_| !opening.fresh);
    let length = fs::metadata(folder.file("games.csv")).map_or(0, |data| data.len());
    // A killed run may leave a part of the header, which is written again.
    let header = games_csv_columns::layout(&tally.added_columns).header();
    let has_header = folder.has_content("games.csv") || length == header.len() as u64;
    if has_header
        && was_complete(earlier.as_ref())
        && let Some((pass, outputs)) = Pass::of_whole_run(folder, schedule, opening, &tally)?
    {
        *schedule = pass.schedule;
        let (remaining, tally) = (pass.remaining, pass.tally);
        return Ok(Begin { remaining, tally, outputs, earlier, repaired: None, lock: None });
    }
    let lock = FolderLock::take(folder.path())?;
    if opening.fresh {
        folder.clear()?;
    }
    if earlier.is_none() {
        // Written before all other files: whatever a kill leaves then belongs to this run.
        folder.write_manifest(&opening.manifest)?;
    }
    let mut pass = Pass::new(folder, schedule, opening, tally);
    if has_header && !opening.fresh {
        pass.read(true)?;
    }
    if pass.damage.is_some() {
        folder.keep_damaged("games.csv")?;
        if opening.moves {
            folder.keep_damaged(game_moves::NAME)?;
        }
    }
    // Games after a gap are written to the log before they are removed from the old files.
    let wal = pass.write_ahead()?;
    let repaired = pass.repaired(earlier.as_ref(), length);
    pass.new.take().map_or(Ok(()), New::keep)?;
    let outputs = pass.outputs(wal)?;
    *schedule = pass.schedule;
    let (remaining, tally) = (pass.remaining, pass.tally);
    Ok(Begin { remaining, tally, outputs, earlier, repaired, lock: Some(lock) })
}

fn damaged_moves(game: u64) -> String {
    format!("{}: the moves of game {game} are damaged", game_moves::NAME)
}

fn was_complete(earlier: Option<&Manifest>) -> bool {
    earlier.is_some_and(|manifest| manifest.status == Status::Complete)
}

/// Opens a file after its first `kept` bytes; an empty file gets its header.
fn append(path: &Path, kept: u64, header: &str) -> Result<File, FolderError> {
    let disk = |action| FolderError::disk(action, path);
    let mut options = OpenOptions::new();
    let options = options.read(true).append(true).create(true);
    let mut file = unix::open_plain_file(options, path).map_err(disk("open"))?;
    if file.metadata().map_err(disk("read"))?.len() > kept {
        file.set_len(kept).map_err(disk("truncate"))?;
    }
    if kept == 0 {
        file.write_all(header.as_bytes()).map_err(disk("write"))?;
    }
    Ok(file)
}

struct Pass<'a> {
    folder: &'a Folder,
    /// The rounds that follow from the games so far.
    schedule: Schedule,
    opening: &'a OpenedRun,
    /// What is still to be played, with the valid games after a gap.
    remaining: Remaining,
    /// The games of the first remaining unit; the first `remaining.skip` of them were counted.
    unit: Vec<GameSpec>,
    tally: Tally,
    /// The lengths of `games.csv` and `moves.csv` up to the last game in order.
    games: u64,
    moves: u64,
    damage: Option<String>,
    /// The new files, used after the first damage.
    new: Option<New>,
    /// Bytes of games after a gap.
    held_bytes: usize,
    damaged_lines: u64,
    repeated_rows: u64,
    /// Number of games with damaged or missing moves.
    incomplete_games: u64,
    last: u64,
}

struct New {
    games: Replacement,
    moves: Option<(Replacement, MovesIndex)>,
}

impl New {
    /// Moves the files to their final names. Moves go first: no game in `games.csv` lacks its
    /// moves.
    fn keep(self) -> Result<(), FolderError> {
        self.moves.map_or(Ok(()), |(moves, _)| moves.keep())?;
        self.games.keep()
    }
}

impl<'a> Pass<'a> {
    fn new(folder: &'a Folder, schedule: &Schedule, opening: &'a OpenedRun, tally: Tally) -> Self {
        let mut pass = Pass {
            folder,
            schedule: schedule.clone(),
            opening,
            remaining: Remaining { units: opening.units.clone(), ..Remaining::default() },
            unit: Vec::new(),
            tally,
            games: 0,
            moves: 0,
            damage: None,
            new: None,
            held_bytes: 0,
            damaged_lines: 0,
            repeated_rows: 0,
            incomplete_games: 0,
            last: 0,
        };
        pass.begin_unit();
        pass
    }

    fn begin_unit(&mut self) {
        self.unit.clear();
        if !self.remaining.units.is_empty() {
            self.unit.extend(self.schedule.unit(self.remaining.units.start));
        }
    }

    /// The next game of the run.
    fn next(&self) -> Option<&GameSpec> {
        self.unit.get(self.remaining.skip)
    }

    /// Reads a complete run without the lock, so an archive may be read-only. `None` if its files
    /// are not whole.
    fn of_whole_run(
        folder: &'a Folder,
        schedule: &Schedule,
        opening: &'a OpenedRun,
        tally: &Tally,
    ) -> Result<Option<(Self, Outputs<File>)>, FolderError> {
        let Ok(games) = File::open(folder.file("games.csv")) else { return Ok(None) };
        let mut pass = Pass::new(folder, schedule, opening, tally.clone());
        pass.read(false)?;
        let is_whole = pass.damage.is_none() && pass.is_whole()?;
        Ok(is_whole.then_some((pass, Outputs { games, moves: None, wal: None })))
    }

    /// Reads the games; a torn last line is left out. Without `repair`, the pass ends at the first
    /// damage.
    fn read(&mut self, repair: bool) -> Result<(), FolderError> {
        let path = self.folder.file("games.csv");
        let Tally { names, added_columns, .. } = &self.tally;
        let mut rows = GameRows::open_with(&path, names, added_columns)?;
        let mut moves = self.open_moves()?;
        self.games = rows.offset();
        self.moves = moves.as_ref().map_or(0, GameMoves::end);
        let recorded = moves.as_ref().filter(|_| self.opening.moves);
        if repair && !(rows.lines.is_current() && recorded.is_none_or(GameMoves::is_current)) {
            self.begin_repair(&rows)?;
        }
        // The move rows that valid games have.
        let mut expected = 0;
        while self.new.is_some() || !self.is_complete() {
            let read = match rows.advance() {
                Ok(false) => break,
                Ok(true) => Ok(rows.row()),
                Err(error @ RowError::Io(_)) => return Err(FolderError::rows(&path)(error)),
                Err(error) => Err(format!("games.csv: {error}")),
            };
            if self.damage.is_none() && !self.is_complete() {
                self.damage = match &read {
                    Ok(row) => self.damage_at(row, &rows, moves.as_mut())?,
                    Err(what) => Some(what.clone()),
                };
                if self.damage.is_some() && !repair {
                    return Ok(());
                }
                if self.damage.is_some() && self.new.is_none() {
                    self.begin_repair(&rows)?;
                }
            }
            let agents = self.tally.names.len();
            let Some(row) = read.ok().filter(|row| row.first.max(row.second) < agents) else {
                self.damaged_lines += 1;
                continue;
            };
            expected += moves_csv_rows::expected(row);
            if self.new.is_some() {
                self.repair(*row, &rows)?;
            } else {
                self.games = rows.offset();
                self.moves = moves.as_ref().map_or(0, GameMoves::end);
                self.count(row);
            }
        }
        self.check_moves_are_there(expected)
    }

    /// The moves, if the run records or grades them.
    fn open_moves(&self) -> Result<Option<GameMoves>, FolderError> {
        // Grades are only read if the config asks for them.
        let graded = || self.folder.manifest().is_some_and(|there| there.grading.is_some());
        let is_read = self.opening.moves || graded();
        is_read.then(|| GameMoves::open(self.folder)).transpose()
    }

    /// The damage at the next row, if it is not the next game or does not fit its moves.
    fn damage_at(
        &self,
        row: &GameRow,
        rows: &GameRows<'_>,
        moves: Option<&mut GameMoves>,
    ) -> Result<Option<String>, FolderError> {
        let next = self.next();
        if next.is_none_or(|spec| !row.is(spec)) {
            let number = self.tally.rows + 1;
            let is_other = |spec| !row.is(&spec);
            if !self.schedule.may_come(row.game)
                && self.schedule.game(row.game).is_none_or(is_other)
            {
                let path = self.folder.file("games.csv");
                return Err(FolderError::order(&path, number, (row.game, row.pairing)));
            }
            let next = next.map_or(0, |spec| spec.game);
            return Ok(Some(format!(
                "games.csv: row {number} is game {} and not {next}",
                row.game
            )));
        }
        moves.map_or(Ok(None), |moves| self.damage_of_moves(row, rows.texts().1, moves))
    }

    fn damage_of_moves(
        &self,
        row: &GameRow,
        text: &str,
        moves: &mut GameMoves,
    ) -> Result<Option<String>, FolderError> {
        let name = game_moves::NAME;
        let kind = if self.opening.moves { Kind::Recorded } else { Kind::Graded };
        match moves.check(row, text, kind, None) {
            Ok(true) => Ok(None),
            Ok(false) if kind == Kind::Recorded => Ok(Some(damaged_moves(row.game))),
            // A game is not played again only because of its grades.
            Ok(false) => Err(game_moves::wrong_moves(self.folder, row.game)),
            Err(FolderError::Content { what, .. }) if kind == Kind::Recorded => {
                Ok(Some(format!("{name}: {what}")))
            }
            Err(error) => Err(error),
        }
    }

    /// Refuses a run whose games are repaired, if `moves.csv` has none of their moves.
    fn check_moves_are_there(&self, expected: u64) -> Result<(), FolderError> {
        match self.new.as_ref().and_then(|new| new.moves.as_ref()) {
            Some((_, index)) if index.is_empty() && expected > 0 => Err(FolderError::unfit(
                format!(
                    "{} holds none of the {expected} moves of games.csv: these games were played \
                     without `moves = true`, or the file was lost",
                    self.folder.file(game_moves::NAME).display()
                ),
                "leave `moves` out of `[output]`, or write to another folder with \
                     `--out DIR`; `--fresh` deletes these results",
            )),
            _ => Ok(()),
        }
    }

    /// The header of `games.csv`.
    fn header(&self) -> &'static str {
        games_csv_columns::layout(&self.tally.added_columns).header()
    }

    /// Starts new files with the games that are in order.
    fn begin_repair(&mut self, rows: &GameRows<'_>) -> Result<(), FolderError> {
        rows.lines.refuse_unknown().map_err(FolderError::rows(&self.folder.file("games.csv")))?;
        let begun = |name: &str, header: &str, kept: u64| {
            let path = self.folder.file(name);
            let mut new = self.folder.replacement(name)?;
            new.put(header.as_bytes())?;
            // Before the first game there is at most the old header.
            if self.tally.rows > 0 && kept > header.len() as u64 {
                let mut copy = || -> std::io::Result<()> {
                    let mut old = File::open(&path)?;
                    old.seek(SeekFrom::Start(header.len() as u64))?;
                    std::io::copy(&mut old.take(kept - header.len() as u64), &mut new).map(drop)
                };
                copy().map_err(FolderError::disk("copy", &path))?;
            }
            Ok(new)
        };
        let header = self.header();
        let games = begun("games.csv", header, self.games)?;
        let moves = match self.opening.moves {
            true => {
                let new = begun(game_moves::NAME, moves_csv_rows::header(), self.moves)?;
                Some((new, MovesIndex::new(self.folder)?))
            }
            false => None,
        };
        if self.tally.rows == 0 {
            self.games = header.len() as u64;
        }
        if self.tally.rows == 0 || self.moves == 0 {
            self.moves = moves_csv_rows::header().len() as u64;
        }
        self.new = Some(New { games, moves });
        Ok(())
    }

    /// Puts a game of the old files into the new files or keeps it for later.
    fn repair(&mut self, row: GameRow, rows: &GameRows<'_>) -> Result<(), FolderError> {
        let mut game = Finished { row, bytes: Vec::new(), moves: Vec::new() };
        rows.lines.copy_to(&mut game.bytes);
        let is_next = !self.is_complete() && self.next().is_some_and(|spec| row.is(spec));
        let wanted = self.remaining.wants(&row, &self.schedule);
        if !is_next && (!wanted || self.remaining.finished.contains_key(&row.game)) {
            self.repeated_rows += 1;
            return Ok(());
        }
        self.last = self.last.max(row.game);
        if let Some((_, index)) = self.new.as_mut().and_then(|new| new.moves.as_mut())
            && !index.take(&row, rows.texts().1, &mut game.moves)?
        {
            self.incomplete_games += 1;
            self.damage.get_or_insert_with(|| damaged_moves(row.game));
            return Ok(());
        }
        let size = game.bytes.len() + game.moves.len();
        if is_next {
            self.write(&game)?;
        } else if self.held_bytes + size <= MOST {
            self.held_bytes += size;
            self.remaining.finished.insert(row.game, game);
        }
        // A row that was out of order may be the next row now.
        while !self.is_complete()
            && let Some(next) = self.next().map(|spec| spec.game)
            && let Some(game) = self.remaining.finished.remove(&next)
        {
            self.held_bytes -= game.bytes.len() + game.moves.len();
            self.write(&game)?;
        }
        Ok(())
    }

    fn write(&mut self, game: &Finished) -> Result<(), FolderError> {
        if let Some(new) = &mut self.new {
            if let Some((moves, _)) = &mut new.moves {
                moves.put(&game.moves)?;
                self.moves += game.moves.len() as u64;
            }
            new.games.put(&game.bytes)?;
            self.games += game.bytes.len() as u64;
        }
        self.count(&game.row);
        Ok(())
    }

    fn count(&mut self, row: &GameRow) {
        self.tally.push(row);
        self.remaining.skip += 1;
        let ends_unit = self.remaining.skip == self.unit.len();
        if ends_unit {
            (self.remaining.units.start, self.remaining.skip) = (self.remaining.units.start + 1, 0);
        }
        if self.schedule.grow(&self.tally) {
            self.remaining.units.end = self.schedule.units();
        }
        if ends_unit {
            self.begin_unit();
        }
    }

    /// Whether nothing is left to play.
    fn is_complete(&self) -> bool {
        self.remaining.units.is_empty() || (self.remaining.skip == 0 && self.tally.is_decided())
    }

    /// Whether nothing is left to play and the files end after the last game.
    fn is_whole(&self) -> Result<bool, FolderError> {
        let ends = |name, bytes| {
            let path = self.folder.file(name);
            let data = fs::metadata(&path).map_err(FolderError::disk("read", &path))?;
            Ok(data.len() == bytes)
        };
        Ok(self.is_complete()
            && ends("games.csv", self.games)?
            && (self.moves == 0 || ends(game_moves::NAME, self.moves)?))
    }

    /// The write-ahead log of the resumed run: the remaining games of the old log, and the games
    /// after a gap. `None` if nothing is left to play.
    fn write_ahead(&mut self) -> Result<Option<WriteAheadLog>, FolderError> {
        let path = self.folder.file(write_ahead_log::NAME);
        if self.is_complete() {
            self.remaining.finished.clear();
            let _ = fs::remove_file(&path);
            return Ok(None);
        }
        let noted = write_ahead_log::read(&path, &self.tally.names, &self.tally.added_columns);
        for game in noted.map_err(FolderError::disk("read", &path))? {
            let whole = !self.opening.moves || game.has_moves();
            if whole && self.remaining.wants(&game.row, &self.schedule) {
                self.remaining.finished.entry(game.row.game).or_insert(game);
            }
        }
        let wal = WriteAheadLog::create(path.clone(), &self.remaining.finished);
        wal.map(Some).map_err(FolderError::disk("write", &path))
    }

    /// The message about repaired damage. `length` is that of `games.csv` before the pass.
    fn repaired(&self, earlier: Option<&Manifest>, length: u64) -> Option<String> {
        let noted = earlier.map_or(0, |manifest| manifest.games);
        let there = self.tally.rows;
        match &self.damage {
            Some(damage) => Some(format!("{damage}; {}", self.repair_text())),
            None if noted > there => {
                Some(format!("games.csv is cut off: it holds {there} of {noted} games"))
            }
            None if was_complete(earlier) && self.is_complete() && self.new.is_none() => {
                let file = if self.games < length { "games.csv" } else { game_moves::NAME };
                Some(format!("{file}: lines after the last game were removed"))
            }
            None => None,
        }
    }

    /// The files, open after the last game in order.
    fn outputs(&self, wal: Option<WriteAheadLog>) -> Result<Outputs<File>, FolderError> {
        let open = |name: &str, kept, header: &str| append(&self.folder.file(name), kept, header);
        let moves = match self.opening.moves {
            true => Some(open(game_moves::NAME, self.moves, moves_csv_rows::header())?),
            false => None,
        };
        let games = open("games.csv", self.games, self.header())?;
        Ok(Outputs { games, moves, wal })
    }

    fn repair_text(&self) -> String {
        let counted = |(label, count, what): &(&str, u64, &str)| {
            let plural = if *count == 1 { "" } else { "s" };
            format!("{label}: {count} {what}{plural}")
        };
        let kept = self.remaining.finished.len() as u64;
        let again = self.last.saturating_sub(self.remaining.last_game(&self.schedule) + kept);
        let found = [
            ("removed", self.damaged_lines, "damaged line"),
            ("removed", self.repeated_rows, "repeated row"),
            ("removed", self.incomplete_games, "incomplete game"),
            ("kept after the damage", kept, "game"),
            ("to play again", again, "game"),
        ];
        let mut parts: Vec<String> =
            found.iter().filter(|(_, count, _)| *count > 0).map(counted).collect();
        parts.push("copies of the old files end in .damaged".to_owned());
        parts.join("; ")
    }
}
