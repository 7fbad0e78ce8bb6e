//! Errors of a results folder and of the rows in its files.

use std::io;
use std::path::{Path, PathBuf};

/// An error of a results folder: what is wrong, where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file cannot be read or written.
    #[error("cannot {action} {}: {source}\nhelp: {}", path.display(), disk_help(action, source))]
    Disk {
        /// The operation that failed.
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    /// A file has invalid content.
    #[error("{}: {what}\nhelp: {help}", path.display())]
    Content {
        path: PathBuf,
        /// What is wrong, and where in the file.
        what: String,
        /// What the user can do.
        help: String,
        /// Whether the header is wrong. Then no row can be checked, and no command repairs the file.
        is_header: bool,
    },
    /// The folder does not have the expected content.
    #[error("{message}\nhelp: {help}")]
    Unfit {
        /// What is wrong.
        message: String,
        /// What the user can do.
        help: String,
    },
}

impl FolderError {
    pub(crate) fn unfit(message: impl Into<String>, help: impl Into<String>) -> Self {
        FolderError::Unfit { message: message.into(), help: help.into() }
    }

    /// What is wrong, and what the user can do.
    pub fn message_and_help(self) -> (String, String) {
        match self {
            FolderError::Unfit { message, help } => (message, help),
            FolderError::Content { path, what, help, .. } => {
                (format!("{}: {what}", path.display()), help)
            }
            FolderError::Disk { action, path, source } => {
                let message = format!("cannot {action} {}: {source}", path.display());
                (message, disk_help(action, &source).to_owned())
            }
        }
    }

    pub(crate) fn disk(action: &'static str, path: &Path) -> impl Fn(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| FolderError::Disk { action, path: path.clone(), source }
    }

    pub fn rows(path: &Path) -> impl Fn(RowError) -> Self {
        move |error| match error {
            RowError::Io(source) => FolderError::disk("read", path)(source),
            RowError::Columns(_) => {
                let (what, help) = (error.to_string(), NO_REPAIR.to_owned());
                FolderError::Content { path: path.to_owned(), what, help, is_header: true }
            }
            RowError::Line { .. } => FolderError::content(path, error.to_string()),
        }
    }

    pub(crate) fn content(path: &Path, what: String) -> Self {
        let help = match path.ends_with("moves.csv") {
            true => format!(
                "{}; if the file holds grades only, remove {}, and `agon grade` writes it",
                repair_help(path),
                path.display()
            ),
            false => NO_REPAIR.to_owned(),
        };
        FolderError::Content { path: path.to_owned(), what, help, is_header: false }
    }

    pub fn no_game(path: &Path, game: u64, message: &str) -> Self {
        let (what, help) = (format!("game {game}: {message}"), repair_help(path));
        FolderError::Content { path: path.to_owned(), what, help, is_header: false }
    }

    /// A row is not the game that the schedule has at this position.
    pub(crate) fn order(path: &Path, row: u64, (game, pairing): (u64, u32)) -> Self {
        FolderError::content(
            path,
            format!(
                "row {row} is game {game} of pairing {pairing}, but the schedule has another game there"
            ),
        )
    }

    /// A shard is named complete but its content is wrong.
    pub(crate) fn shard(path: &Path, what: &str) -> Self {
        FolderError::unfit(
            format!("{} is damaged: {what}", path.display()),
            "remove that folder, and its shard can be played again",
        )
    }
}

fn disk_help(action: &str, error: &io::Error) -> &'static str {
    match error.kind() {
        _ if action == "read" => "name a results folder of agon that you may read",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free disk space and run the same command again"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "allow agon to write there, or use another folder (`--out DIR`)"
        }
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            "a file has this name; use another folder (`--out DIR`)"
        }
        _ => "use another folder (`--out DIR`)",
    }
}

/// What to do with a folder that no command repairs.
pub const NO_REPAIR: &str =
    "write to another folder with `--out DIR`; `--fresh` deletes these results";

/// The command that repairs the files beside `path` and replays damaged games.
pub fn repair_help(path: &Path) -> String {
    let dir = path.parent().unwrap_or(path).display();
    format!("`agon --config {dir}/resolved.toml --out {dir}` plays damaged games again")
}

/// Why a CSV file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RowError {
    /// Columns are missing, or this version cannot write all columns of the file.
    #[error("line 1: {0}")]
    Columns(String),
    #[error("line {line}{what}")]
    Line {
        /// Line number in the file, from 1.
        line: u64,
        /// What is wrong with the line.
        what: String,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl RowError {
    pub(crate) fn damaged(line: u64) -> Self {
        let what = " is damaged: it is not a row, or its checksum is wrong".to_owned();
        RowError::Line { line, what }
    }
}
