//! The results folder: what is there already, and what may be written.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::highlights;
use super::history::RunHistory;
use super::manifest::{FORMAT_VERSION, Manifest};
use super::row::{self, Row, RowError, Rows};
use super::schedule::Pairing;
use super::tally::Tally;
use crate::agents::log_name;
use crate::config::Experiment;

/// A results folder of an experiment.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
}

/// What is wrong with a results folder.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Another experiment's results are there.
    #[error(
        "{} holds the results of another experiment; what differs:\n{differences}\n\
         help: `--out DIR` writes to another folder; `--fresh` deletes these results", path.display()
    )]
    Different {
        /// The folder.
        path: PathBuf,
        /// One line per key.
        differences: String,
    },
    /// Files of somebody else stand where results would go.
    #[error(
        "{} holds `{file}` but no manifest.json: it is not a results folder of agon\n\
         help: `--out DIR` writes elsewhere", path.display()
    )]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// A file that would be lost.
        file: &'static str,
    },
    /// There is a manifest, but it says nothing that can be understood.
    #[error(
        "{} is damaged, and config.toml and games.csv beside it do not say what was played\n\
         help: remove it together with the results beside it, or `--out DIR` writes elsewhere",
        path.display()
    )]
    Manifest {
        /// The file.
        path: PathBuf,
    },
    /// A newer version has written the folder.
    #[error(
        "{}: format_version {version} is newer than {FORMAT_VERSION}, the newest that this \
         version of agon reads\nhelp: use the version of agon that wrote it, or a newer one",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version that it names.
        version: f64,
    },
    /// Another process writes there.
    #[error(
        "another agon is writing to {}{}\nhelp: wait for it, or `--out DIR` writes elsewhere",
        path.display(), if holder.is_empty() { String::new() } else { format!(": {holder}") }
    )]
    Busy {
        /// The folder.
        path: PathBuf,
        /// Who, as far as known.
        holder: String,
    },
    /// A file cannot be read or written.
    #[error("cannot {action} {}: {source}\nhelp: {}", path.display(), remedy(action, source))]
    Disk {
        /// What was tried.
        action: &'static str,
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// `games.csv` holds what no run writes.
    #[error(
        "{}: {source}\nhelp: write to another folder with `--out DIR`; `--fresh` deletes these \
         results", path.display()
    )]
    Games {
        /// The file.
        path: PathBuf,
        /// Which line and why.
        source: RowError,
    },
    /// Games were played without writing down their moves.
    #[error(
        "{} holds none of the {expected} moves of games.csv: these games were played without \
         `moves = true`, or the file was lost\nhelp: leave `moves` out of `[output]`, or write to \
         another folder with `--out DIR`; `--fresh` deletes these results", path.display()
    )]
    Moves {
        /// The file.
        path: PathBuf,
        /// Moves that the games have.
        expected: u64,
    },
    /// `moves.csv` holds what no run writes.
    #[error("{}: {source}\nhelp: {}", path.display(), moves_help(path))]
    BadMoves {
        /// The file.
        path: PathBuf,
        /// Which line and why.
        source: RowError,
    },
    /// `moves.csv` is not that of `games.csv`.
    #[error(
        "{}: its moves of game {game} are not those of games.csv\nhelp: {}", path.display(),
        moves_help(path)
    )]
    Strange {
        /// The file.
        path: PathBuf,
        /// Number of the game.
        game: u64,
    },
    /// A row tells of no game that can be played.
    #[error(
        "{}: game {game}: {message}\nhelp: {}", path.display(), repair_help(path)
    )]
    NoGame {
        /// The file.
        path: PathBuf,
        /// Number of the game.
        game: u64,
        /// What is wrong with its moves.
        message: String,
    },
    /// A shard that is complete by its name does not hold what it should.
    #[error(
        "{} is damaged: {what}\nhelp: remove that folder, and its shard can be played again",
        path.display()
    )]
    Shard {
        /// The shard's folder.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A row is not the game that the schedule says.
    #[error(
        "{}: row {row} is game {game} of pairing {pairing}, which the schedule does not have there\n\
         help: write to another folder with `--out DIR`; `--fresh` deletes these results", path.display()
    )]
    Order {
        /// The file.
        path: PathBuf,
        /// Number of the row, from 1.
        row: u64,
        /// What stands there.
        game: u64,
        /// And its pairing.
        pairing: u32,
    },
}

/// What can be done about a disk that refuses.
fn remedy(action: &str, error: &io::Error) -> &'static str {
    match error.kind() {
        _ if action == "read" => "name a results folder of agon that you may read",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "make room, then give the same command again"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "allow it, or play where it is allowed (`--out DIR`)"
        }
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            "there is a file of that name; `--out DIR` writes elsewhere"
        }
        _ => "`--out DIR` writes elsewhere",
    }
}

/// The command that repairs the files beside `path` and plays damaged games again.
pub fn repair_help(path: &Path) -> String {
    let dir = path.parent().unwrap_or(path).display();
    format!("`agon --config {dir}/resolved.toml --out {dir}` plays damaged games again")
}

fn moves_help(path: &Path) -> String {
    let path_text = path.display();
    let again = repair_help(path);
    format!(
        "{again}; if the file holds grades only, remove {path_text}, and `agon grade` writes it"
    )
}

/// What went wrong with a file of rows.
pub(super) fn unreadable(path: &Path) -> impl Fn(RowError) -> FolderError + '_ {
    move |source| {
        let path = path.to_owned();
        match source {
            RowError::Io(source) => FolderError::Disk { action: "read", path, source },
            source if path.ends_with("moves.csv") => FolderError::BadMoves { path, source },
            source => FolderError::Games { path, source },
        }
    }
}

/// Who is shown every row once it is counted, and can have its texts (opening, moves).
type Witness<'a> = dyn FnMut(&Row, &dyn Fn() -> (String, String), &Tally) + 'a;

impl Folder {
    /// A folder, which need not exist.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Folder { path: path.into() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The manifest, if there is one that can be read.
    pub fn manifest(&self) -> Option<Manifest> {
        serde_json::from_slice(&fs::read(self.file("manifest.json")).ok()?).ok()
    }

    /// Refuses a folder that a newer version of agon has written.
    ///
    /// # Errors
    /// The version that it names.
    pub fn check_version(&self) -> Result<(), FolderError> {
        let path = self.file("manifest.json");
        let text = fs::read(&path).unwrap_or_default();
        let json = serde_json::from_slice::<serde_json::Value>(&text).unwrap_or_default();
        match json.get("format_version").and_then(serde_json::Value::as_f64) {
            Some(version) if version > f64::from(FORMAT_VERSION) => {
                Err(FolderError::Newer { path, version })
            }
            _ => Ok(()),
        }
    }

    /// Writes a file whole: under another name first, so that no reader and no crash sees
    /// half of it.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn replace(&self, name: &str, content: &[u8]) -> Result<(), FolderError> {
        let path = self.file(name);
        let disk = |source| FolderError::Disk { action: "write", path: path.clone(), source };
        let mut file = self.temporary().map_err(disk)?;
        file.write_all(content).map_err(disk)?;
        file.as_file().sync_data().map_err(disk)?;
        file.persist(&path).map_err(|error| disk(error.error))?;
        Ok(())
    }

    /// Writes a file whole, as [`Folder::replace`] does, piece by piece: it may be large.
    ///
    /// # Errors
    /// What the disk or the writer refuses.
    pub fn replace_by(
        &self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<&mut File>) -> Result<(), FolderError>,
    ) -> Result<(), FolderError> {
        let path = self.file(name);
        let disk = |source| FolderError::Disk { action: "write", path: path.clone(), source };
        let mut file = self.temporary().map_err(disk)?;
        let mut out = BufWriter::with_capacity(1 << 16, file.as_file_mut());
        write(&mut out)?;
        out.flush().map_err(disk)?;
        drop(out);
        file.as_file().sync_data().map_err(disk)?;
        file.persist(&path).map_err(|error| disk(error.error))?;
        Ok(())
    }

    /// A new file that is to take the place of another, gone unless it does.
    ///
    /// # Errors
    /// What the disk refuses.
    pub(super) fn temporary(&self) -> io::Result<tempfile::NamedTempFile> {
        let file = tempfile::Builder::new().prefix(PARTIAL).tempfile_in(&self.path)?;
        let mut partial = partial();
        partial.retain(|path| path.exists());
        partial.push(file.path().to_owned());
        make_public(file.as_file())?;
        Ok(file)
    }

    /// Removes the files that this process has half written, in whatever folder: it is about to
    /// end.
    pub fn remove_partial() {
        partial().drain(..).for_each(|path| drop(fs::remove_file(path)));
    }

    /// Throws away what a killed process has left half written.
    pub fn sweep(&self) {
        let Ok(there) = fs::read_dir(&self.path) else { return };
        for entry in there.flatten() {
            let name = entry.file_name();
            if name.to_string_lossy().starts_with(PARTIAL) || LEFT.iter().any(|left| name == *left)
            {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Writes the manifest.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn write_manifest(&self, manifest: &Manifest) -> Result<(), FolderError> {
        let mut text = serde_json::to_vec_pretty(manifest).expect("a manifest is plain data");
        text.push(b'\n');
        self.replace("manifest.json", &text)
    }

    /// Refuses a folder that holds another experiment's results.
    ///
    /// # Errors
    /// The keys that differ.
    pub fn check(
        &self,
        experiment: &Experiment,
        read: impl Fn(&str) -> Option<Experiment>,
    ) -> Result<(), FolderError> {
        let Some(manifest) = self.manifest() else { return Ok(()) };
        if manifest.config_hash == experiment.hash() {
            return Ok(());
        }
        let text = fs::read_to_string(self.file("resolved.toml")).unwrap_or_default();
        let differences = match read(&text) {
            // Another version of agon has hashed it, which knew other keys: what this one finds
            // there is the same experiment.
            Some(there) if there.hash() == experiment.hash() => return Ok(()),
            Some(there) => (experiment.differing_keys(&there).into_iter())
                .map(|(key, here, there)| format!("  {key}: now {here}, there {there}"))
                .collect::<Vec<_>>()
                .join("\n"),
            None => "  its resolved.toml cannot be read".to_owned(),
        };
        Err(FolderError::Different { path: self.path.clone(), differences })
    }

    /// Refuses a folder in which somebody else's files would be lost.
    ///
    /// # Errors
    /// The file that is not ours.
    pub fn check_ours(&self) -> Result<(), FolderError> {
        if fs::metadata(&self.path).is_ok_and(|there| !there.is_dir()) {
            let (action, path) = ("make the folder", self.path.clone());
            let source = io::Error::from(io::ErrorKind::NotADirectory);
            return Err(FolderError::Disk { action, path, source });
        }
        self.check_version()?;
        if self.manifest().is_some() || self.is_barely_begun() {
            return Ok(());
        }
        let path = self.file("manifest.json");
        if path.exists() {
            return Err(FolderError::Manifest { path });
        }
        match OURS.into_iter().find(|name| self.file(name).exists()) {
            Some(file) => Err(FolderError::Foreign { path: self.path.clone(), file }),
            None => Ok(()),
        }
    }

    /// Whether a run was killed here at its very beginning: there is no manifest yet, and of
    /// `games.csv` no more than the header, perhaps not all of it.
    fn is_barely_begun(&self) -> bool {
        let header = row::header();
        let mut begin = Vec::new();
        let file = File::open(self.file("games.csv"));
        let read = file.and_then(|file| file.take(header.len() as u64 + 1).read_to_end(&mut begin));
        read.is_ok() && header.as_bytes().starts_with(&begin)
    }

    /// Throws away what an earlier run of the folder wrote; other files stay.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn clear(&self) -> Result<(), FolderError> {
        let logs = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let logs = logs.filter(|entry| game_of_log(&entry.file_name().to_string_lossy()).is_some());
        let ours = OURS.map(|name| self.file(name)).into_iter();
        // The manifest is the last: until then it is known whose files these are.
        for path in logs.map(|entry| entry.path()).chain(ours) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(FolderError::Disk { action: "remove", path, source: error });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Counts every whole row of `games.csv`; a torn last line is left out. `tally` has
    /// counted nothing yet; agents that it does not know are added as they appear.
    ///
    /// # Errors
    /// A file that is not there or cannot be read, or a line that is no row.
    pub fn tally(&self, tally: Tally) -> Result<Tally, FolderError> {
        self.count(tally, &mut |_, _, _| {})
    }

    /// The same, and what happened besides.
    ///
    /// # Errors
    /// As [`tally`](Self::tally).
    pub fn history(&self, tally: Tally) -> Result<(Tally, RunHistory), FolderError> {
        let mut history = RunHistory::default();
        let tally =
            self.count(tally, &mut |row, texts, tally| history.record(row, texts, tally))?;
        history.end(&tally);
        Ok((tally, history))
    }

    /// A game by its number, the agents' names as far as they have appeared, and how many
    /// games there are as far as was read: all of them where the game is not there.
    ///
    /// # Errors
    /// As [`tally`](Self::tally).
    pub fn game(
        &self,
        number: u64,
    ) -> Result<(Vec<String>, Option<highlights::StoredGame>, u64), FolderError> {
        let path = self.file("games.csv");
        let mut rows = self.rows(|file| Rows::new(file, Vec::new()))?;
        let mut seen = 0;
        while let Some(row) = rows.next_row().map_err(unreadable(&path))? {
            seen += 1;
            if row.game == number {
                let (opening, moves) = rows.texts();
                let kept = highlights::StoredGame {
                    row,
                    opening: opening.to_owned(),
                    moves: moves.to_owned(),
                };
                return Ok((rows.names().to_vec(), Some(kept), seen));
            }
        }
        Ok((rows.names().to_vec(), None, seen))
    }

    /// Opens `games.csv`.
    ///
    /// # Errors
    /// A file that cannot be read, or a header that is not its own.
    pub(super) fn rows(
        &self,
        open: impl FnOnce(File) -> Result<Rows<File>, RowError>,
    ) -> Result<Rows<File>, FolderError> {
        let path = self.file("games.csv");
        let file = File::open(&path).map_err(RowError::Io);
        file.and_then(open).map_err(unreadable(&path))
    }

    /// Counts every whole row, and shows each to `see` once it is counted.
    fn count(&self, mut tally: Tally, see: &mut Witness<'_>) -> Result<Tally, FolderError> {
        let path = self.file("games.csv");
        let mut rows = self.rows(|file| Rows::new(file, tally.names.clone()))?;
        let mut last = None;
        // Where no schedule says who meets whom, the rows do.
        let mut found = tally.pairings.is_empty().then(HashMap::new);
        while let Some(mut row) = rows.next_row().map_err(unreadable(&path))? {
            let seats = (row.first.min(row.second), row.first.max(row.second));
            let known = match &mut found {
                Some(found) => {
                    let next = found.len() as u32 + 1;
                    row.pairing = *found.entry(seats).or_insert(next);
                    true
                }
                None => tally
                    .pairings
                    .get(row.pairing.wrapping_sub(1) as usize)
                    .is_some_and(|(Pairing { a, b, .. }, _)| (*a.min(b), *a.max(b)) == seats),
            };
            let next = last.is_none_or(|last| row.game == last + 1);
            last = Some(row.game);
            if !known || (rows.lines.is_sealed() && !next) {
                return Err(FolderError::Order {
                    path: path.clone(),
                    row: tally.rows + 1,
                    game: row.game,
                    pairing: row.pairing,
                });
            }
            tally.push(&row);
            let texts = || {
                let (opening, moves) = rows.texts();
                (opening.to_owned(), moves.to_owned())
            };
            see(&row, &texts, &tally);
        }
        tally.settle();
        tally.names = rows.names().to_vec();
        Ok(tally)
    }
}

/// The files that are being written under another name.
fn partial() -> MutexGuard<'static, Vec<PathBuf>> {
    static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How the names of files begin that are being written.
const PARTIAL: &str = ".agon-";

/// Others that are being written, and keep their names until they are whole.
const LEFT: [&str; 2] = ["games.ahead.part", "moves.csv.part"];

/// The files that a run writes.
const OURS: [&str; 15] = [
    "config.toml",
    "resolved.toml",
    "games.csv",
    "games.csv.damaged",
    "games.ahead",
    "moves.csv",
    "moves.csv.damaged",
    "moves.csv.part",
    "agents.csv",
    "pairings.csv",
    "seats.csv",
    "summary.txt",
    "games.pgn",
    "report.html",
    "manifest.json",
];

impl Folder {
    /// The logs of failures of engines in a game between these agents, by the names of the files
    /// that there are.
    pub fn logs(&self, game: u64, agents: [&str; 2]) -> Vec<String> {
        let names = agents.map(|agent| log_name(agent, game));
        names.into_iter().filter(|name| self.file(name).is_file()).collect()
    }

    /// How many such logs there are.
    pub fn count_logs(&self) -> u64 {
        let all = std::fs::read_dir(self.path()).into_iter().flatten().flatten();
        let is_log = |name: std::ffi::OsString| game_of_log(name.to_str()?);
        all.filter_map(|entry| is_log(entry.file_name())).count() as u64
    }
}

/// The game that a file of that name tells of, if it is the log of an engine's failure.
pub(super) fn game_of_log(name: &str) -> Option<u64> {
    let middle = name.strip_prefix("engine-").and_then(|name| name.strip_suffix(".log"))?;
    let (_, game) = middle.rsplit_once("-game-")?;
    game.bytes().all(|byte| byte.is_ascii_digit()).then(|| game.parse().ok())?
}

/// Temporary files are private; results are as readable as any new file.
#[cfg(unix)]
fn make_public(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_public(_: &File) -> io::Result<()> {
    Ok(())
}
