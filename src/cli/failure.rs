//! Why a command failed: its message, its help and its exit code.

use std::fmt::{self, Display};
use std::io;

use super::exit_codes;
use crate::arena::{FolderError, RunError};
use crate::config::ConfigError;
use crate::params::ParamError;
use crate::play::RulesFailure;

/// The reason why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// Mistakes in a config file or on the command line.
    Config(ConfigError),
    /// A mistake on the command line.
    Usage {
        /// What is wrong.
        message: String,
        /// What to do; may be empty.
        help: String,
    },
    /// Several mistakes on the command line.
    Several(Vec<Failure>),
    /// The reader closed stdout; this is not an error of agon.
    Closed,
    /// Games were forfeited, and there is no verdict.
    Forfeited(String),
    /// Shards are missing.
    ShardsMissing(String),
    /// The check of a results folder has found damage.
    Damaged(String),
    /// A bug in agon.
    Bug(String),
    /// The system refused something.
    Other(anyhow::Error),
}

impl Failure {
    pub(crate) fn usage(message: impl Display, help: impl Display) -> Self {
        Failure::Usage { message: message.to_string(), help: help.to_string() }
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Config(_) | Failure::Usage { .. } | Failure::Several(_) => exit_codes::USAGE,
            Failure::Closed => exit_codes::DONE,
            Failure::Forfeited(_) => exit_codes::FAULTS,
            Failure::ShardsMissing(_) => exit_codes::SHARDS_MISSING,
            Failure::Damaged(_) => exit_codes::DAMAGED,
            Failure::Bug(_) => exit_codes::BUG,
            Failure::Other(_) => exit_codes::FAILED,
        }
    }
}

/// The error message, with colours.
impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = anstyle::AnsiColor::Red.on_default().bold();
        match self {
            Failure::Config(error) => f.write_str(&error.render(true)),
            Failure::Usage { message, help } if !help.is_empty() => {
                writeln!(f, "{style}error{style:#}: {message}\nhelp: {help}")
            }
            Failure::Usage { message, .. }
            | Failure::Forfeited(message)
            | Failure::ShardsMissing(message)
            | Failure::Damaged(message)
            | Failure::Bug(message) => writeln!(f, "{style}error{style:#}: {message}"),
            Failure::Several(all) => all.iter().try_for_each(|one| one.fmt(f)),
            Failure::Closed => Ok(()),
            Failure::Other(error) => writeln!(f, "{style}error{style:#}: {error:#}"),
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Failure::Config(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Failure::Closed
        } else {
            Failure::Other(anyhow::anyhow!(
                "cannot write to the standard output: {error}\nhelp: free disk space, or redirect \
                 the output; the games of a run are in its results folder"
            ))
        }
    }
}

impl From<ParamError> for Failure {
    fn from(ParamError { message, help, .. }: ParamError) -> Self {
        Failure::Usage { message, help }
    }
}

impl From<RulesFailure> for Failure {
    fn from(failure: RulesFailure) -> Self {
        let help = "`agon check-game` checks the program and shows the conversation";
        Failure::usage(failure, help)
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        // The system has refused, except for a link or a pipe in the place of a file.
        let refused = matches!(&error, FolderError::Disk { source, .. }
            if source.kind() != io::ErrorKind::InvalidInput);
        if refused {
            // Converted to text, because the message already includes its cause.
            return Failure::Other(anyhow::anyhow!(error.to_string()));
        }
        let (message, help) = error.message_and_help();
        Failure::Usage { message, help }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Folder(error) => error.into(),
            error => Failure::Other(anyhow::anyhow!("{error}")),
        }
    }
}
