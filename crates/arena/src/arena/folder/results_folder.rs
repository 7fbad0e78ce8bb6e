//! The results folder: its files, their owners, and how files are replaced.

#![deny(missing_docs)]

use std::fs::{self, DirEntry, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use super::manifest::{FORMAT_VERSION, Manifest};
use crate::agents::log_name;
use crate::config::Experiment;
use crate::play::{REFEREE_LOG, Registry};
use crate::rows::csv_layout::has_checksum;
use crate::rows::games_csv_columns;
use crate::rows::moves_csv_rows;
use crate::rows::results_folder_errors::FolderError;
use crate::util::locks::lock;
use crate::util::unix;

const PARTIAL: &str = ".agon-";
const UNFINISHED: [&str; 2] = ["games.ahead.part", "moves.csv.part"];
/// Between the name of a damaged file and the number of its copy.
const DAMAGED: &str = ".damaged";

crate::choice! {
    /// The files that are derived from the games of a run. An exporter writes one of them, so each
    /// of them is known to belong to agon.
    pub enum DerivedFile {
        /// One row for each agent.
        Agents = "agents.csv",
        /// One row for each pairing.
        Pairings = "pairings.csv",
        /// The advantage of moving first.
        Seats = "seats.csv",
        /// The decisions of a format in rounds.
        Decisions = "decisions.csv",
        /// The places of a tournament.
        Standings = "standings.csv",
        /// The matches of a tournament.
        Matches = "matches.csv",
        /// The tuned parameters.
        Tune = "tune.csv",
        /// All tables as text.
        Summary = "summary.txt",
        /// The games as PGN.
        Pgn = "games.pgn",
        /// The page with charts and a board.
        Page = "report.html",
    }
}

impl DerivedFile {
    /// Whether the runs of every kind have such a file.
    fn is_of_every_kind(self) -> bool {
        use DerivedFile::{Agents, Page, Pairings, Pgn, Seats, Summary};
        matches!(self, Agents | Pairings | Seats | Summary | Pgn | Page)
    }

    /// Whether the run of this experiment has such a file. Without an experiment, only the files of
    /// every kind are there.
    pub fn is_of(self, experiment: Option<&Experiment>) -> bool {
        let own = experiment.map_or(&[][..], |experiment| experiment.kind.files());
        self.is_of_every_kind() || own.contains(&self.word())
    }
}

/// The other files of a folder.
const SOURCES: [&str; 10] = [
    "config.toml",
    "sweep.toml",
    "resolved.toml",
    "games.csv",
    "games.ahead",
    "moves.csv",
    "moves.csv.part",
    "tuned.toml",
    "wave.json",
    "manifest.json",
];

/// The file that names the process that writes to the folder.
pub(crate) const LOCK: &str = ".lock";

/// All files that agon writes, `manifest.json` last.
fn ours() -> impl Iterator<Item = &'static str> {
    DerivedFile::WORDS.iter().copied().chain(SOURCES)
}

/// The results folder of an experiment. [`count`](crate::arena::count) counts its games, and
/// [`GameRows`](crate::arena::GameRows) reads them one by one.
///
/// ```
/// # use agon_arena as agon;
/// use agon::arena::Folder;
///
/// # std::env::set_current_dir("../..").expect("the root of the repository");
/// let folder = Folder::new("results/reference");
/// let manifest = folder.manifest().expect("a manifest that can be read");
/// assert_eq!(manifest.games, 11000);
/// assert!(folder.file("games.csv").exists());
/// ```
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Creates a handle for a folder, which does not have to exist.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Folder { path: path.into() }
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The manifest, if it exists and can be read.
    pub fn manifest(&self) -> Option<Manifest> {
        Manifest::parse(&fs::read_to_string(self.file("manifest.json")).ok()?).ok()
    }

    /// The files with games or moves whose rows have no checksums.
    pub fn files_without_checksums(&self) -> Vec<PathBuf> {
        let is_without = |path: &PathBuf| {
            let mut header = String::new();
            let file = File::open(path);
            let read =
                file.and_then(|file| BufReader::new(file.take(1 << 16)).read_line(&mut header));
            read.is_ok() && header.ends_with('\n') && !has_checksum(&header)
        };
        let files = ["games.csv", "moves.csv"].map(|name| self.file(name));
        files.into_iter().filter(is_without).collect()
    }

    /// Whether there is a `moves.csv`.
    pub fn has_moves(&self) -> bool {
        fs::metadata(self.file("moves.csv")).is_ok_and(|data| data.len() > 0)
    }

    /// Refuses a folder of another `format_version`.
    pub fn check_version(&self) -> Result<(), FolderError> {
        let path = self.file("manifest.json");
        let text = fs::read_to_string(&path).unwrap_or_default();
        let json = serde_json::from_str::<serde_json::Value>(&text).unwrap_or_default();
        match json.get("format_version").and_then(serde_json::Value::as_f64) {
            Some(version) if version != f64::from(FORMAT_VERSION) => Err(FolderError::unfit(
                format!(
                    "{}: this version of agon reads format_version {FORMAT_VERSION}, and not \
                     {version}",
                    path.display()
                ),
                "use the version of agon that wrote the folder, or play the run again",
            )),
            _ => Ok(()),
        }
    }

    /// Refuses a folder that holds the results of another experiment.
    pub fn check(&self, experiment: &Experiment, registry: &Registry) -> Result<(), FolderError> {
        let Some(manifest) = self.manifest() else { return Ok(()) };
        if manifest.config_hash == experiment.hash() {
            return Ok(());
        }
        let mut help =
            "`--out DIR` writes to another folder; `--fresh` deletes these results".to_owned();
        let differences = match self.experiment(registry) {
            // Another version computed the hash from other keys. The comparison here shows that the
            // experiment is the same.
            Some(there) if there.hash() == experiment.hash() => return Ok(()),
            Some(there) => {
                let keys = experiment.differing_keys(&there);
                if let [(key, ..)] = &keys[..]
                    && key == "schedule.ratings"
                    && there.schedule.ratings.is_some()
                {
                    let folder = self.path.display();
                    help = format!(
                        "`schedule.ratings` are from `pool`, which has changed since this run began; \
                         `agon run {folder}/resolved.toml --out {folder}` continues it with its first \
                         ratings; {help}"
                    );
                }
                (keys.into_iter())
                    .map(|(key, here, there)| format!("  {key}: now {here}, there {there}"))
                    .collect::<Vec<_>>()
                    .join("\n")
            }
            None => "  its resolved.toml cannot be read".to_owned(),
        };
        Err(FolderError::unfit(
            format!(
                "{} holds the results of another experiment; what differs:\n{differences}",
                self.path.display()
            ),
            help,
        ))
    }

    /// Refuses a folder inside a results folder that is a symbolic link: a results folder may come
    /// from another person, and the link may lead to any folder of this user.
    pub fn check_no_link(&self) -> Result<(), FolderError> {
        if !fs::symlink_metadata(&self.path).is_ok_and(|there| there.is_symlink()) {
            return Ok(());
        }
        Err(FolderError::unfit(
            format!("{} is a symbolic link", self.path.display()),
            "remove the link, or `--out DIR` writes elsewhere",
        ))
    }

    /// Refuses a folder in which a file of agon is a folder, a pipe or a device: reading it could fail
    /// without a reason, or never end.
    pub fn check_files(&self) -> Result<(), FolderError> {
        let is_other =
            |name: &&str| fs::metadata(self.file(name)).is_ok_and(|there| !there.is_file());
        match ours().chain([LOCK]).find(is_other) {
            None => Ok(()),
            Some(name) => Err(FolderError::unfit(
                format!("{} is not a regular file", self.file(name).display()),
                "remove it, or name another folder",
            )),
        }
    }

    /// Refuses a folder with files that agon did not write, because they would be lost.
    pub fn check_ours(&self) -> Result<(), FolderError> {
        self.check_files()?;
        if fs::metadata(&self.path).is_ok_and(|there| !there.is_dir()) {
            let error = io::Error::from(io::ErrorKind::NotADirectory);
            return Err(FolderError::disk("make the folder", &self.path)(error));
        }
        self.check_version()?;
        // A killed command of this version leaves a manifest, or files without content.
        let Some(file) = ours().find(|name| self.has_content(name)) else {
            return Ok(());
        };
        let header = games_csv_columns::header().as_bytes();
        let is_header = |begin: Vec<u8>| begin == header;
        if self.manifest().is_some() || self.begin("games.csv", header.len()).is_ok_and(is_header) {
            return Ok(());
        }
        let path = self.file("manifest.json");
        if path.exists() {
            return Err(FolderError::unfit(
                format!(
                    "{} is damaged, and config.toml and games.csv beside it do not say what was \
                 played",
                    path.display()
                ),
                "remove it together with the results beside it, or `--out DIR` \
                 writes elsewhere",
            ));
        }
        Err(FolderError::unfit(
            format!(
                "{} holds `{file}` but no manifest.json: it is not a results folder of agon",
                self.path.display()
            ),
            "`--out DIR` writes elsewhere",
        ))
    }

    /// Whether a file is there with more than a header, which may be incomplete.
    pub(crate) fn has_content(&self, name: &str) -> bool {
        let header = match name {
            "games.csv" => games_csv_columns::header(),
            "moves.csv" => moves_csv_rows::header(),
            _ => "",
        };
        // Columns that not every run has may follow in games.csv.
        let columns = header.strip_suffix("checksum\n").filter(|_| name == "games.csv");
        let longest = columns.map_or(header.len(), |_| 1 << 16);
        match self.begin(name, longest) {
            Err(error) => error.kind() != io::ErrorKind::NotFound,
            Ok(begin) => {
                let is_line = begin
                    .iter()
                    .position(|&byte| byte == b'\n')
                    .is_some_and(|at| at + 1 == begin.len());
                let has_columns = |columns: &str| is_line && begin.starts_with(columns.as_bytes());
                !(header.as_bytes().starts_with(&begin) || columns.is_some_and(has_columns))
            }
        }
    }

    /// The begin of a file, with one byte more than `length`, if the file is longer.
    fn begin(&self, name: &str, length: usize) -> io::Result<Vec<u8>> {
        let mut begin = Vec::new();
        let file = File::open(self.file(name))?;
        file.take(length as u64 + 1).read_to_end(&mut begin)?;
        Ok(begin)
    }

    /// Writes a complete file under a temporary name, then renames it. So no reader sees half of
    /// the file, even after a crash.
    pub fn replace(&self, name: &str, content: &[u8]) -> Result<(), FolderError> {
        let mut file = self.replacement(name)?;
        file.put(content)?;
        file.keep()
    }

    /// A new file that replaces an existing one when it is complete.
    pub fn replacement(&self, name: &str) -> Result<Replacement, FolderError> {
        let path = self.file(name);
        let create = || {
            let mut partial = partial();
            // Temporary files are private; results get the usual permissions of a new file.
            let usual = unix::permissions(0o666);
            let file = tempfile::Builder::new()
                .prefix(PARTIAL)
                .permissions(usual)
                .tempfile_in(&self.path)?;
            // The lock says that the writer lives. Some file systems have no locks.
            let _ = file.as_file().try_lock();
            partial.push(file.path().to_owned());
            Ok(file)
        };
        let file = create().map_err(FolderError::disk("write", &path))?;
        Ok(Replacement { path, out: BufWriter::with_capacity(1 << 16, file) })
    }

    /// Removes the incomplete files of this process in all folders, because the process is about to
    /// end. A thread that then begins or completes a file is blocked until the process has ended.
    #[doc(hidden)]
    pub fn remove_partial() {
        let mut partial = partial();
        partial.drain(..).for_each(|path| drop(fs::remove_file(path)));
        std::mem::forget(partial);
    }

    /// Removes the temporary files of killed processes.
    pub fn sweep(&self) {
        for (name, entry) in self.entries().filter(|(name, _)| name.starts_with(PARTIAL)) {
            let _ = match entry.file_type().is_ok_and(|file_type| file_type.is_dir()) {
                true => fs::remove_dir_all(entry.path()),
                false if is_being_written(&self.file(&name)) => Ok(()),
                false => fs::remove_file(entry.path()),
            };
        }
    }

    /// Removes the incomplete files of the last owner of the folder's lock, who was killed.
    pub(crate) fn sweep_as_owner(&self) {
        self.sweep();
        UNFINISHED.iter().for_each(|name| drop(fs::remove_file(self.file(name))));
    }

    fn entries(&self) -> impl Iterator<Item = (String, DirEntry)> {
        let all = fs::read_dir(&self.path).into_iter().flatten().flatten();
        all.filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry)))
    }

    /// Copies a file that a repair will replace, so users can find the removed lines there. Earlier
    /// copies stay.
    pub(crate) fn keep_damaged(&self, name: &str) -> Result<(), FolderError> {
        let path = self.file(name);
        let numbered = (2..).map(|number| format!("{name}{DAMAGED}-{number}"));
        let mut names = std::iter::once(format!("{name}{DAMAGED}")).chain(numbered);
        let free = names.find(|name| !self.file(name).exists()).unwrap_or_default();
        let mut file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            file => file.map_err(FolderError::disk("read", &path))?,
        };
        let mut copy = self.replacement(&free)?;
        io::copy(&mut file, &mut copy).map_err(copy.refused())?;
        copy.keep()
    }

    fn damaged_copies(&self) -> impl Iterator<Item = PathBuf> {
        let is_copy = |name: &str| {
            let csv = name.split_once(DAMAGED).map(|(csv, _)| csv);
            csv.is_some_and(|csv| csv == "games.csv" || csv == "moves.csv")
        };
        self.entries().filter(move |(name, _)| is_copy(name)).map(|(_, entry)| entry.path())
    }

    /// Removes the files that an earlier run of the folder wrote; other files stay.
    pub(crate) fn clear(&self) -> Result<(), FolderError> {
        // The manifest is removed last, because it shows that the files belong to agon.
        let ours = ours().map(|name| self.file(name));
        let logs = self.all_logs().chain(self.referee_logs()).map(|(_, path)| path);
        for path in logs.chain(self.damaged_copies()).chain(ours) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(FolderError::disk("remove", &path)(error));
                }
                _ => {}
            }
        }
        // Other files of the user in the folder of transcripts stay.
        let transcripts = Folder::new(self.transcripts());
        let ours = |name: &str| name.strip_prefix("game-")?.strip_suffix(".jsonl").map(drop);
        let files = transcripts.entries().filter(|(name, _)| ours(name).is_some());
        files.for_each(|(_, entry)| drop(fs::remove_file(entry.path())));
        let _ = fs::remove_dir(transcripts.path());
        Ok(())
    }

    #[doc(hidden)]
    pub fn write_manifest(&self, manifest: &Manifest) -> Result<(), FolderError> {
        let mut text = serde_json::to_vec_pretty(manifest).expect("a manifest is plain data");
        text.push(b'\n');
        self.replace("manifest.json", &text)
    }

    /// The folder for the transcripts of games.
    pub fn transcripts(&self) -> PathBuf {
        self.file("transcripts")
    }

    /// Makes the folder for the transcripts of games.
    ///
    /// # Errors
    /// A folder that cannot be made.
    pub fn create_transcripts(&self) -> Result<(), FolderError> {
        let path = self.transcripts();
        fs::create_dir_all(&path).map_err(FolderError::disk("create", &path))
    }

    /// The logs of engine failures in a game between these agents, with their file names.
    pub fn logs(&self, game: u64, agents: [&str; 2]) -> Vec<String> {
        let names = agents.map(|agent| log_name(agent, game));
        names.into_iter().filter(|name| self.file(name).is_file()).collect()
    }

    /// All logs of engine failures, each with its game.
    pub fn all_logs(&self) -> impl Iterator<Item = (u64, PathBuf)> {
        self.entries().filter_map(|(name, entry)| Some((game_of_log(&name)?, entry.path())))
    }

    /// The files that referees wrote to the path `{log}`, each with its game.
    pub fn referee_logs(&self) -> impl Iterator<Item = (u64, PathBuf)> {
        let is_file = |entry: &DirEntry| entry.file_type().is_ok_and(|kind| kind.is_file());
        self.entries().filter(move |(_, entry)| is_file(entry)).filter_map(|(name, entry)| {
            let game = name.strip_prefix(REFEREE_LOG).and_then(whole_number)?;
            Some((game, entry.path()))
        })
    }
}

fn game_of_log(name: &str) -> Option<u64> {
    let middle = name.strip_prefix("engine-").and_then(|name| name.strip_suffix(".log"))?;
    let (_, game) = middle.rsplit_once("-game-")?;
    whole_number(game)
}

fn whole_number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// A file that is first written under a temporary name. If it is dropped before `keep`, nothing
/// remains.
pub struct Replacement {
    path: PathBuf,
    out: BufWriter<tempfile::NamedTempFile>,
}

impl Replacement {
    #[doc(hidden)]
    pub fn put(&mut self, bytes: &[u8]) -> Result<(), FolderError> {
        self.out.write_all(bytes).map_err(self.refused())
    }

    #[doc(hidden)]
    pub fn refused(&self) -> impl Fn(io::Error) -> FolderError + use<> {
        FolderError::disk("write", &self.path)
    }

    /// Syncs the file to the disk and renames it to its final name.
    pub fn keep(self) -> Result<(), FolderError> {
        let refused = self.refused();
        let file = self.out.into_inner().map_err(|error| refused(error.into_error()))?;
        file.as_file().sync_all().map_err(&refused)?;
        // A signal removes incomplete files: here it must see this file under one name only.
        let mut partial = partial();
        partial.retain(|path| path != file.path());
        file.persist(&self.path).map_err(|error| refused(error.error))?;
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether a living process writes this temporary file.
fn is_being_written(path: &Path) -> bool {
    let mut options = OpenOptions::new();
    let file = unix::open_plain_file(options.read(true), path);
    file.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

fn partial() -> MutexGuard<'static, Vec<PathBuf>> {
    static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    lock(&FILES)
}
