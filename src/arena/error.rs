//! What can be wrong with a results folder and with the rows of its files.

use std::io;
use std::path::{Path, PathBuf};

/// What is wrong with a results folder: what, where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file cannot be read or written.
    #[error("cannot {action} {}: {source}\nhelp: {}", path.display(), disk_help(action, source))]
    Disk {
        /// What was tried.
        action: &'static str,
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file holds what no run writes there.
    #[error("{}: {what}\nhelp: {help}", path.display())]
    Content {
        /// Which file.
        path: PathBuf,
        /// Where in it, and what.
        what: String,
        /// What to do.
        help: String,
    },
    /// The folder holds something else than was expected.
    #[error("{0}")]
    Unfit(String),
}

impl FolderError {
    /// That something cannot be done to a file.
    pub(super) fn disk(action: &'static str, path: &Path) -> impl Fn(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| FolderError::Disk { action, path: path.clone(), source }
    }

    /// That a file of rows holds what no run writes; or that it cannot be read.
    pub(super) fn rows(path: &Path) -> impl Fn(RowError) -> Self + use<> {
        let path = path.to_owned();
        move |error| match error {
            RowError::Io(source) => FolderError::disk("read", &path)(source),
            error => FolderError::content(&path, error.to_string()),
        }
    }

    /// That a file of rows holds what no run writes.
    pub(super) fn content(path: &Path, what: String) -> Self {
        let help = match path.ends_with("moves.csv") {
            true => format!(
                "{}; if the file holds grades only, remove {}, and `agon grade` writes it",
                repair_help(path),
                path.display()
            ),
            false => "write to another folder with `--out DIR`; `--fresh` deletes these results"
                .to_owned(),
        };
        FolderError::Content { path: path.to_owned(), what, help }
    }

    /// That a row tells of no game that can be played.
    pub(super) fn no_game(path: &Path, game: u64, message: &str) -> Self {
        let (what, help) = (format!("game {game}: {message}"), repair_help(path));
        FolderError::Content { path: path.to_owned(), what, help }
    }

    /// That a row is not the game that the schedule has there.
    pub(super) fn order(path: &Path, row: u64, (game, pairing): (u64, u32)) -> Self {
        FolderError::content(
            path,
            format!(
                "row {row} is game {game} of pairing {pairing}, which the schedule does not have there"
            ),
        )
    }

    /// That a shard which is complete by its name does not hold what it should.
    pub(super) fn shard(path: &Path, what: &str) -> Self {
        FolderError::Unfit(format!(
            "{} is damaged: {what}\nhelp: remove that folder, and its shard can be played again",
            path.display()
        ))
    }
}

/// What can be done about a disk that refuses.
fn disk_help(action: &str, error: &io::Error) -> &'static str {
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

/// Why a file of rows cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RowError {
    /// The file lacks columns, or has columns that this version cannot write.
    #[error("line 1: {0}")]
    Columns(String),
    /// A line is not as agon wrote it.
    #[error("line {line}{what}")]
    Line {
        /// Line in the file, from 1.
        line: u64,
        /// What is wrong with it.
        what: String,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl RowError {
    /// That a line is no row.
    pub(super) fn damaged(line: u64) -> Self {
        let what = " is damaged: it is no row, or its checksum is wrong".to_owned();
        RowError::Line { line, what }
    }
}
