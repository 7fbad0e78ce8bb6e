//! Grades the games of a results folder, for `agon grade` and for the end of a run with `[grading]`.

use super::failure::Failure;
use super::print_run_results::note;
use super::progress_listener::Listener;
use super::signals::StopSignal;
use crate::arena::{Folder, GradingPass, GradingRecord, Sample, Schedule, Tally, count_grades};
use crate::config::Experiment;
use crate::report::counted;

/// The games to grade, and the settings of grading.
pub struct Grading<'a> {
    /// With all rounds that were played.
    pub schedule: &'a Schedule,
    /// The maximum number of games to grade.
    pub games: u64,
    /// Discard earlier grades.
    pub fresh: bool,
    pub jobs: usize,
    pub quiet: bool,
    pub stop: &'a StopSignal,
}

impl Grading<'_> {
    /// Grades the games, adds the grades to the tally, and updates the manifest. Returns the exit code
    /// of a signal that stopped it early.
    pub fn run(
        &self,
        folder: &Folder,
        experiment: &Experiment,
        tally: &mut Tally,
    ) -> Result<Option<u8>, Failure> {
        let sample = Sample::new(self.schedule, self.units(tally), self.games, experiment.seed);
        let earlier = count_grades(folder, &tally.names)?.map_or(0, |grades| grades.games);
        if !self.quiet && (self.fresh || earlier < sample.games()) {
            let games = counted(sample.games(), "game");
            note(format!("grading {games} by exact values"));
        }
        let listener = Listener::new(self.quiet, sample.games(), false);
        let pass = GradingPass {
            folder,
            any_game: &experiment.any_game,
            names: tally.names.clone(),
            schedule: self.schedule,
            sample: &sample,
            fresh: self.fresh,
            jobs: self.jobs,
            stop: self.stop.flag(),
            observer: &listener,
        };
        let graded = self.stop.finishing(None, || pass.run());
        listener.clear();
        let graded = graded?;
        if let Some(mut manifest) = folder.manifest() {
            let (games, asked) = (graded.games, self.games);
            let complete = graded.complete;
            manifest.grading =
                Some(GradingRecord { oracle: "perfect".to_owned(), asked, games, complete });
            folder.write_manifest(&manifest)?;
        }
        if !self.quiet && graded.complete && graded.new == 0 && graded.games > 0 {
            let games = counted(graded.games, "game");
            note(format!("{games} had their grades already (`--fresh` grades them again)"));
        }
        if !self.quiet && !graded.complete {
            let dir = folder.path().display();
            let (done, all) = (graded.games, counted(sample.games(), "game"));
            note(format!("stopped after grading {done} of {all}; `agon grade {dir}` continues"));
        }
        tally.grades = count_grades(folder, &tally.names)?;
        Ok(self.stop.code().filter(|_| !graded.complete))
    }

    /// The units to sample from: all of the schedule, or fewer if a sequential test has ended the
    /// run.
    fn units(&self, tally: &Tally) -> u64 {
        if tally.is_decided() { tally.rows.div_ceil(2) } else { self.schedule.units() }
    }
}
