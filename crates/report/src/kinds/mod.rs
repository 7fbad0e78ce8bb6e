//! What the report of a kind of run has that the other kinds do not have: its answer, its tables and its
//! files. One file for each kind.

pub(super) mod matches;
pub(super) mod rounds;
pub(super) mod sequential;
pub(super) mod tune;

use crate::arena::{DerivedFile, RunState, Schedule, Tally};
use crate::config::{Experiment, RunKind};
use crate::figures::run_facts_for_tables::RunContext;
use crate::figures::run_results::Results;
use crate::stats::sprt::SprtVerdict;
use crate::text::data_table::DataTable;
use crate::text::number_format::counted;
use crate::text::text_table::TextTable;

crate::choice! {
    /// What a sequential test or a format in rounds decided.
    pub enum RunDecision {
        /// The run tests nothing; its results are estimates.
        NoTest = "no test",
        /// H1 is accepted, or the question of the format has its answer.
        Yes = "yes",
        /// H0 is accepted.
        No = "no",
        Undecided = "undecided",
    }
}

impl RunDecision {
    /// The decision of a sequential test.
    pub fn of_test(verdict: Option<SprtVerdict>) -> RunDecision {
        match verdict {
            Some(SprtVerdict::AcceptH1) => RunDecision::Yes,
            Some(SprtVerdict::AcceptH0) => RunDecision::No,
            Some(SprtVerdict::Undecided) | None => RunDecision::Undecided,
        }
    }
}

/// The report of a kind of run. The defaults are those of a run with a fixed number of games.
pub(super) trait KindReport {
    /// The main result as one to three sentences; `None` if the scores of the agents are the result.
    fn answer(&self, _: &Results) -> Option<String> {
        None
    }

    /// What was decided; it determines the exit code.
    fn decision(&self) -> RunDecision {
        RunDecision::NoTest
    }

    /// The verdict on two agents A and B as a sentence, if it is that of a test.
    fn verdict(
        &self,
        _names: [&str; 2],
        _b_is_stronger: &dyn Fn() -> String,
        _complete: bool,
    ) -> Option<String> {
        None
    }

    /// The verdict of a test on the first agent, in one or two words.
    fn verdict_word(&self) -> Option<String> {
        None
    }

    /// The test of the run: its name, its figures, and what it accepts.
    fn test(&self, _complete: bool) -> Option<[String; 3]> {
        None
    }

    /// How far the test of the run has come, as a sentence.
    fn state_of_test(&self, _complete: bool) -> Option<String> {
        None
    }

    /// The test of the run in the JSON document.
    fn test_as_json(&self, _complete: bool) -> Option<serde_json::Value> {
        None
    }

    /// The tables that come first, in the terminal and on the page.
    fn tables(&self, _: &Results) -> Vec<TextTable> {
        Vec::new()
    }

    /// The tables of the first screen, each with notes; `agents` is that of the agents.
    fn first_screen(&self, _: &Results, agents: TextTable) -> Vec<(TextTable, Vec<String>)> {
        vec![(agents, Vec::new())]
    }

    /// The games after which each agent was eliminated, if the kind eliminates agents.
    fn eliminations(&self, _agents: usize) -> Option<Vec<Option<u64>>> {
        None
    }

    /// The tables that are files, and parts of the JSON document.
    fn data<'a>(&'a self, _: &'a Results) -> Vec<(DerivedFile, DataTable<'a>)> {
        Vec::new()
    }
}

/// What is known of a kind of run before its first game.
trait KindPlan {
    fn planned_games(&self, schedule: &Schedule) -> PlannedGames;
}

struct Fixed;

impl KindReport for Fixed {}

/// What a run decided.
pub fn decision(results: &Results) -> RunDecision {
    of(&results.tally, &results.context).decision()
}

/// The report of the kind of this run.
pub(super) fn of<'a>(tally: &'a Tally, context: &'a RunContext) -> &'a dyn KindReport {
    match (&context.state, &tally.sprt) {
        (RunState::Fixed, None) => &Fixed,
        (RunState::Fixed, Some(test)) => test,
        (RunState::Rounds(adaptive), _) => &**adaptive,
        (RunState::Matches(tournament), _) => &**tournament,
        (RunState::Tune(tuning), _) => &**tuning,
    }
}

/// The games of a run before its first game.
#[derive(Default)]
pub struct PlannedGames {
    /// The games of each pairing, or of each match, if the results do not choose them.
    pub each: Option<u64>,
    /// The games of the whole run.
    pub all: Option<u64>,
    /// The maximum of a run that its results end.
    pub most: Option<u64>,
    /// Whether only the pairings of the first round are known.
    pub first_round: bool,
    /// All of it in words.
    pub words: String,
}

impl PlannedGames {
    /// All pairings play the same number of games.
    fn of_each(all: u64, schedule: &Schedule, each: u64) -> PlannedGames {
        let pairings = counted(schedule.pairings().len() as u64, "pairing");
        let words =
            format!("{}: {pairings} of {} each", counted(all, "game"), counted(each, "game"));
        PlannedGames { each: Some(each), all: Some(all), words, ..PlannedGames::default() }
    }
}

/// The games of a run before its first game: for `--dry-run`.
pub fn planned_games(experiment: &Experiment, schedule: &Schedule) -> PlannedGames {
    match &experiment.kind {
        RunKind::Fixed | RunKind::Sequential(_) => {
            PlannedGames::of_each(schedule.games(), schedule, experiment.schedule.games)
        }
        RunKind::Rounds(design) => design.planned_games(schedule),
        RunKind::Matches(design) => design.planned_games(schedule),
        RunKind::Tune(design) => design.planned_games(schedule),
    }
}
