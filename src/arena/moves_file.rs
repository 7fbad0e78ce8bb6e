//! `moves.csv` beside `games.csv`: the rows of each game, in step with the games or wherever
//! they are.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::error::{FolderError, RowError};
use super::folder::Folder;
use super::moves::{self, MoveRow, MoveRows};
use super::row::Row;

/// The file's name.
pub(super) const NAME: &str = "moves.csv";

/// The rows of `moves.csv`, game by game.
pub(super) struct GameMoves {
    path: PathBuf,
    rows: Option<MoveRows<File>>,
    /// Whether the row that was read last belongs to a later game; `None` before the first one.
    there: Option<bool>,
    /// The byte offset after the last row that belonged to a game.
    end: u64,
}

impl GameMoves {
    /// Begins to read; a file that is not there holds no rows.
    ///
    /// # Errors
    /// A file that cannot be read, or a header that lacks a column.
    pub fn open(folder: &Folder) -> Result<Self, FolderError> {
        let path = folder.file(NAME);
        let rows = open(&path)?;
        let end = rows.as_ref().map_or(0, MoveRows::offset);
        Ok(GameMoves { path, rows, there: None, end })
    }

    /// Shows each row of a game; games come in order.
    fn each(
        &mut self,
        game: u64,
        mut see: impl FnMut(&MoveRows<File>) -> Result<(), RowError>,
    ) -> Result<(), FolderError> {
        let Some(rows) = &mut self.rows else { return Ok(()) };
        let mut read = || {
            if self.there.is_none() {
                self.there = Some(rows.advance()?);
            }
            while self.there == Some(true) {
                let at = rows.game()?;
                if at > game {
                    break;
                }
                if at == game {
                    see(rows)?;
                    self.end = rows.offset();
                }
                self.there = Some(rows.advance()?);
            }
            Ok(())
        };
        read().map_err(FolderError::rows(&self.path))
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

    /// Whether the rows of a game whose moves are `text` are all there and are its own; appends
    /// them to `out` as this version writes them.
    ///
    /// # Errors
    /// A file that cannot be read, or a row that is damaged.
    pub fn check(
        &mut self,
        row: &Row,
        text: &str,
        kind: Kind,
        mut out: Option<&mut Vec<u8>>,
    ) -> Result<bool, FolderError> {
        let mut right = Right::new(row, text, kind);
        self.each(row.game, |rows| {
            if let Some(out) = &mut out {
                rows.lines.refuse_unknown()?;
                rows.lines.copy_to(out);
            }
            right.see(rows)
        })?;
        Ok(right.is_all())
    }

    /// The byte offset after the last row that belonged to a game.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Whether rows are written as this version writes them.
    pub fn is_current(&self) -> bool {
        self.rows.as_ref().is_none_or(|rows| rows.lines.is_current())
    }
}

/// Where the moves of each game are in a `moves.csv` whose rows may be in any order.
pub(super) struct MovesIndex {
    path: PathBuf,
    file: Option<(File, MoveRows<File>)>,
    /// Byte offsets of the games whose rows follow one another.
    places: HashMap<u64, (u64, u64)>,
}

impl MovesIndex {
    /// Reads the file once.
    ///
    /// # Errors
    /// A file that cannot be read, or columns that this version does not know.
    pub fn new(folder: &Folder) -> Result<Self, FolderError> {
        let path = folder.file(NAME);
        let bad = FolderError::rows(&path);
        let mut index = MovesIndex { path: path.clone(), file: None, places: HashMap::new() };
        let Some(mut rows) = open(&path)? else { return Ok(index) };
        rows.lines.refuse_unknown().map_err(&bad)?;
        let mut begin = rows.offset();
        loop {
            match rows.lines.advance() {
                Ok(false) => break,
                Ok(true) if rows.is_recorded() => {
                    if let Ok(game) = rows.game() {
                        let place = index.places.entry(game).or_insert((begin, begin));
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
        index.file = Some((file, rows));
        Ok(index)
    }

    /// Whether it holds no row of any game.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Appends the rows of a game as this version writes them; whether they are sound.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn take(&mut self, row: &Row, text: &str, out: &mut Vec<u8>) -> Result<bool, FolderError> {
        let mut right = Right::new(row, text, Kind::Recorded);
        if let Some(&(begin, end)) = self.places.get(&row.game)
            && let Some((file, rows)) = &mut self.file
        {
            let mut block = vec![0; (end - begin) as usize];
            let read = file.read_exact_at(&mut block, begin);
            read.map_err(FolderError::disk("read", &self.path))?;
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

/// Which rows a game has in `moves.csv`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// All moves were written down while they were played.
    Recorded,
    /// All moves, or none where the game was not graded.
    Graded,
}

/// Whether rows are those of a game.
struct Right<'a> {
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
    fn new(row: &Row, text: &'a str, kind: Kind) -> Self {
        let (expected, last) = (moves::expected(row), u64::from(row.plies));
        Right { words: text.split(' '), kind, expected, found: 0, last, right: true }
    }

    fn see<R: Read>(&mut self, rows: &MoveRows<R>) -> Result<(), RowError> {
        self.found += 1;
        self.right &= u64::from(rows.ply()?) + self.expected == self.last + self.found
            && self.words.any(|word| word == rows.text())
            && (self.kind == Kind::Graded || rows.is_recorded());
        Ok(())
    }

    fn is_all(&self) -> bool {
        self.right
            && (self.found == self.expected || (self.kind == Kind::Graded && self.found == 0))
    }
}

/// That the rows of a game are not those of its moves.
pub(super) fn strange(folder: &Folder, game: u64) -> FolderError {
    let what = format!("its moves of game {game} are not those of games.csv");
    FolderError::content(&folder.file(NAME), what)
}

/// Opens a `moves.csv`; `None` where it is not there, or holds no line.
///
/// # Errors
/// A file that cannot be read, or a header that lacks a column.
pub(super) fn open(path: &Path) -> Result<Option<MoveRows<File>>, FolderError> {
    let begin = || -> io::Result<Option<File>> {
        let mut file = File::open(path)?;
        let mut begin = Vec::new();
        (&file).take(1 << 12).read_to_end(&mut begin)?;
        file.rewind()?;
        Ok(begin.contains(&b'\n').then_some(file))
    };
    let file = match begin() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(FolderError::disk("read", path))?,
    };
    file.map(MoveRows::new).transpose().map_err(FolderError::rows(path))
}
