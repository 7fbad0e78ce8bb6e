//! `moves.csv` when a run goes on: the rows of games that count stay, what is behind them goes.

use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};

use super::moves::{self, MoveRows};
use super::results::{Folder, FolderError, whole_lines};
use super::row::RowError;
use super::tally::Tally;

/// The file's name.
pub(super) const NAME: &str = "moves.csv";
/// Longer than any row.
const TAIL: u64 = 1 << 16;

impl Folder {
    /// Opens `moves.csv` behind the moves of the games that were counted, the last of them
    /// game number `last`. A torn line and the moves of later games are cut off.
    ///
    /// # Errors
    /// What the disk refuses, rows that no run writes, or games without their moves.
    pub(super) fn open_moves(&self, tally: &Tally, last: u64) -> Result<File, FolderError> {
        let path = self.file(NAME);
        let disk = |action| {
            let path = path.clone();
            move |source| FolderError::Disk { action, path, source }
        };
        let bad = |source| FolderError::Games { path: path.clone(), source };
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).append(true).create(true).open(&path).map_err(disk("open"))?;
        let whole = whole_lines(&file).map_err(disk("read"))?;
        let (mut bytes, mut there) = (0, 0);
        if whole > 0 {
            let header = moves::header();
            let mut begin = Vec::new();
            (&file).take(header.len() as u64).read_to_end(&mut begin).map_err(disk("read"))?;
            if begin != header.as_bytes() {
                return Err(bad(RowError::Foreign));
            }
            (&file).rewind().map_err(disk("read"))?;
            let reader = BufReader::with_capacity(1 << 16, (&file).take(whole));
            let mut rows = MoveRows::new(reader).map_err(bad)?;
            bytes = rows.offset();
            while rows.advance().map_err(bad)? && rows.game().map_err(bad)? <= last {
                there += 1;
                bytes = rows.offset();
            }
        }
        let expected = expected(tally);
        if there != expected {
            return Err(FolderError::Moves { path, there, expected });
        }
        file.set_len(bytes).map_err(disk("truncate"))?;
        if bytes == 0 {
            file.write_all(moves::header().as_bytes()).map_err(disk("write"))?;
        }
        Ok(file)
    }

    /// The game that the last whole row of `moves.csv` belongs to, if it tells of any.
    ///
    /// # Errors
    /// What the disk refuses.
    pub(super) fn last_of_moves(&self) -> Result<Option<u64>, FolderError> {
        let path = self.file(NAME);
        let disk = |source| FolderError::Disk { action: "read", path: path.clone(), source };
        let mut file = File::open(&path).map_err(disk)?;
        let whole = whole_lines(&file).map_err(disk)?;
        file.seek(SeekFrom::Start(whole.saturating_sub(TAIL))).map_err(disk)?;
        let mut tail = Vec::new();
        file.take(whole.min(TAIL)).read_to_end(&mut tail).map_err(disk)?;
        let text = String::from_utf8_lossy(&tail);
        let last = text.lines().last().and_then(|line| line.split(',').next());
        Ok(last.and_then(|number| number.parse().ok()))
    }

    /// Whether there is a `moves.csv`.
    pub fn has_moves(&self) -> bool {
        fs::metadata(self.file(NAME)).is_ok_and(|data| data.len() > 0)
    }
}

/// How many moves the games that were counted have: every answer of an agent but those by
/// which it lost.
fn expected(tally: &Tally) -> u64 {
    let answers: u64 = tally.agents.iter().map(|agent| agent.moves).sum();
    let faults = tally.reasons.iter().filter(|(reason, _)| moves::is_fault(reason));
    answers - faults.map(|(_, games)| games).sum::<u64>()
}
