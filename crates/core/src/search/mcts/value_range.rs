//! The range of the values of simulations, by which exploration is scaled.

use crate::games::{Game, Player, Scoring};

/// The range of simulation values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    /// The smallest and the largest value so far; for results, of all possible values.
    pub low: f64,
    pub high: f64,
    /// The smallest and the largest possible value, if known.
    pub ends: Option<(f64, f64)>,
}

impl Range {
    /// The range that is known before the first simulation.
    pub(super) fn of<G: Game>(game: &G) -> Self {
        if !game.scoring().numeric_score() {
            return Range { low: -1.0, high: 1.0, ends: Some((-1.0, 1.0)) };
        }
        let ends =
            game.scoring().payoff_range().map(|(low, high)| (f64::from(low), f64::from(high)));
        Range { low: f64::INFINITY, high: f64::NEG_INFINITY, ends }
    }

    #[inline]
    pub(super) fn add(&mut self, value: f64) {
        self.low = self.low.min(value);
        self.high = self.high.max(value);
    }

    /// The factor that scales differences of values to at most 1.
    #[inline]
    pub(super) fn scale(&self) -> f32 {
        if self.high > self.low { (1.0 / (self.high - self.low)) as f32 } else { 0.0 }
    }

    /// Whether no value is better for a player.
    pub(super) fn is_best(&self, value: f64, player: Player) -> bool {
        self.ends
            .is_some_and(|(low, high)| value == if player == Player::First { high } else { low })
    }
}
