//! What tables need to know of a run besides its counts.

use super::verdict::Terms;
use crate::arena::{PairingTally, Tally};
use crate::stats::ratings::Reference;
use crate::world::Scale;

/// What is known of a run besides its counts. From `games.csv` alone nothing is.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// The agents' kinds by index.
    pub kinds: Vec<String>,
    /// Whom ratings are relative to.
    pub reference: Reference,
    /// All games that were planned have been played.
    pub complete: bool,
    /// A sequential test decided when the run ends: its length was not fixed.
    pub sequential: bool,
    /// Figures that only some readers want are shown as well.
    pub verbose: bool,
    /// The size of the opening set where it is finite and played as a whole.
    pub opening_set: Option<u64>,
    /// What exact values of the game are, where the game is known.
    pub scale: Option<Scale>,
}

impl Context {
    /// How a pairing came to its length.
    pub fn terms(&self, pairing: &PairingTally) -> Terms {
        let distinct = pairing.distinct.pairs.n() + pairing.distinct.lone_first.n();
        Terms {
            fixed_length: self.complete && !self.sequential,
            exhausted: pairing.random_games == 0
                && self.opening_set.is_some_and(|openings| distinct == openings),
        }
    }

    /// How the run as a whole came to its length.
    pub fn overall(&self, tally: &Tally) -> Terms {
        let exhausted = tally.pairings.iter().all(|(_, results)| self.terms(results).exhausted);
        Terms { fixed_length: self.complete && !self.sequential, exhausted }
    }
}
