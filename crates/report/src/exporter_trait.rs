//! The trait of output formats. A new format is a file with an [`Exporter`] and a line in `exporter_list`.

use crate::arena::{DerivedFile, Folder, FolderError, Replacement, RunHistory};
use crate::config::Experiment;
use crate::figures::run_results::Results;

/// The data that an exporter may use.
#[derive(Clone, Copy)]
pub struct ExportSource<'a> {
    pub results: &'a Results,
    /// The folder of the run's files.
    pub folder: &'a Folder,
    /// The experiment, if known.
    pub experiment: Option<&'a Experiment>,
    /// The history of the run, if known; the page needs it.
    pub history: Option<&'a RunHistory>,
}

/// An output format: one file in a results folder.
pub trait Exporter: Sync {
    /// The file that it writes.
    fn file(&self) -> DerivedFile;

    /// Whether this file should be written.
    fn is_wanted(&self, source: &ExportSource<'_>) -> bool {
        self.file().is_of(source.experiment)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If writing fails, or if files of the folder cannot be read.
    fn write(&self, source: &ExportSource<'_>, out: &mut Replacement) -> Result<(), FolderError>;
}
