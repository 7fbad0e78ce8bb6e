//! A damaged `games.csv`: what is no row goes, what is there twice goes once, and rows behind
//! a gap are kept until the gap is played.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

use super::ahead::{Finished, FinishedGames};
use super::begin::{Kept, Opening, is_game, read_line};
use super::moves::{self, MoveRows};
use super::results::{Folder, FolderError, whole_lines};
use super::resume;
use super::row::{self, Row, Rows};
use super::schedule::Schedule;

/// What was found behind the damage.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Games behind a gap.
    pub finished: FinishedGames,
    /// Lines that were no rows.
    garbage: u64,
    /// Rows of games that were there already.
    twice: u64,
    /// Rows that are played again, because too many waited behind a gap.
    dropped: u64,
}

/// The old file.
const DAMAGED: &str = "games.csv.damaged";
/// The new one, until it is complete.
const PART: &str = ".agon-games.csv";
/// The longest line that is looked at.
const LONGEST: u64 = 1 << 24;
/// Bytes of rows that are kept behind a gap.
const MOST: usize = 64 << 20;

impl Found {
    /// For people.
    pub fn words(&self) -> String {
        let Found { garbage, twice, dropped, finished } = self;
        let mut text = format!(
            "taken out: {garbage} lines that are no rows, {twice} rows that are there twice; \
             the file as it was is {DAMAGED}"
        );
        if !finished.is_empty() || *dropped > 0 {
            text += &format!(
                "; behind a gap {} games are kept and {dropped} played again",
                finished.len()
            );
        }
        text
    }
}

impl Folder {
    /// Writes `games.csv` anew from what is whole behind `kept`, which goes on as far as the
    /// games are in order. The old file is kept under another name.
    ///
    /// # Errors
    /// What the disk refuses.
    pub(super) fn mend(
        &self,
        games: &File,
        schedule: &Schedule,
        opening: &Opening,
        kept: &mut Kept,
    ) -> Result<Found, FolderError> {
        let path = self.file("games.csv");
        let disk = |action| {
            let path = path.clone();
            move |source| FolderError::Disk { action, path, source }
        };
        let whole = whole_lines(games).map_err(disk("read"))?;
        fs::copy(&path, self.file(DAMAGED)).map_err(disk("copy"))?;
        let part = self.file(PART);
        let mut out = BufWriter::new(File::create(&part).map_err(disk("mend"))?);
        let mut source = games;
        source.seek(SeekFrom::Start(0)).map_err(disk("read"))?;
        io::copy(&mut source.take(kept.bytes), &mut out).map_err(disk("mend"))?;
        let mut reader = BufReader::new(games.take(whole - kept.bytes));
        let (mut found, mut line, mut held) = (Found::default(), Vec::new(), 0);
        while read_line(&mut reader, &mut line, LONGEST).map_err(disk("read"))? {
            let Some(row) = parse(&line, &kept.tally.names) else {
                found.garbage += 1;
                continue;
            };
            let expected = kept.expects(schedule, &opening.units);
            if expected.is_some_and(|spec| is_game(&row, &spec)) {
                out.write_all(&line).map_err(disk("mend"))?;
                kept.bytes += line.len() as u64;
                kept.count(&row, schedule);
            } else if !kept.wants(&row, schedule, &opening.units)
                || found.finished.contains_key(&row.game)
            {
                found.twice += 1;
            } else if held + line.len() > MOST {
                found.dropped += 1;
            } else {
                held += line.len();
                let game = Finished { row, bytes: line.clone(), moves: Vec::new() };
                found.finished.insert(row.game, game);
            }
            // A row that was out of place may be the next one now.
            while let Some(spec) = kept.expects(schedule, &opening.units)
                && let Some(game) = found.finished.remove(&spec.game)
            {
                out.write_all(&game.bytes).map_err(disk("mend"))?;
                kept.bytes += game.bytes.len() as u64;
                held -= game.bytes.len();
                kept.count(&game.row, schedule);
            }
        }
        if opening.moves {
            let before = found.finished.len();
            self.take_moves(&mut found.finished)?;
            found.dropped += (before - found.finished.len()) as u64;
        }
        let file = out.into_inner().map_err(|error| disk("mend")(error.into_error()))?;
        file.sync_data().map_err(disk("mend"))?;
        fs::rename(&part, &path).map_err(disk("mend"))?;
        Ok(found)
    }

    /// Gives games the rows of their moves; a game whose moves are not all there goes.
    fn take_moves(&self, games: &mut FinishedGames) -> Result<(), FolderError> {
        let path = self.file(resume::NAME);
        let disk = |source| FolderError::Disk { action: "read", path: path.clone(), source };
        let bad = |source| FolderError::Games { path: path.clone(), source };
        if !games.is_empty() && self.has_moves() {
            let file = File::open(&path).map_err(disk)?;
            let whole = whole_lines(&file).map_err(disk)?;
            let mut rows = MoveRows::new(BufReader::new((&file).take(whole))).map_err(bad)?;
            let mut copy = BufReader::new(File::open(&path).map_err(disk)?);
            let (mut line, mut at) = (Vec::new(), 0);
            let wanted: HashSet<u64> = games.keys().copied().collect();
            while rows.advance().map_err(bad)? {
                // The same row as it stands in the file.
                while at < rows.offset()
                    && read_line(&mut copy, &mut line, LONGEST).map_err(disk)?
                {
                    at += line.len() as u64;
                }
                let game = rows.game().map_err(bad)?;
                if wanted.contains(&game)
                    && let Some(there) = games.get_mut(&game)
                {
                    there.moves.extend_from_slice(&line);
                }
            }
        }
        games.retain(|_, game| {
            let lines = game.moves.iter().filter(|&&byte| byte == b'\n').count() as u64;
            lines == moves::expected(&game.row)
        });
        Ok(())
    }
}

/// The row in a line, if it is one.
fn parse(line: &[u8], names: &[String]) -> Option<Row> {
    if !line.ends_with(b"\n") {
        return None;
    }
    let text = [row::header().as_bytes(), line].concat();
    let mut rows = Rows::new(&text[..], names.to_vec()).ok()?;
    let row = rows.next_row().ok()??;
    (rows.names().len() == names.len()).then_some(row)
}
