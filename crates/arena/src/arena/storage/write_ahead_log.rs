//! The write-ahead log `games.ahead`: finished games that wait for an earlier game, so that only running
//! games are lost by a kill. It has the rows of the moves of each game and then the row of the game, all
//! with checksums. The file is rewritten when most of its games are in `games.csv`.

use std::collections::{HashMap, VecDeque};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::arena::folder::results_folder_lock::vanished;
use crate::rows::games_csv_rows::{GameRow, GameRows};
use crate::rows::moves_csv_rows;
use crate::rows::moves_csv_rows::MoveRows;
use crate::util::unix;

pub(crate) const NAME: &str = "games.ahead";
/// Larger files are rewritten when little of them is still needed.
const SMALL: u64 = 1 << 20;
/// The maximum size of a log; content after it is not read.
const LARGEST: u64 = 1 << 30;

/// A finished game with its lines for the files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// The data that is counted.
    pub row: GameRow,
    /// Its line in `games.csv`.
    pub bytes: Vec<u8>,
    /// Its lines in `moves.csv`.
    pub moves: Vec<u8>,
}

pub type FinishedGames = HashMap<u64, Finished>;

impl Finished {
    /// Whether all rows of its moves are there.
    pub(crate) fn has_moves(&self) -> bool {
        let lines = self.moves.iter().filter(|&&byte| byte == b'\n').count() as u64;
        lines == moves_csv_rows::expected(&self.row)
    }
}

/// The rows of the games `first` to `last`.
#[derive(Debug)]
struct Rows {
    first: u64,
    last: u64,
    bytes: Vec<u8>,
}

/// The write-ahead log of a run.
#[derive(Debug)]
pub struct WriteAheadLog {
    path: PathBuf,
    file: File,
    size: u64,
    /// The rows that are still needed, in game order. Most are added at the end and dropped at
    /// the beginning.
    games: VecDeque<Rows>,
    /// Bytes that are still needed.
    live: u64,
}

impl WriteAheadLog {
    /// Creates a log with only these games; it is on disk when this returns.
    ///
    /// # Errors
    /// An error of the disk.
    pub fn create(path: PathBuf, games: &FinishedGames) -> io::Result<Self> {
        let rows = |(&game, finished): (&u64, &Finished)| {
            let bytes = [&finished.moves[..], &finished.bytes].concat();
            Rows { first: game, last: game, bytes }
        };
        let mut games: Vec<Rows> = games.iter().map(rows).collect();
        games.sort_by_key(|rows| rows.first);
        let games = VecDeque::from(games);
        let (file, size) = rewrite(&path, &games)?;
        Ok(WriteAheadLog { path, file, size, games, live: size })
    }

    /// Adds the rows of the games `first` to `last`, each after its move rows.
    ///
    /// # Errors
    /// An error of the disk.
    pub fn note(&mut self, first: u64, last: u64, bytes: Vec<u8>) -> io::Result<()> {
        self.file.write_all(&bytes)?;
        self.size += bytes.len() as u64;
        self.live += bytes.len() as u64;
        let place = self.games.partition_point(|rows| rows.first < first);
        let rows = Rows { first, last, bytes };
        match self.games.get_mut(place).filter(|old| old.first == first) {
            // A resumed run notes the games of its last log once more.
            Some(old) => self.live -= std::mem::replace(old, rows).bytes.len() as u64,
            None => self.games.insert(place, rows),
        }
        Ok(())
    }

    /// Drops the games up to this one, which are in `games.csv`.
    ///
    /// # Errors
    /// An error of the disk.
    pub fn forget(&mut self, last: u64) -> io::Result<()> {
        while let Some(rows) = self.games.pop_front_if(|rows| rows.last <= last) {
            self.live -= rows.bytes.len() as u64;
        }
        if self.size > SMALL && self.size > 4 * self.live {
            if self.live == 0 {
                self.file.set_len(0)?;
                self.size = 0;
            } else {
                // The file is open, so "not found" means that the folder was moved or deleted.
                let gone = |error: io::Error| match error.kind() {
                    io::ErrorKind::NotFound => vanished(),
                    _ => error,
                };
                (self.file, self.size) = rewrite(&self.path, &self.games).map_err(gone)?;
            }
        }
        Ok(())
    }

    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Removes the log: every game is in `games.csv`.
    pub fn remove(self) {
        // A remaining file is useless but does no harm.
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_file(part(&self.path));
    }
}

/// The name of a new file until it is complete.
fn part(path: &Path) -> PathBuf {
    path.with_extension("ahead.part")
}

/// Writes a new file under a temporary name and replaces the old file with it.
fn rewrite(path: &Path, games: &VecDeque<Rows>) -> io::Result<(File, u64)> {
    let part = part(path);
    // In append mode: if the file is emptied, writing continues at its beginning.
    let mut options = OpenOptions::new();
    let options = options.append(true).create(true);
    let mut file = unix::open_plain_file(options, &part)?;
    file.set_len(0)?;
    let mut size = 0;
    for Rows { bytes, .. } in games {
        file.write_all(bytes)?;
        size += bytes.len() as u64;
    }
    // Data that was on disk must survive a power failure.
    if size > 0 {
        file.sync_data()?;
    }
    fs::rename(&part, path)?;
    Ok((file, size))
}

/// The games in a log. The caller must check which games they are and whether all their moves are
/// there.
///
/// # Errors
/// An unreadable file; a missing file has no games.
pub fn read(path: &Path, names: &[String], added: &[String]) -> io::Result<Vec<Finished>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        file => file?,
    };
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes)?;
    let mut rows = GameRows::of_lines(names.to_vec(), added);
    let mut moves = MoveRows::of_lines();
    let mut games: Vec<Finished> = Vec::new();
    // The moves before the next row, and the game of these moves.
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
    use super::*;
    use crate::rows::games_csv_columns;

    /// A row of `games.csv`.
    fn line(game: u64) -> Vec<u8> {
        let text = format!("{game},1,1,a,b,first,line,5,,1 2 3,9,9,7,7,3,2,3,2,4,4,0,,,");
        let mut line = text.into_bytes();
        games_csv_columns::LAYOUT.seal(&mut line, 0);
        line
    }

    fn moves(game: u64) -> Vec<u8> {
        let mut lines = Vec::new();
        for text in ["1,first,a,1,2,3,4,5,,,,,,,", "2,second,b,2,2,3,4,5,,,,,,,"] {
            let begin = lines.len();
            lines.extend(format!("{game},{text}").bytes());
            moves_csv_rows::LAYOUT.seal(&mut lines, begin);
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
        assert_eq!(read(&path, &names(), &[]).expect("nothing there"), []);
        let mut wal = WriteAheadLog::create(path.clone(), &HashMap::new()).expect("a file");
        wal.note(7, 8, [line(7), moves(8), line(8)].concat()).expect("written");
        wal.note(3, 3, line(3)).expect("written");
        let games = read(&path, &names(), &[]).expect("readable");
        assert_eq!(numbers(&games), [7, 8, 3]);
        assert_eq!((&games[1].bytes, &games[1].moves), (&line(8), &moves(8)));
        assert!(games[0].moves.is_empty() && games[2].bytes == line(3));
        let kept: FinishedGames =
            games.into_iter().filter(|g| g.row.game != 7).map(|g| (g.row.game, g)).collect();
        let mut wal = WriteAheadLog::create(path.clone(), &kept).expect("a file");
        assert_eq!(numbers(&read(&path, &names(), &[]).expect("readable")), [3, 8]);
        wal.forget(3).expect("nothing to write");
        wal.remove();
        assert!(!path.exists());
    }

    #[test]
    fn a_torn_or_damaged_line_is_left_out() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join(NAME);
        let mut wal = WriteAheadLog::create(path.clone(), &HashMap::new()).expect("a file");
        for game in 1..=3 {
            wal.note(game, game, [moves(game), line(game)].concat()).expect("written");
        }
        let whole = fs::read(&path).expect("readable");
        let one = whole.len() / 3;
        let complete = |text: &[u8]| {
            fs::write(&path, text).expect("writable");
            let mut games = read(&path, &names(), &[]).expect("readable");
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
        let mut wal = WriteAheadLog::create(path.clone(), &HashMap::new()).expect("a file");
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
