//! The kinds of runs: what decides which games are played, and when a run is over.
//!
//! Everything that differs between kinds before a game is played is a method here. What differs while a
//! run is played is in `arena/rounds.rs`, and what differs in its report in `report/kinds`.

use crate::config::sections::adaptive_section;
use crate::config::sections::seats_and_pairings::Pairing;
use crate::config::sections::sprt_section;
use crate::config::sections::tournament_keys;
use crate::config::sections::tune_section;
use crate::params::Values;
use crate::stats::adaptive_rounds::AdaptiveDesign;
use crate::stats::sprt::Design;
use crate::stats::spsa_rounds::TuneDesign;
use crate::stats::tournament::TournamentDesign;

/// What decides which games are played, and when a run is over.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum RunKind {
    /// The config: all pairings play a fixed number of games.
    #[default]
    Fixed,
    /// A sequential test of two agents, which ends the run.
    Sequential(Design),
    /// Evidence: it chooses the games of the next round, and ends the run.
    Rounds(AdaptiveDesign),
    /// The results of matches, in a Swiss tournament or a knockout.
    Matches(TournamentDesign),
    /// A tune, which changes parameters after each round. Its two sides are the first two agents.
    Tune(TuneDesign),
}

impl RunKind {
    /// Whether the number of games does not depend on their results. If it does, only intervals
    /// that hold at any time are valid.
    pub fn has_fixed_length(&self) -> bool {
        match self {
            RunKind::Fixed | RunKind::Tune(_) => true,
            RunKind::Sequential(_) | RunKind::Rounds(_) => false,
            RunKind::Matches(design) => design.alpha.is_none(),
        }
    }

    /// Whether results choose the pairings of the next round, so that ratings have no intervals.
    pub fn chooses_pairings(&self) -> bool {
        matches!(self, RunKind::Rounds(_) | RunKind::Matches(_))
    }

    /// Whether the same config plays the same games whatever their results are.
    pub fn plays_fixed_games(&self) -> bool {
        *self == RunKind::Fixed
    }

    /// Whether scores without luck decide when the run ends.
    pub fn is_adjusted(&self) -> bool {
        match self {
            RunKind::Sequential(design) => design.settings().adjusted,
            RunKind::Rounds(design) => design.adjusted,
            RunKind::Fixed | RunKind::Matches(_) | RunKind::Tune(_) => false,
        }
    }

    /// Whether openings may be played again in later rounds.
    pub fn repeats_openings(&self) -> bool {
        match self {
            RunKind::Rounds(_) | RunKind::Tune(_) => true,
            RunKind::Matches(design) => design.is_bracket(),
            RunKind::Fixed | RunKind::Sequential(_) => false,
        }
    }

    /// The sequential test that ends the run.
    pub fn sequential_test(&self) -> Option<Design> {
        match self {
            RunKind::Sequential(design) => Some(*design),
            _ => None,
        }
    }

    /// The design of a tune.
    pub fn tuned(&self) -> Option<&TuneDesign> {
        match self {
            RunKind::Tune(design) => Some(design),
            _ => None,
        }
    }

    /// Whether two agents play each other, if the format has such a pairing. The sides of a tune
    /// only meet its opponents, if it has some.
    pub(super) fn has(&self, pairing: &Pairing) -> bool {
        let opponents = self.tuned().map_or(0, |design| design.opponents);
        opponents == 0 || pairing.a < 2 && pairing.b >= 2
    }

    /// The sections of `resolved.toml` that only this kind has, by the names of the agents.
    pub(super) fn sections(&self, names: &[&str]) -> Vec<(&'static str, Values)> {
        match self {
            RunKind::Fixed => Vec::new(),
            RunKind::Sequential(design) => vec![("sprt", sprt_section::to_values(design, None))],
            RunKind::Rounds(design) => {
                vec![("adaptive", adaptive_section::to_values(design, names))]
            }
            RunKind::Matches(design) => {
                let values = tournament_keys::to_values(design);
                values.map(|values| ("adaptive", values)).into_iter().collect()
            }
            RunKind::Tune(design) => {
                let test = sprt_section::to_values(&design.test, Some(design.test_games));
                vec![("sprt", test), ("tune", tune_section::to_values(design))]
            }
        }
    }

    /// Whether a section decides which games this run plays. The test at the end of a tune has a
    /// config of its own.
    pub(super) fn is_decided_by(&self, section: &str) -> bool {
        section != "sprt" || self.tuned().is_none()
    }

    /// The keys of `[schedule]` whose values this kind chooses.
    pub(super) fn chosen_keys(&self) -> &'static [&'static str] {
        match self {
            RunKind::Rounds(_) => &["games"],
            RunKind::Tune(_) => &["games", "format", "include_self"],
            RunKind::Fixed | RunKind::Sequential(_) | RunKind::Matches(_) => &[],
        }
    }
}
