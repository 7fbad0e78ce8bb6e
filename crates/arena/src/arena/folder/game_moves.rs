//! Reads `moves.csv` together with `games.csv`: in game order, or in any order through an index.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::results_folder::Folder;
use crate::rows::games_csv_rows::GameRow;
use crate::rows::moves_csv_rows;
use crate::rows::moves_csv_rows::{MoveRow, MoveRows};
use crate::rows::results_folder_errors::{FolderError, RowError};
use crate::util::unix;

pub(crate) const NAME: &str = "moves.csv";

/// The rows of `moves.csv`, game by game.
pub struct GameMoves {
    path: PathBuf,
    rows: Option<MoveRows<'static>>,
    /// Whether the current row belongs to a later game; `None` before the first row.
    has_row: Option<bool>,
    /// The byte offset after the last row that belonged to a game.
    end: u64,
}

impl GameMoves {
    /// Opens the file; a missing file has no rows.
    pub fn open(folder: &Folder) -> Result<Self, FolderError> {
        let path = folder.file(NAME);
        let rows = open(&path)?;
        let end = rows.as_ref().map_or(0, MoveRows::offset);
        Ok(GameMoves { path, rows, has_row: None, end })
    }

    /// Passes each row of a game to `visit`; games must come in order.
    fn each(
        &mut self,
        game: u64,
        mut visit: impl FnMut(&MoveRows<'_>) -> Result<(), RowError>,
    ) -> Result<(), FolderError> {
        let Some(rows) = &mut self.rows else { return Ok(()) };
        let mut read = || {
            if self.has_row.is_none() {
                self.has_row = Some(rows.advance()?);
            }
            while self.has_row == Some(true) {
                let at = rows.game()?;
                if at > game {
                    break;
                }
                if at == game {
                    visit(rows)?;
                    self.end = rows.offset();
                }
                self.has_row = Some(rows.advance()?);
            }
            Ok(())
        };
        read().map_err(FolderError::rows(&self.path))
    }

    /// The rows of a game.
    pub fn of(&mut self, game: u64) -> Result<Vec<MoveRow>, FolderError> {
        let mut found = Vec::new();
        self.each(game, |rows| rows.row().map(|row| found.push(row)))?;
        Ok(found)
    }

    /// Checks that the rows of a game with the moves `text` are complete and correct. Appends them
    /// to `out` in the format of this version.
    pub(crate) fn check(
        &mut self,
        row: &GameRow,
        text: &str,
        kind: Kind,
        mut out: Option<&mut Vec<u8>>,
    ) -> Result<bool, FolderError> {
        let mut check = MovesCheck::new(row, text, kind);
        self.each(row.game, |rows| {
            if let Some(out) = &mut out {
                rows.lines.refuse_unknown()?;
                rows.lines.copy_to(out);
            }
            check.add(rows)
        })?;
        Ok(check.is_passed())
    }

    /// The byte offset after the last row that belonged to a game.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Whether the rows have the format of this version.
    pub fn is_current(&self) -> bool {
        self.rows.as_ref().is_none_or(|rows| rows.lines.is_current())
    }
}

/// An index of a `moves.csv` with rows in any order: the position of the moves of each game.
pub(crate) struct MovesIndex {
    path: PathBuf,
    file: Option<(File, MoveRows<'static>)>,
    /// Byte offsets of the games with contiguous rows.
    places: HashMap<u64, (u64, u64)>,
}

impl MovesIndex {
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
                        // If the rows of a game are in two places, neither place is used.
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

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Appends the rows of a game in the format of this version; returns whether they are valid.
    pub fn take(
        &mut self,
        row: &GameRow,
        text: &str,
        out: &mut Vec<u8>,
    ) -> Result<bool, FolderError> {
        let mut check = MovesCheck::new(row, text, Kind::Recorded);
        if let Some(&(begin, end)) = self.places.get(&row.game)
            && let Some((file, rows)) = &mut self.file
        {
            let mut block = vec![0; (end - begin) as usize];
            let read = unix::read_exact_at(file, &mut block, begin);
            read.map_err(FolderError::disk("read", &self.path))?;
            for line in block.split_inclusive(|&byte| byte == b'\n') {
                if rows.lines.is_blank(line) {
                    continue;
                }
                if rows.lines.load(line).and_then(|()| check.add(rows)).is_err() {
                    return Ok(false);
                }
                rows.lines.copy_to(out);
            }
        }
        Ok(check.is_passed())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// All moves, recorded during play.
    Recorded,
    /// All moves, or none if the game was not graded.
    Graded,
}

struct MovesCheck<'a> {
    words: std::str::Split<'a, char>,
    kind: Kind,
    expected: u64,
    found: u64,
    /// The ply of the last row.
    last: u64,
    is_right: bool,
}

impl<'a> MovesCheck<'a> {
    fn new(row: &GameRow, text: &'a str, kind: Kind) -> Self {
        let (expected, last) = (moves_csv_rows::expected(row), u64::from(row.plies));
        MovesCheck { words: text.split(' '), kind, expected, found: 0, last, is_right: true }
    }

    fn add(&mut self, rows: &MoveRows<'_>) -> Result<(), RowError> {
        self.found += 1;
        self.is_right &= u64::from(rows.ply()?) + self.expected == self.last + self.found
            && self.words.any(|word| word == rows.text())
            && (self.kind == Kind::Graded || rows.is_recorded());
        Ok(())
    }

    fn is_passed(&self) -> bool {
        self.is_right
            && (self.found == self.expected || (self.kind == Kind::Graded && self.found == 0))
    }
}

pub(crate) fn wrong_moves(folder: &Folder, game: u64) -> FolderError {
    let what = format!("the moves of game {game} differ from those in games.csv");
    FolderError::content(&folder.file(NAME), what)
}

/// Opens a `moves.csv` with checksums at the rows of a game or a little before them. After an error,
/// line numbers are wrong. `None` if the file is missing, empty or without checksums.
pub(crate) fn open_at(path: &Path, game: u64) -> Result<Option<MoveRows<'static>>, FolderError> {
    let Some(rows) = open(path)?.filter(|rows| rows.lines.is_sealed()) else { return Ok(None) };
    let header = rows.offset();
    let search = || {
        let (mut begin, mut end) = (header, std::fs::metadata(path)?.len());
        while end.saturating_sub(begin) > BISECTED {
            let middle = begin + (end - begin) / 2;
            let (start, mut later) = rows_after(path, header, middle)?;
            match later.advance()? && later.game()? < game {
                true => begin = start,
                false => end = middle,
            }
        }
        rows_after(path, header, begin - 1).map(|(_, rows)| Some(rows))
    };
    search().map_err(FolderError::rows(path))
}

/// The size in bytes from which a part of the file is read row by row.
const BISECTED: u64 = 1 << 16;

/// The rows after the next newline at or after a byte, and where they start. `header` is the length
/// of the header.
fn rows_after(path: &Path, header: u64, byte: u64) -> Result<(u64, MoveRows<'static>), RowError> {
    let mut file = BufReader::new(File::open(path)?);
    let mut head = vec![0; header as usize];
    file.read_exact(&mut head)?;
    file.seek(SeekFrom::Start(byte))?;
    let start = byte + file.skip_until(b'\n')? as u64;
    Ok((start, MoveRows::new(io::Cursor::new(head).chain(file))?))
}

/// Opens a `moves.csv`; `None` if the file is missing or empty.
pub(crate) fn open(path: &Path) -> Result<Option<MoveRows<'static>>, FolderError> {
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
