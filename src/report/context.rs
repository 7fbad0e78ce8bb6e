//! What tables need to know of a run besides its counts.

use super::verdict::Terms;
use crate::agents::Budget;
use crate::arena::{PairingTally, Tally};
use crate::engine::Delay;
use crate::stats::ratings::Reference;
use crate::world::Scale;

/// How a run ended, as far as anything says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ending {
    /// Everything that was planned was played, or a sequential test was decided.
    Complete,
    /// There are fewer games than were planned.
    Stopped,
    /// Nothing says how many games were planned.
    #[default]
    Unknown,
}

/// What is known of a run besides its counts. From `games.csv` alone nothing is.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// The agents' kinds by index.
    pub kinds: Vec<String>,
    /// Whom ratings are relative to.
    pub reference: Reference,
    /// Whether all games that were planned have been played.
    pub ending: Ending,
    /// The number of games is known to have been fixed in advance: no sequential test
    /// decided when the run ends.
    pub length_fixed: bool,
    /// Figures that only some readers want are shown as well.
    pub verbose: bool,
    /// The size of the opening set where it is finite and played as a whole.
    pub opening_set: Option<u64>,
    /// What the agents are told to spend on a move, by index, where they are programs from
    /// outside.
    pub budgets: Vec<Option<Budget>>,
    /// The most logs of engines' faults that a run writes, where that is known.
    pub fault_logs: Option<u64>,
    /// How late agon itself was woken, where that was worth a warning.
    pub delay: Option<Delay>,
    /// What exact values of the game are, where the game is known.
    pub scale: Option<Scale>,
}

impl Context {
    /// Whether it is known that everything that was planned was played.
    pub fn complete(&self) -> bool {
        self.ending == Ending::Complete
    }

    /// How a pairing came to its length.
    pub fn terms(&self, pairing: &PairingTally) -> Terms {
        let distinct = pairing.distinct.pairs.n() + pairing.distinct.lone_first.n();
        Terms {
            fixed_length: self.complete() && self.length_fixed,
            exhausted: pairing.random_games == 0
                && !pairing.may_vary
                && !pairing.varied
                && self.opening_set.is_some_and(|openings| distinct == openings),
        }
    }

    /// How the run as a whole came to its length.
    pub fn overall(&self, tally: &Tally) -> Terms {
        let exhausted = tally.pairings.iter().all(|(_, results)| self.terms(results).exhausted);
        Terms { fixed_length: self.complete() && self.length_fixed, exhausted }
    }
}
