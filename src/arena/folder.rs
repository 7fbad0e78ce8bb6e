//! The results folder: which files there are, whose they are, and how they are replaced.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::error::FolderError;
use super::manifest::{FORMAT_VERSION, Manifest};
use super::row;
use crate::agents::log_name;
use crate::config::Experiment;

/// How the names of files begin that are being written.
const PARTIAL: &str = ".agon-";
/// Other files that keep their names until they are whole.
const UNFINISHED: [&str; 2] = ["games.ahead.part", "moves.csv.part"];

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

/// A results folder of an experiment.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
}

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

    /// Whether there is a `moves.csv`.
    pub fn has_moves(&self) -> bool {
        fs::metadata(self.file("moves.csv")).is_ok_and(|data| data.len() > 0)
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
                Err(FolderError::Unfit(format!(
                    "{}: format_version {version} is newer than {FORMAT_VERSION}, the newest that \
                     this version of agon reads\n\
                     help: use the version of agon that wrote it, or a newer one",
                    path.display()
                )))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a folder that holds another experiment's results; `read` reads an experiment.
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
            // A version that knew other keys has computed the hash: what this version finds
            // there is the same experiment.
            Some(there) if there.hash() == experiment.hash() => return Ok(()),
            Some(there) => (experiment.differing_keys(&there).into_iter())
                .map(|(key, here, there)| format!("  {key}: now {here}, there {there}"))
                .collect::<Vec<_>>()
                .join("\n"),
            None => "  its resolved.toml cannot be read".to_owned(),
        };
        Err(FolderError::Unfit(format!(
            "{} holds the results of another experiment; what differs:\n{differences}\n\
             help: `--out DIR` writes to another folder; `--fresh` deletes these results",
            self.path.display()
        )))
    }

    /// Refuses a folder in which files of another owner would be lost.
    ///
    /// # Errors
    /// The file that is not ours.
    pub fn check_ours(&self) -> Result<(), FolderError> {
        if fs::metadata(&self.path).is_ok_and(|there| !there.is_dir()) {
            let error = io::Error::from(io::ErrorKind::NotADirectory);
            return Err(FolderError::disk("make the folder", &self.path)(error));
        }
        self.check_version()?;
        if self.manifest().is_some() || self.is_barely_begun() {
            return Ok(());
        }
        let path = self.file("manifest.json");
        if path.exists() {
            return Err(FolderError::Unfit(format!(
                "{} is damaged, and config.toml and games.csv beside it do not say what was \
                 played\nhelp: remove it together with the results beside it, or `--out DIR` \
                 writes elsewhere",
                path.display()
            )));
        }
        match OURS.into_iter().find(|name| self.file(name).exists()) {
            Some(file) => Err(FolderError::Unfit(format!(
                "{} holds `{file}` but no manifest.json: it is not a results folder of agon\n\
                 help: `--out DIR` writes elsewhere",
                self.path.display()
            ))),
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

    /// Writes a file whole: under another name first, so that no reader and no crash sees
    /// half of it.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn replace(&self, name: &str, content: &[u8]) -> Result<(), FolderError> {
        let mut file = self.replacement(name)?;
        file.put(content)?;
        file.keep()
    }

    /// A new file that takes the place of another one when it is whole.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn replacement(&self, name: &str) -> Result<Replacement, FolderError> {
        let path = self.file(name);
        let create = || {
            let file = tempfile::Builder::new().prefix(PARTIAL).tempfile_in(&self.path)?;
            let mut partial = partial();
            partial.retain(|path| path.exists());
            partial.push(file.path().to_owned());
            // Temporary files are private; results are as readable as any new file.
            file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
            Ok(file)
        };
        let file = create().map_err(FolderError::disk("write", &path))?;
        Ok(Replacement { path, out: BufWriter::with_capacity(1 << 16, file) })
    }

    /// Removes the files that this process has half written, in whatever folder: it is about to
    /// end.
    pub fn remove_partial() {
        partial().drain(..).for_each(|path| drop(fs::remove_file(path)));
    }

    /// Throws away what a killed process has left half written.
    pub fn sweep(&self) {
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(PARTIAL) || UNFINISHED.contains(&&*name) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Throws away what an earlier run of the folder wrote; other files stay.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn clear(&self) -> Result<(), FolderError> {
        // The manifest is the last: until then it is known whose files these are.
        let ours = OURS.map(|name| self.file(name)).into_iter();
        for path in self.all_logs().map(|(_, path)| path).chain(ours) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(FolderError::disk("remove", &path)(error));
                }
                _ => {}
            }
        }
        Ok(())
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

    /// The logs of failures of engines in a game between these agents, by the names of the files
    /// that there are.
    pub fn logs(&self, game: u64, agents: [&str; 2]) -> Vec<String> {
        let names = agents.map(|agent| log_name(agent, game));
        names.into_iter().filter(|name| self.file(name).is_file()).collect()
    }

    /// All such logs that there are, each with its game.
    pub fn all_logs(&self) -> impl Iterator<Item = (u64, PathBuf)> {
        let all = fs::read_dir(&self.path).into_iter().flatten().flatten();
        all.filter_map(|entry| Some((game_of_log(entry.file_name().to_str()?)?, entry.path())))
    }
}

/// The game that a file of that name tells of, if it is the log of an engine's failure.
fn game_of_log(name: &str) -> Option<u64> {
    let middle = name.strip_prefix("engine-").and_then(|name| name.strip_suffix(".log"))?;
    let (_, game) = middle.rsplit_once("-game-")?;
    game.bytes().all(|byte| byte.is_ascii_digit()).then(|| game.parse().ok())?
}

/// A file that is written under another name first; dropped before its end, it leaves nothing.
pub struct Replacement {
    path: PathBuf,
    out: BufWriter<tempfile::NamedTempFile>,
}

impl Replacement {
    /// Appends to it.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn put(&mut self, bytes: &[u8]) -> Result<(), FolderError> {
        self.out.write_all(bytes).map_err(self.refused())
    }

    /// That it cannot be written.
    pub fn refused(&self) -> impl Fn(io::Error) -> FolderError + use<> {
        FolderError::disk("write", &self.path)
    }

    /// Brings it to the disk and puts it in its place.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn keep(self) -> Result<(), FolderError> {
        let refused = self.refused();
        let file = self.out.into_inner().map_err(|error| refused(error.into_error()))?;
        file.as_file().sync_all().map_err(&refused)?;
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

/// The files that are being written under another name.
fn partial() -> MutexGuard<'static, Vec<PathBuf>> {
    static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}
