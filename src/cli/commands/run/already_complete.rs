//! Handles a run without remaining games: prints its tables, and creates missing ones.

use super::Job;
use crate::arena::{Begin, FolderLock, GradingRecord, count_grades};
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::{note, print};
use crate::cli::run_files::Files;
use crate::report::{PAGE, PGN, PgnExporter, TABLES};

impl Job<'_> {
    /// Prints the tables of a complete run.
    pub(super) fn show(&self, mut begin: Begin) -> Result<u8, Failure> {
        let (experiment, folder) = (self.experiment, &self.folder);
        if self.prints {
            let extend = if self.schedule.grows() { "" } else { "more `--games` extend it, " };
            self.say(&format!(
                "{} is complete; nothing is played ({extend}`--out DIR` plays into another folder)",
                folder.path().display()
            ));
        }
        let earlier = begin.earlier.as_ref().and_then(|manifest| manifest.grading.as_ref());
        let graded = folder.has_moves().then_some(earlier).flatten();
        let other_config = self.has_other_config();
        let regrade = self.needs_grades(graded, &begin.tally.names)?;
        let mut stale = other_config || self.lacks_tables();
        let lock = match stale || regrade {
            true if begin.lock.is_none() => Some(FolderLock::take(folder.path())?),
            _ => FolderLock::left_behind(folder.path()),
        };
        if lock.is_some() {
            // A process that was killed at the very end leaves its lock. It may also leave tables
            // or a report from before the last game.
            stale = true;
        }
        if other_config || regrade {
            self.write_config()?;
        }
        if graded.is_some() {
            begin.tally.grades = count_grades(folder, &begin.tally.names)?;
        }
        if let Some(earlier) = begin.earlier {
            self.remember(&earlier);
        }
        let mut results = self.measured_results(begin.tally)?;
        let mut stopped = None;
        if stale || regrade {
            let grading = experiment.grading.filter(|_| regrade);
            let files = Files {
                folder,
                experiment: Some(experiment),
                history: self.read_history()?,
                grading: grading.map(|grading| self.grading(grading)),
                manifest: None,
            };
            stopped = files.write(&mut results)?;
        }
        drop(lock);
        if self.prints {
            print(&mut results, Some(folder), self.args.format, self.args.verbose)?;
        }
        Ok(stopped.unwrap_or_else(|| exit_codes::of_results(&results)))
    }

    /// Whether the folder has another config. A config with the same games may have another
    /// question or other references.
    fn has_other_config(&self) -> bool {
        let resolved = std::fs::read_to_string(self.folder.file("resolved.toml"));
        !self.folder.file("config.toml").exists()
            || resolved.map_or(true, |resolved| resolved != self.experiment.to_toml())
    }

    /// Whether a table, the page or the PGN file is missing.
    fn lacks_tables(&self) -> bool {
        let experiment = self.experiment;
        let page = experiment.output.report.then_some(&PAGE);
        let pgn = PgnExporter::is_of(experiment).then_some(&PGN);
        let mut files = TABLES.iter().chain(page).chain(pgn).map(|exporter| exporter.file());
        files.any(|file| file.is_of(Some(experiment)) && !self.folder.file(file.word()).exists())
    }

    /// Whether games must be graded. `graded` is what an earlier process has graded.
    fn needs_grades(
        &self,
        graded: Option<&GradingRecord>,
        names: &[String],
    ) -> Result<bool, Failure> {
        let Some(grading) = &self.experiment.grading else { return Ok(false) };
        let there = count_grades(&self.folder, names)?.map_or(0, |grades| grades.games);
        let lost = graded.map_or(0, |g| g.games.saturating_sub(there));
        if lost > 0 {
            let dir = self.folder.path().display();
            let games = crate::report::counted(lost, "game");
            note(format!("warning: {dir}: moves.csv lacks the grades of {games}"));
        }
        Ok(lost > 0 || graded.is_none_or(|g| !g.complete || g.asked != grading.games))
    }
}
