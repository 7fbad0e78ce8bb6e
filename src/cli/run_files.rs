//! The end of every run: its tables, its grades, its page and its manifest. `run`, `merge`, `grade` and
//! `report` end here.

use super::failure::Failure;
use super::grading::Grading;
use crate::arena::{Folder, Manifest, RunHistory};
use crate::config::Experiment;
use crate::report::{ExportSource, Exporter, PAGE, PGN, Results, TABLES, export};

/// What is written when the games are counted and luck is measured.
pub struct Files<'a> {
    pub folder: &'a Folder,
    /// The experiment, if it is known.
    pub experiment: Option<&'a Experiment>,
    /// The history of the run; without it there is no page.
    pub history: Option<RunHistory>,
    /// The games to grade.
    pub grading: Option<Grading<'a>>,
    /// The manifest of a run that has just ended. A process that is killed before its tables are
    /// written leaves a run to continue.
    pub manifest: Option<Manifest>,
}

impl Files<'_> {
    /// Writes the files, and adds the grades to the results. Returns the exit code of a signal that
    /// stopped the grading early.
    pub fn write(self, results: &mut Results) -> Result<Option<u8>, Failure> {
        // Grading may take long, and a signal may end it. So the tables are written before.
        self.export(results, TABLES)?;
        self.export(results, &[PGN])?;
        if let Some(mut manifest) = self.manifest.clone() {
            manifest.set_fitted(results.luck_maps);
            self.folder.write_manifest(&manifest)?;
        }
        let mut stopped = None;
        if let (Some(grading), Some(experiment)) = (&self.grading, self.experiment) {
            stopped = grading.run(self.folder, experiment, &mut results.tally)?;
            self.export(results, TABLES)?;
        }
        if self.history.is_some() {
            self.export(results, &[PAGE])?;
        }
        Ok(stopped)
    }

    fn export(&self, results: &Results, exporters: &[&dyn Exporter]) -> Result<(), Failure> {
        let &Files { folder, experiment, ref history, .. } = self;
        let source = ExportSource { results, folder, experiment, history: history.as_ref() };
        Ok(export(&source, exporters)?)
    }
}
