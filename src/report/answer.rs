//! The answer of a run: one place for the terminal, the page, JSON and the exit code.

use super::first_move_advantage::{SeatRows, rates};
use super::number_format::percent;
use super::run_results::Results;
use super::short_summary::{agents_answer, moving_first};
use crate::stats::sprt::{Sprt, SprtVerdict};
use crate::util::collect_with_less_code::Each;

crate::choice! {
    /// What a sequential test or a format in rounds decided.
    pub enum Decision {
        /// The run tests nothing; its results are estimates.
        NoTest = "no test",
        /// H1 is accepted, or the question of the format has its answer.
        Yes = "yes",
        /// H0 is accepted.
        No = "no",
        Undecided = "undecided",
    }
}

/// The main result of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// One to three sentences.
    pub sentence: String,
    /// Whether the sentence is about agents that met each other, and not about seats or about a run
    /// without games.
    pub compares_agents: bool,
}

impl Answer {
    pub fn of(results: &Results) -> Answer {
        let agents = agents_answer(results).filter(|_| results.tally.games() > 0);
        let compares_agents = agents.is_some();
        let sentence = agents.unwrap_or_else(|| without_opponents(results));
        Answer { sentence, compares_agents }
    }
}

impl Decision {
    pub fn of(results: &Results) -> Decision {
        let rounds = results.context.adaptive.as_ref();
        if rounds.is_some_and(|rounds| !rounds.is_decided()) {
            return Decision::Undecided;
        }
        match results.tally.sprt.as_ref().map(Sprt::verdict) {
            None if rounds.is_some() => Decision::Yes,
            None => Decision::NoTest,
            Some(Some(SprtVerdict::AcceptH1)) => Decision::Yes,
            Some(Some(SprtVerdict::AcceptH0)) => Decision::No,
            Some(Some(SprtVerdict::Undecided) | None) => Decision::Undecided,
        }
    }
}

/// The answer of a run in which no two different agents met.
fn without_opponents(results: &Results) -> String {
    if results.tally.games() == 0 {
        return "No games were played.".to_owned();
    }
    let first = SeatRows::new(&results.tally, &results.context).all();
    let moving_first = moving_first(results, &first.judged);
    let [wins, draws, losses] = rates(&first.results).each(percent);
    format!("{moving_first}: {wins} % wins, {draws} % draws, {losses} % losses")
}
