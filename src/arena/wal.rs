//! The side journal `games.ahead`: games that are finished while an earlier one still runs.
//!
//! `games.csv` is in game order, so that a finished game behind one that still runs cannot be
//! written there yet. It is written here at once, and forgotten when its turn has come, so
//! that a killed run plays nothing again but the games that were running. What is in it is
//! bounded, because workers that are far ahead wait, and the file is written anew when most of
//! it is forgotten.
//!
//! A frame holds the rows of games that follow one another: a line `@ROWS MOVES`, then ROWS
//! bytes of rows for `games.csv` and MOVES bytes for `moves.csv`. Each row has its
//! checksum, and a game counts its moves, so that a torn or damaged frame is known.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::moves::{self, MoveRows};
use super::row::{self, Row, Rows};
use super::watchdog::vanished;

/// The file's name.
pub(super) const NAME: &str = "games.ahead";
/// Larger files are written anew when little of them is still wanted.
const SMALL: u64 = 1 << 20;
/// No side journal is larger; what is behind is not read.
const LARGEST: u64 = 1 << 30;

/// A game that was finished, as it will stand in the files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// What is counted of it.
    pub row: Row,
    /// Its line in `games.csv`.
    pub bytes: Vec<u8>,
    /// Its lines in `moves.csv`.
    pub moves: Vec<u8>,
}

/// Finished games by number.
pub type FinishedGames = HashMap<u64, Finished>;

/// The side journal of a run.
#[derive(Debug)]
pub struct Wal {
    path: PathBuf,
    file: File,
    /// Bytes in the file.
    size: u64,
    /// What is still wanted, by the first game of each frame.
    frames: BTreeMap<u64, Frame>,
    /// Bytes of it.
    live: u64,
}

#[derive(Debug)]
struct Frame {
    last: u64,
    bytes: Vec<u8>,
}

impl Wal {
    /// A side journal that holds nothing but these games, on disk before this returns.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn create(path: PathBuf, games: &FinishedGames) -> io::Result<Self> {
        let mut numbers: Vec<&u64> = games.keys().collect();
        numbers.sort_unstable();
        let mut frames = BTreeMap::new();
        for number in numbers {
            let Finished { bytes, moves, .. } = &games[number];
            frames.insert(*number, Frame { last: *number, bytes: frame(bytes, moves) });
        }
        let (file, size) = write_anew(&path, &frames)?;
        Ok(Wal { path, file, size, frames, live: size })
    }

    /// Adds the games `first` to `last` with their rows.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn note(&mut self, first: u64, last: u64, rows: &[u8], moves: &[u8]) -> io::Result<()> {
        let bytes = frame(rows, moves);
        self.file.write_all(&bytes)?;
        self.size += bytes.len() as u64;
        self.live += bytes.len() as u64;
        if let Some(old) = self.frames.insert(first, Frame { last, bytes }) {
            self.live -= old.bytes.len() as u64;
        }
        Ok(())
    }

    /// Everything up to that game is in `games.csv`.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn forget(&mut self, last: u64) -> io::Result<()> {
        while let Some(first) = self.frames.first_entry()
            && first.get().last <= last
        {
            self.live -= first.remove().bytes.len() as u64;
        }
        if self.size > SMALL && self.size > 4 * self.live {
            if self.live == 0 {
                self.file.set_len(0)?;
                self.size = 0;
            } else {
                // The file is open: what is not found is the folder, gone from its place.
                let gone = |error: io::Error| match error.kind() {
                    io::ErrorKind::NotFound => vanished(),
                    _ => error,
                };
                (self.file, self.size) = write_anew(&self.path, &self.frames).map_err(gone)?;
            }
        }
        Ok(())
    }

    /// The file, to be synced.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Nothing is ahead any more.
    pub fn remove(self) {
        // What is left behind is of no use, but does no harm.
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_file(part(&self.path));
    }
}

/// What a new file is called until it is whole.
fn part(path: &Path) -> PathBuf {
    path.with_extension("ahead.part")
}

/// Writes a new file under another name and puts it in the place of the old one.
fn write_anew(path: &Path, frames: &BTreeMap<u64, Frame>) -> io::Result<(File, u64)> {
    let part = part(path);
    let mut file = File::create(&part)?;
    let mut size = 0;
    for frame in frames.values() {
        file.write_all(&frame.bytes)?;
        size += frame.bytes.len() as u64;
    }
    // What was on the disk before must not be lost with the power.
    if size > 0 {
        file.sync_data()?;
    }
    fs::rename(&part, path)?;
    // To append: after the file was emptied, writing goes on at its beginning.
    Ok((OpenOptions::new().append(true).open(path)?, size))
}

/// Rows as a frame.
fn frame(rows: &[u8], moves: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(64 + rows.len() + moves.len());
    writeln!(bytes, "@{} {}", rows.len(), moves.len()).expect("memory takes everything");
    bytes.extend_from_slice(rows);
    bytes.extend_from_slice(moves);
    bytes
}

/// The games in a side journal, those before a torn frame. Which games they are, the caller
/// has to check.
///
/// # Errors
/// A file that cannot be read; one that is not there holds nothing.
pub fn read(path: &Path, names: &[String]) -> io::Result<Vec<Finished>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        file => file?,
    };
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes)?;
    let (mut games, mut rest) = (Vec::new(), &bytes[..]);
    while let Some((rows, moves, behind)) = next_frame(rest) {
        rest = behind;
        match games_of(rows, moves, names) {
            Some(found) => games.extend(found),
            None => break,
        }
    }
    Ok(games)
}

/// Rows and moves of the first frame, and what is behind it; `None` where none is whole.
fn next_frame(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let end = bytes.iter().take(100).position(|&byte| byte == b'\n')?;
    let line = std::str::from_utf8(&bytes[..end]).ok()?.strip_prefix('@')?;
    let (rows, moves) = line.split_once(' ')?;
    let (rows, moves): (usize, usize) = (rows.parse().ok()?, moves.parse().ok()?);
    let body = &bytes[end + 1..];
    if rows.checked_add(moves)? > body.len() {
        return None;
    }
    let (rows, behind) = body.split_at(rows);
    let (moves, behind) = behind.split_at(moves);
    Some((rows, moves, behind))
}

/// The games of a frame; `None` where they are not those of this version of agon.
fn games_of(rows: &[u8], moves: &[u8], names: &[String]) -> Option<Vec<Finished>> {
    let head = row::header();
    let text = [head.as_bytes(), rows].concat();
    let mut reader = Rows::new(&text[..], names.to_vec()).ok()?;
    let mut games: Vec<Finished> = Vec::new();
    let mut begin = head.len();
    while let Some(row) = reader.next_row().ok()? {
        let end = reader.offset() as usize;
        games.push(Finished { row, bytes: text[begin..end].to_vec(), moves: Vec::new() });
        begin = end;
    }
    if reader.names().len() > names.len() {
        return None;
    }
    let head = moves::header();
    let text = [head.as_bytes(), moves].concat();
    let mut reader = MoveRows::new(&text[..]).ok()?;
    let mut begin = head.len();
    while reader.advance().ok()? {
        let (game, end) = (reader.game().ok()?, reader.offset() as usize);
        let place = games.iter().position(|there| there.row.game == game)?;
        games[place].moves.extend_from_slice(&text[begin..end]);
        begin = end;
    }
    Some(games)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of `games.csv`.
    fn line(game: u64) -> Vec<u8> {
        let text = format!("{game},1,1,a,b,first,line,5,,1 2 3,9,9,7,7,3,2,3,2,4,4,0,");
        let mut line = text.into_bytes();
        row::LAYOUT.seal(&mut line, 0);
        line
    }

    fn moves(game: u64) -> Vec<u8> {
        let mut lines = Vec::new();
        for text in ["1,first,a,1,2,3,4,5,,,,,,,", "2,second,b,2,2,3,4,5,,,,,,,"] {
            let begin = lines.len();
            lines.extend(format!("{game},{text}").bytes());
            moves::LAYOUT.seal(&mut lines, begin);
        }
        lines
    }

    fn names() -> Vec<String> {
        vec!["a".to_owned(), "b".to_owned()]
    }

    fn numbers(games: &[Finished]) -> Vec<u64> {
        games.iter().map(|game| game.row.game).collect()
    }

    #[test]
    fn what_is_noted_is_read_back_until_it_is_forgotten() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join(NAME);
        assert_eq!(read(&path, &names()).expect("nothing there"), []);
        let mut ahead = Wal::create(path.clone(), &HashMap::new()).expect("a file");
        ahead.note(7, 8, &[line(7), line(8)].concat(), &moves(8)).expect("written");
        ahead.note(3, 3, &line(3), b"").expect("written");
        let games = read(&path, &names()).expect("readable");
        assert_eq!(numbers(&games), [7, 8, 3]);
        assert_eq!((&games[1].bytes, &games[1].moves), (&line(8), &moves(8)));
        assert!(games[0].moves.is_empty() && games[2].bytes == line(3));
        let kept: FinishedGames =
            games.into_iter().filter(|g| g.row.game != 7).map(|g| (g.row.game, g)).collect();
        let mut ahead = Wal::create(path.clone(), &kept).expect("a file");
        assert_eq!(numbers(&read(&path, &names()).expect("readable")), [3, 8]);
        ahead.forget(3).expect("nothing to write");
        ahead.remove();
        assert!(!path.exists());
    }

    #[test]
    fn a_torn_or_damaged_frame_ends_what_is_read() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join(NAME);
        let mut ahead = Wal::create(path.clone(), &HashMap::new()).expect("a file");
        for game in 1..=3 {
            ahead.note(game, game, &line(game), b"").expect("written");
        }
        let whole = fs::read(&path).expect("readable");
        let frame = whole.len() / 3;
        for cut in 0..whole.len() {
            fs::write(&path, &whole[..cut]).expect("writable");
            assert_eq!(read(&path, &names()).expect("readable").len(), cut / frame, "{cut}");
        }
        let mut damaged = whole;
        damaged[frame + 60] ^= 1;
        fs::write(&path, &damaged).expect("writable");
        assert_eq!(numbers(&read(&path, &names()).expect("readable")), [1]);
    }

    #[test]
    fn the_file_stays_small_however_long_the_run() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join(NAME);
        let mut ahead = Wal::create(path.clone(), &HashMap::new()).expect("a file");
        let rows = vec![b'x'; 100_000];
        for game in 1..=100 {
            ahead.note(game, game, &rows, b"").expect("written");
            if game > 3 {
                ahead.forget(game - 3).expect("written");
            }
            let size = fs::metadata(&path).expect("a file").len();
            assert!(size <= SMALL + 200_000, "{size}");
        }
        assert_eq!(ahead.frames.len(), 3);
    }
}
