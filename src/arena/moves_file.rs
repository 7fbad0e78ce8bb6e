//! `moves.csv` beside `games.csv`: the rows of each game, read in step with the games.

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::PathBuf;

use super::folder::{Folder, FolderError, unreadable};
use super::moves::{self, MoveRow, MoveRows};
use super::row::{Row, RowError};

/// The file's name.
pub(super) const NAME: &str = "moves.csv";

/// The rows of `moves.csv`, game by game.
pub(super) struct GameMoves {
    path: PathBuf,
    rows: Option<MoveRows<File>>,
    /// The row that was read last belongs to a later game.
    there: bool,
    /// The byte offset behind the last row that belonged to a game.
    end: u64,
}

impl GameMoves {
    /// Begins to read; a file that is not there holds no rows.
    ///
    /// # Errors
    /// A file that cannot be read, or a header that is not its own.
    pub fn open(folder: &Folder) -> Result<Self, FolderError> {
        let path = folder.file(NAME);
        let mut rows = folder.move_rows(MoveRows::new)?;
        let end = rows.as_ref().map_or(0, MoveRows::offset);
        let there = rows.as_mut().map_or(Ok(false), MoveRows::advance);
        let there = there.map_err(unreadable(&path))?;
        Ok(GameMoves { path, rows, there, end })
    }

    /// Shows each row of a game; games come in order. How many rows there are.
    fn each(
        &mut self,
        game: u64,
        mut see: impl FnMut(&MoveRows<File>) -> Result<(), RowError>,
    ) -> Result<u64, FolderError> {
        let Some(rows) = &mut self.rows else { return Ok(0) };
        let mut read = || {
            let mut found = 0;
            while self.there {
                let at = rows.game()?;
                if at > game {
                    break;
                }
                if at == game {
                    see(rows)?;
                    found += 1;
                    self.end = rows.offset();
                }
                self.there = rows.advance()?;
            }
            Ok(found)
        };
        read().map_err(unreadable(&self.path))
    }

    /// The rows of a game.
    ///
    /// # Errors
    /// A file that cannot be read, or a row that is damaged.
    pub fn of(&mut self, game: u64) -> Result<Vec<MoveRow>, FolderError> {
        let mut found = Vec::new();
        self.each(game, |rows| rows.row().map(|row| found.push(row)))?;
        Ok(found)
    }

    /// Checks the rows of a game whose moves are `text`, and appends them to `out` as this
    /// version writes them.
    ///
    /// # Errors
    /// A file that cannot be read, a row that is damaged, or rows that are not the game's.
    pub fn check(
        &mut self,
        row: &Row,
        text: &str,
        kind: Kind,
        mut out: Option<&mut Vec<u8>>,
    ) -> Result<(), FolderError> {
        let mut right = Right::new(row, text, kind);
        self.each(row.game, |rows| {
            if let Some(out) = &mut out {
                rows.lines.refuse_unknown()?;
                rows.lines.copy_to(out);
            }
            right.see(rows)
        })?;
        match right.is_all() {
            true => Ok(()),
            false => Err(FolderError::Strange { path: self.path.clone(), game: row.game }),
        }
    }

    /// The byte offset behind the last row that belonged to a game.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Whether rows are written as this version writes them.
    pub fn is_current(&self) -> bool {
        self.rows.as_ref().is_none_or(|rows| rows.lines.is_current())
    }
}

/// Which rows a game has in `moves.csv`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// All moves were written down while they were played.
    Recorded,
    /// All moves, or none where the game was not graded.
    Graded,
}

/// Whether rows are those of a game.
pub(super) struct Right<'a> {
    words: std::str::Split<'a, char>,
    kind: Kind,
    /// The rows that there should be, and how many there are.
    expected: u64,
    found: u64,
    /// The ply of the last row.
    last: u64,
    right: bool,
}

impl<'a> Right<'a> {
    pub fn new(row: &Row, text: &'a str, kind: Kind) -> Self {
        let (expected, last) = (moves::expected(row), u64::from(row.plies));
        Right { words: text.split(' '), kind, expected, found: 0, last, right: true }
    }

    pub fn see<R: Read>(&mut self, rows: &MoveRows<R>) -> Result<(), RowError> {
        self.found += 1;
        self.right &= u64::from(rows.ply()?) + self.expected == self.last + self.found
            && self.words.any(|word| word == rows.text())
            && (self.kind == Kind::Graded || rows.is_recorded());
        Ok(())
    }

    pub fn is_all(&self) -> bool {
        self.right
            && (self.found == self.expected || (self.kind == Kind::Graded && self.found == 0))
    }
}

impl Folder {
    /// Opens `moves.csv`; `None` where it is not there, or holds no line.
    ///
    /// # Errors
    /// A file that cannot be read, or a header that is not its own.
    pub(super) fn move_rows(
        &self,
        open: impl FnOnce(File) -> Result<MoveRows<File>, RowError>,
    ) -> Result<Option<MoveRows<File>>, FolderError> {
        let path = self.file(NAME);
        let begin = || -> io::Result<Option<File>> {
            let mut file = File::open(&path)?;
            let mut begin = Vec::new();
            (&file).take(1 << 12).read_to_end(&mut begin)?;
            file.rewind()?;
            Ok(begin.contains(&b'\n').then_some(file))
        };
        let file = match begin() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(|error| unreadable(&path)(error.into()))?,
        };
        file.map(open).transpose().map_err(unreadable(&path))
    }

    /// Whether there is a `moves.csv`.
    pub fn has_moves(&self) -> bool {
        fs::metadata(self.file(NAME)).is_ok_and(|data| data.len() > 0)
    }
}
