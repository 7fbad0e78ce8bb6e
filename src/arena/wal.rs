//! The write-ahead log `games.ahead`: games that are finished while an earlier one still runs.
//!
//! `games.csv` is in game order, so that a finished game after one that still runs cannot be
//! written there yet. It is written here at once, and forgotten when its turn has come, so
//! that a killed run plays nothing again but the games that were running. What is in it is
//! bounded, because workers that are far ahead wait, and the file is written again when most of
//! it is forgotten.
//!
//! The file holds the rows of the moves of each game as `moves.csv` will have them, followed by
//! the row of the game as `games.csv` will have it: a game whose row is there is there as a whole.
//! Each row has its checksum, and a game counts its moves, so that a torn or damaged line is
//! known.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::lock::vanished;
use super::moves::{self, MoveRows};
use super::row::{Row, Rows};

/// The file's name.
pub(super) const NAME: &str = "games.ahead";
/// Larger files are written again when little of them is still wanted.
const SMALL: u64 = 1 << 20;
/// No log is larger; what comes after is not read.
const LARGEST: u64 = 1 << 30;

/// A game that was finished, as it will be in the files.
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

impl Finished {
    /// Whether the rows of its moves are all there.
    pub(super) fn has_moves(&self) -> bool {
        let lines = self.moves.iter().filter(|&&byte| byte == b'\n').count() as u64;
        lines == moves::expected(&self.row)
    }
}

/// The write-ahead log of a run.
#[derive(Debug)]
pub struct Wal {
    path: PathBuf,
    file: File,
    /// Bytes in the file.
    size: u64,
    /// What is still wanted: by the first game, the last one and the rows of all between.
    games: BTreeMap<u64, (u64, Vec<u8>)>,
    /// Bytes of it.
    live: u64,
}

impl Wal {
    /// A log that holds nothing but these games, on disk before this returns.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn create(path: PathBuf, games: &FinishedGames) -> io::Result<Self> {
        let lines = |game: &Finished| [&game.moves[..], &game.bytes].concat();
        let games = games.iter().map(|(&number, game)| (number, (number, lines(game)))).collect();
        let (file, size) = rewrite(&path, &games)?;
        Ok(Wal { path, file, size, games, live: size })
    }

    /// Adds the rows of the games `first` to `last`, each after those of its moves.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn note(&mut self, first: u64, last: u64, rows: Vec<u8>) -> io::Result<()> {
        self.file.write_all(&rows)?;
        self.size += rows.len() as u64;
        self.live += rows.len() as u64;
        if let Some((_, old)) = self.games.insert(first, (last, rows)) {
            self.live -= old.len() as u64;
        }
        Ok(())
    }

    /// Everything up to that game is in `games.csv`.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn forget(&mut self, last: u64) -> io::Result<()> {
        while let Some(first) = self.games.first_entry()
            && first.get().0 <= last
        {
            self.live -= first.remove().1.len() as u64;
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
                (self.file, self.size) = rewrite(&self.path, &self.games).map_err(gone)?;
            }
        }
        Ok(())
    }

    /// The file, to be synced.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Every game is in `games.csv`.
    pub fn remove(self) {
        // A file that stays is of no use, but does no harm.
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_file(part(&self.path));
    }
}

/// What a new file is called until it is whole.
fn part(path: &Path) -> PathBuf {
    path.with_extension("ahead.part")
}

/// Writes a new file under another name and puts it in the place of the old one.
fn rewrite(path: &Path, games: &BTreeMap<u64, (u64, Vec<u8>)>) -> io::Result<(File, u64)> {
    let part = part(path);
    let mut file = File::create(&part)?;
    let mut size = 0;
    for (_, rows) in games.values() {
        file.write_all(rows)?;
        size += rows.len() as u64;
    }
    // What was on the disk before must not be lost with the power.
    if size > 0 {
        file.sync_data()?;
    }
    fs::rename(&part, path)?;
    // To append: after the file was emptied, writing goes on at its beginning.
    Ok((OpenOptions::new().append(true).open(path)?, size))
}

/// The games in a log. Which games they are, and whether all their moves are there, the caller
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
    let (mut rows, mut moves) = (Rows::of_lines(names.to_vec()), MoveRows::of_lines());
    let mut games: Vec<Finished> = Vec::new();
    // The moves before the next row, and the game that they belong to.
    let (mut pending, mut owner) = (Vec::new(), 0);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        if let Ok(row) = rows.load(line) {
            let moves = std::mem::take(&mut pending);
            let moves = if owner == row.game { moves } else { Vec::new() };
            if row.first.max(row.second) < names.len() {
                games.push(Finished { row, bytes: line.to_vec(), moves });
            }
        } else if moves.lines.load(line).is_ok()
            && let Ok(game) = moves.game()
        {
            if game != owner {
                pending.clear();
            }
            owner = game;
            pending.extend_from_slice(line);
        }
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::super::row;
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
        let mut wal = Wal::create(path.clone(), &HashMap::new()).expect("a file");
        wal.note(7, 8, [line(7), moves(8), line(8)].concat()).expect("written");
        wal.note(3, 3, line(3)).expect("written");
        let games = read(&path, &names()).expect("readable");
        assert_eq!(numbers(&games), [7, 8, 3]);
        assert_eq!((&games[1].bytes, &games[1].moves), (&line(8), &moves(8)));
        assert!(games[0].moves.is_empty() && games[2].bytes == line(3));
        let kept: FinishedGames =
            games.into_iter().filter(|g| g.row.game != 7).map(|g| (g.row.game, g)).collect();
        let mut wal = Wal::create(path.clone(), &kept).expect("a file");
        assert_eq!(numbers(&read(&path, &names()).expect("readable")), [3, 8]);
        wal.forget(3).expect("nothing to write");
        wal.remove();
        assert!(!path.exists());
    }

    #[test]
    fn a_torn_or_damaged_line_is_left_out() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join(NAME);
        let mut wal = Wal::create(path.clone(), &HashMap::new()).expect("a file");
        for game in 1..=3 {
            wal.note(game, game, [moves(game), line(game)].concat()).expect("written");
        }
        let whole = fs::read(&path).expect("readable");
        let one = whole.len() / 3;
        let complete = |text: &[u8]| {
            fs::write(&path, text).expect("writable");
            let mut games = read(&path, &names()).expect("readable");
            games.retain(|game| game.moves == moves(game.row.game));
            numbers(&games)
        };
        for cut in 0..=whole.len() {
            assert_eq!(complete(&whole[..cut]).len(), cut / one, "{cut}");
        }
        for at in [10, one - 10] {
            let mut damaged = whole.clone();
            damaged[one + at] ^= 1;
            assert_eq!(complete(&damaged), [1, 3], "{at}");
        }
    }

    #[test]
    fn the_file_stays_small_however_long_the_run() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join(NAME);
        let mut wal = Wal::create(path.clone(), &HashMap::new()).expect("a file");
        for game in 1..=100 {
            wal.note(game, game, vec![b'x'; 100_000]).expect("written");
            if game > 3 {
                wal.forget(game - 3).expect("written");
            }
            let size = fs::metadata(&path).expect("a file").len();
            assert!(size <= SMALL + 200_000, "{size}");
        }
        assert_eq!(wal.games.len(), 3);
    }
}
