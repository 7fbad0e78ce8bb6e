//! What tables need to know about a run besides its counts.

#![deny(missing_docs)]

use std::collections::BTreeMap;

use super::agent_parameter_columns::ParameterColumn;
use super::verdict_phrases::Sampling;
use crate::agents::SearchBudget;
use crate::arena::{Manifest, PairingTally, RunState, Tally};
use crate::engine::{Delay, FinalScores};
use crate::play::GradeScale;
use crate::stats::ratings::Reference;

/// How a run ended, as far as this is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RunEnd {
    /// All planned games were played, or a sequential test was decided.
    Complete,
    /// There are fewer games than planned.
    Stopped,
    /// The number of planned games is unknown.
    #[default]
    Unknown,
}

/// What is known about a run besides its counts. `games.csv` alone contains none of it.
#[derive(Debug, Clone, Default)]
pub struct RunContext {
    /// The agents' kinds by index.
    pub kinds: Vec<String>,
    /// The parameters in which the agents differ, each with its values by agent.
    pub parameters: Vec<ParameterColumn>,
    /// The reference of the ratings.
    pub reference: Reference,
    /// The agents that are only a yardstick for the others, by index.
    pub reference_agents: Vec<usize>,
    /// Whether all planned games were played.
    pub ending: RunEnd,
    /// The number of games is known to have been fixed in advance: no sequential test decided when
    /// the run ended.
    pub length_fixed: bool,
    /// Whether to show additional figures for experts.
    pub verbose: bool,
    /// The size of the opening set if it is finite and played completely.
    pub opening_set: Option<u64>,
    /// Whether the agents play through external programs, by index; empty if unknown.
    pub programs: Vec<bool>,
    /// The budgets per move of the agents that are external programs, by index.
    pub budgets: Vec<Option<SearchBudget>>,
    /// The maximum number of engine fault logs that a run writes, if known.
    pub fault_logs: Option<u64>,
    /// What neither the config nor the games say.
    pub facts: RunFacts,
    /// What the results decided, by the kind of the run.
    pub state: RunState,
    /// The scale of the exact values of the game, if the game is known.
    pub scale: Option<GradeScale>,
}

/// What neither the config nor the games of a run say about it.
#[derive(Debug, Clone, Default)]
pub struct RunFacts {
    /// How late the system woke agon, if the delay was long enough for a warning.
    pub delay: Option<Delay>,
    /// How often the final scores of engines were the results.
    pub final_scores: Vec<FinalScores>,
    /// How often the providers of engines were unavailable, by agent.
    pub unavailable: BTreeMap<String, u64>,
    /// Whether the run got more games after its results could be seen.
    pub extended: bool,
    /// Notes about the tables of another program, if the results are from such tables.
    pub tables: Option<Vec<String>>,
}

impl RunFacts {
    /// What the manifest of a folder says.
    #[doc(hidden)]
    pub fn of(manifest: Option<&Manifest>) -> Self {
        RunFacts {
            delay: manifest.and_then(|manifest| manifest.delay.clone()),
            final_scores: manifest.map(|it| it.final_scores.clone()).unwrap_or_default(),
            unavailable: manifest.map(|it| it.unavailable.clone()).unwrap_or_default(),
            extended: manifest.is_some_and(Manifest::is_extended),
            tables: None,
        }
    }
}

/// The intervals of ratings that hold for a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RatingIntervals {
    /// For a number of games that was fixed in advance.
    FixedLength,
    /// For any stopping time.
    AtAnyTime,
    /// None, because the results chose the games.
    None,
}

impl RatingIntervals {
    /// The head of their column, if there is one.
    pub(crate) fn head(self) -> Option<&'static str> {
        match self {
            RatingIntervals::FixedLength => Some("95 %"),
            RatingIntervals::AtAnyTime => Some("95 % at any time"),
            RatingIntervals::None => None,
        }
    }

    /// What the lines of a chart show.
    pub(crate) fn lines(self) -> &'static str {
        match self {
            RatingIntervals::FixedLength => {
                "lines: 95 % intervals for a number of games chosen before the run"
            }
            RatingIntervals::AtAnyTime => {
                "lines: 95 % intervals that hold at any time (asymptotic)"
            }
            RatingIntervals::None => {
                "no intervals, because results chose the games; pairings.csv has intervals that hold \
                 at any time"
            }
        }
    }
}

impl RunContext {
    /// The intervals of ratings that hold. Those of a tournament with matches of a fixed length are
    /// approximate, and a note says so.
    pub(crate) fn rating_intervals(&self, tally: &Tally) -> RatingIntervals {
        match self.fixed_length(tally) {
            true => RatingIntervals::FixedLength,
            false if self.state.chooses_pairings() => RatingIntervals::None,
            false => RatingIntervals::AtAnyTime,
        }
    }

    /// Whether the number of games was chosen before the run, so that intervals for a fixed length
    /// hold. Otherwise only intervals that hold at any time do.
    pub(crate) fn fixed_length(&self, tally: &Tally) -> bool {
        self.overall(tally).fixed_length
    }

    /// Whether the experiment is known, and not only its games.
    pub(crate) fn knows_experiment(&self) -> bool {
        self.scale.is_some()
    }

    /// Whether all planned games are known to have been played.
    pub(crate) fn complete(&self) -> bool {
        self.ending == RunEnd::Complete
    }

    /// Whether an agent plays, or may play, through an external program.
    pub(crate) fn is_program(&self, agent: usize) -> bool {
        self.programs.get(agent).copied().unwrap_or(true)
    }

    /// Whether an agent is only a yardstick for the others.
    pub(crate) fn is_reference(&self, agent: usize) -> bool {
        self.reference_agents.contains(&agent)
    }

    /// The name of an agent in a table of ranks, with a mark if it is a reference.
    pub(crate) fn marked_name(&self, tally: &Tally, agent: usize) -> String {
        let mark = if self.is_reference(agent) { " (reference)" } else { "" };
        format!("{}{mark}", tally.names[agent])
    }

    /// How the number of games of a pairing was determined.
    pub(crate) fn sampling(&self, pairing: &PairingTally) -> Sampling {
        let distinct = pairing.distinct.pairs.n() + pairing.distinct.lone_first.n();
        Sampling {
            fixed_length: self.complete() && self.length_fixed,
            exhausted: !pairing.is_random
                && !pairing.may_vary
                && !pairing.varied
                && self.opening_set.is_some_and(|openings| distinct == openings),
        }
    }

    /// How the number of games of the whole run was determined.
    pub(crate) fn overall(&self, tally: &Tally) -> Sampling {
        let exhausted = tally.pairings.iter().all(|(_, results)| self.sampling(results).exhausted);
        Sampling { fixed_length: self.complete() && self.length_fixed, exhausted }
    }
}
