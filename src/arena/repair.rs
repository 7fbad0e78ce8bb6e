//! The repair of `games.csv` and `moves.csv`: lines that are sound and in order stay, games
//! behind a gap are kept until the gap is played, and all others are played again. The same
//! pass brings files of an older version to the columns of this one.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;

use super::folder::{Folder, FolderError, unreadable};
use super::merge::Part;
use super::moves::{self, MoveRows};
use super::moves_file::{self, Kind, Right};
use super::resume::{Kept, Opening, is_game};
use super::row::{self, Row, RowError, Rows};
use super::schedule::Schedule;
use super::tally::Tally;
use super::wal::{Finished, FinishedGames};

/// What a repair has found.
pub(super) struct Repair {
    /// What is in order in the new files.
    pub kept: Kept,
    /// Games behind a gap.
    pub finished: FinishedGames,
    /// The new files, not yet in their places.
    parts: Vec<Part>,
    /// Lines that are no rows.
    garbage: u64,
    /// Rows of games that were there already.
    twice: u64,
    /// Games whose moves are damaged or missing.
    bare: u64,
    /// The last game of which there is a row.
    last: u64,
}

/// What the name of a file ends with that was damaged.
const DAMAGED: &str = ".damaged";
/// Bytes of rows that are kept behind a gap.
const MOST: usize = 64 << 20;

impl Repair {
    /// For people.
    pub fn words(&self, schedule: &Schedule) -> String {
        let counted = |(label, count, what): &(&str, u64, &str)| {
            let plural = if *count == 1 { "" } else { "s" };
            format!("{label}: {count} {what}{plural}")
        };
        let kept = self.finished.len() as u64;
        let again = self.last.saturating_sub(self.kept.last_game(schedule) + kept);
        let found = [
            ("taken out", self.garbage, "damaged line"),
            ("taken out", self.twice, "repeated row"),
            ("taken out", self.bare, "incomplete game"),
            ("kept after the damage", kept, "game"),
            ("to play again", again, "game"),
        ];
        let mut parts: Vec<String> =
            found.iter().filter(|(_, count, _)| *count > 0).map(counted).collect();
        parts.push("the files as they were end in .damaged".to_owned());
        parts.join("; ")
    }

    /// Puts the new files in their places.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn keep(&mut self) -> Result<(), FolderError> {
        self.parts.drain(..).try_for_each(Part::keep)
    }
}

impl Folder {
    /// Copies what a repair will replace; what was taken out stays there for people.
    ///
    /// # Errors
    /// What the disk refuses.
    pub(super) fn keep_damaged(&self, moves: bool) -> Result<(), FolderError> {
        for name in ["games.csv", moves_file::NAME] {
            let path = self.file(name);
            if name == "games.csv" || (moves && path.exists()) {
                fs::copy(&path, self.file(&format!("{name}{DAMAGED}")))
                    .map_err(|source| FolderError::Disk { action: "copy", path, source })?;
            }
        }
        Ok(())
    }

    /// Writes new files from all that is sound in the old ones.
    ///
    /// # Errors
    /// What the disk refuses, or columns that this version does not know.
    pub(super) fn repair(
        &self,
        schedule: &Schedule,
        opening: &Opening,
        tally: Tally,
    ) -> Result<Repair, FolderError> {
        let path = self.file("games.csv");
        let bad = unreadable(&path);
        let mut rows = self.rows(|file| Rows::repairing(file, tally.names.clone()))?;
        rows.lines.refuse_unknown().map_err(&bad)?;
        let mut moves = match opening.moves {
            true => Some(Blocks::find(self)?),
            false => None,
        };
        // Moves first, as they are put in their places.
        let mut parts = Vec::new();
        if opening.moves {
            parts.push(Part::create(self, moves_file::NAME, &moves::header())?);
        }
        parts.push(Part::create(self, "games.csv", &row::header())?);
        let (known, begin) = (tally.names.len(), opening.units.start);
        let mut kept = Kept::new(begin, row::header().len() as u64, tally);
        kept.moves = moves::header().len() as u64;
        let finished = FinishedGames::new();
        let mut new = Repair { kept, finished, parts, garbage: 0, twice: 0, bare: 0, last: 0 };
        let (mut held, mut expected) = (0, 0);
        loop {
            let row = match rows.next_row() {
                Ok(Some(row)) if rows.names().len() == known => row,
                Ok(None) => break,
                Err(RowError::Io(source)) => return Err(bad(RowError::Io(source))),
                Ok(Some(_)) | Err(_) => {
                    new.garbage += 1;
                    continue;
                }
            };
            let mut game = Finished { row, bytes: Vec::new(), moves: Vec::new() };
            rows.lines.copy_to(&mut game.bytes);
            let next = new.kept.expects(schedule, &opening.units);
            if next.is_none_or(|spec| !is_game(&row, &spec))
                && (!new.kept.wants(&row, schedule, &opening.units)
                    || new.finished.contains_key(&row.game))
            {
                new.twice += 1;
                continue;
            }
            new.last = new.last.max(row.game);
            expected += moves::expected(&row);
            if let Some(moves) = &mut moves
                && !moves.take(&row, rows.texts().1, &mut game.moves)?
            {
                new.bare += 1;
                continue;
            }
            let size = game.bytes.len() + game.moves.len();
            if next.is_some_and(|spec| spec.game == row.game) {
                new.write(&game, schedule)?;
            } else if held + size <= MOST {
                held += size;
                new.finished.insert(row.game, game);
            }
            // A row that was out of place may be the next one now.
            while let Some(spec) = new.kept.expects(schedule, &opening.units)
                && let Some(game) = new.finished.remove(&spec.game)
            {
                held -= game.bytes.len() + game.moves.len();
                new.write(&game, schedule)?;
            }
        }
        match moves {
            Some(moves) if moves.places.is_empty() && expected > 0 => {
                Err(FolderError::Moves { path: moves.path, expected })
            }
            _ => Ok(new),
        }
    }
}

impl Repair {
    /// Writes the game that comes next.
    fn write(&mut self, game: &Finished, schedule: &Schedule) -> Result<(), FolderError> {
        if let [moves, _] = &mut self.parts[..] {
            moves.write(&game.moves)?;
            self.kept.moves += game.moves.len() as u64;
        }
        self.parts.last_mut().expect("games.csv").write(&game.bytes)?;
        self.kept.bytes += game.bytes.len() as u64;
        self.kept.count(&game.row, schedule);
        Ok(())
    }
}

/// Where the moves of each game are in a `moves.csv` whose rows may be in any order.
struct Blocks {
    path: std::path::PathBuf,
    file: Option<(File, MoveRows<File>)>,
    /// Byte offsets of the games whose rows follow one another.
    places: HashMap<u64, (u64, u64)>,
}

impl Blocks {
    fn find(folder: &Folder) -> Result<Self, FolderError> {
        let path = folder.file(moves_file::NAME);
        let bad = unreadable(&path);
        let mut blocks = Blocks { path: path.clone(), file: None, places: HashMap::new() };
        let Some(mut rows) = folder.move_rows(MoveRows::repairing)? else { return Ok(blocks) };
        rows.lines.refuse_unknown().map_err(&bad)?;
        let mut begin = rows.offset();
        loop {
            match rows.lines.advance() {
                Ok(false) => break,
                Ok(true) if rows.is_recorded() => {
                    if let Ok(game) = rows.game() {
                        let place = blocks.places.entry(game).or_insert((begin, begin));
                        // Rows of a game that are in two places are in neither.
                        *place = if place.1 == begin { (place.0, rows.offset()) } else { (0, 0) };
                    }
                }
                Err(RowError::Io(source)) => return Err(bad(RowError::Io(source))),
                Ok(true) | Err(_) => {}
            }
            begin = rows.offset();
        }
        let file = File::open(&path).map_err(|error| bad(error.into()))?;
        blocks.file = Some((file, rows));
        Ok(blocks)
    }

    /// Appends the rows of a game as this version writes them; whether they are sound.
    fn take(&mut self, row: &Row, text: &str, out: &mut Vec<u8>) -> Result<bool, FolderError> {
        let mut right = Right::new(row, text, Kind::Recorded);
        if let Some(&(begin, end)) = self.places.get(&row.game)
            && let Some((file, rows)) = &mut self.file
        {
            let mut block = vec![0; (end - begin) as usize];
            let read: io::Result<()> = file.read_exact_at(&mut block, begin);
            read.map_err(|error| unreadable(&self.path)(error.into()))?;
            for line in block.split_inclusive(|&byte| byte == b'\n') {
                if rows.lines.load(line).and_then(|()| right.see(rows)).is_err() {
                    return Ok(false);
                }
                rows.lines.copy_to(out);
            }
        }
        Ok(right.is_all())
    }
}
