//! Handles a run without remaining games: prints its tables, and creates missing ones.

use super::Job;
use crate::arena::{Begin, FolderLock, count_grades};
use crate::cli::failure::{self, Failure};
use crate::cli::print_run_results::{note, print};
use crate::cli::run_files::Files;
use crate::report::{PAGE, TABLES};

impl Job<'_> {
    /// Prints the tables of a complete run.
    pub(super) fn show(&self, mut begin: Begin) -> Result<u8, Failure> {
        let (experiment, folder) = (self.experiment, &self.folder);
        if !self.args.quiet && self.prints {
            let extend = if self.schedule.grows() { "" } else { "more `--games` extend it, " };
            note(format!(
                "{} is complete; nothing is played ({extend}`--out DIR` plays into another folder)",
                folder.path().display()
            ));
        }
        let earlier = begin.earlier.as_ref().and_then(|manifest| manifest.grading.as_ref());
        let graded = folder.has_moves().then_some(earlier).flatten();
        let page = experiment.output.report.then_some(&PAGE);
        let is_lost = |name: &str| !folder.file(name).exists();
        // A config with the same games may have another question or other references.
        let resolved = std::fs::read_to_string(folder.file("resolved.toml"));
        let other_config = is_lost("config.toml")
            || resolved.map_or(true, |resolved| resolved != experiment.to_toml());
        let mut exported = TABLES.iter().chain(page).map(|exporter| exporter.file());
        let mut stale = other_config
            || exported.any(|file| file.is_of(Some(experiment)) && is_lost(file.word()));
        let regrade = match &experiment.grading {
            Some(grading) => {
                let there =
                    count_grades(folder, &begin.tally.names)?.map_or(0, |grades| grades.games);
                let lost = graded.map_or(0, |g| g.games.saturating_sub(there));
                if lost > 0 {
                    let dir = folder.path().display();
                    let games = crate::report::counted(lost, "game");
                    note(format!("warning: {dir}: moves.csv lacks the grades of {games}"));
                }
                lost > 0 || graded.is_none_or(|g| !g.complete || g.asked != grading.games)
            }
            None => false,
        };
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
            self.remember(earlier.delay, earlier.final_scores);
        }
        let mut results = self.measured_results(begin.tally)?;
        let mut stopped = None;
        if stale || regrade {
            let files = Files {
                folder,
                experiment: Some(experiment),
                history: self.read_history()?,
                grading: experiment
                    .grading
                    .filter(|_| regrade)
                    .map(|grading| self.grading(grading)),
                manifest: None,
            };
            stopped = files.write(&mut results)?;
        }
        drop(lock);
        if self.prints {
            print(&mut results, folder, self.args.format, self.args.verbose)?;
        }
        Ok(stopped.unwrap_or_else(|| failure::of_results(&results)))
    }
}
