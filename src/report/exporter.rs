//! What a format of results is: a new one is a file with an [`Exporter`] and a line in `export`.

use super::results::Results;
use crate::arena::{Folder, FolderError, Replacement, RunHistory};
use crate::config::Experiment;

/// What an exporter may use.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// What the run has come to.
    pub results: &'a Results,
    /// Where its files are.
    pub folder: &'a Folder,
    /// What was played, where it is known.
    pub experiment: Option<&'a Experiment>,
    /// What happened, where it is known: the page needs it.
    pub history: Option<&'a RunHistory>,
}

/// A format of results: one file of a results folder.
pub trait Exporter: Sync {
    /// The file's name.
    fn file(&self) -> &'static str;

    /// Whether there is to be such a file.
    fn is_wanted(&self, _source: &Source<'_>) -> bool {
        true
    }

    /// Writes it.
    ///
    /// # Errors
    /// What the disk refuses, or files of the folder that cannot be read.
    fn write(&self, source: &Source<'_>, out: &mut Replacement) -> Result<(), FolderError>;
}
