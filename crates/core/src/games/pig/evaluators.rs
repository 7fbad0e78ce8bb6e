//! The evaluators of Pig.

use super::state::{Pig, PigState};
use crate::games::linear_evaluator::Features;
use crate::games::{Evaluator, Game};

/// The first player's banked score and turn sum minus the second player's.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lead;

impl Evaluator<Pig> for Lead {
    #[inline]
    fn evaluate(&self, game: &Pig, state: &PigState) -> i32 {
        let [score, sum, _] = game.features(state);
        score + sum
    }

    /// A score plus a turn sum is below the goal until the last roll.
    fn range(&self, game: &Pig) -> Option<(i32, i32)> {
        let most = (game.goal() + game.die()) as i32;
        Some((-most, most))
    }

    /// The turn sum grows by 2 up to the largest face, or is lost.
    fn outcome_range(&self, game: &Pig, state: &PigState) -> Option<(i32, i32)> {
        let [score, sum, _] = game.features(state);
        let (lost, most) = (score, score + sum + state.side().sign() * game.die() as i32);
        Some((lost.min(most), lost.max(most)))
    }
}

/// - `score`: banked points;
/// - `sum`: the points of this turn, not yet banked;
/// - `turn`: side to move.
impl Features<3> for Pig {
    const FEATURES: [(&'static str, i64); 3] = [("score", 10), ("sum", 8), ("turn", 40)];

    #[inline]
    fn features(&self, state: &PigState) -> [i32; 3] {
        let [first, second] = state.scores.map(i32::from);
        let sign = state.side.sign();
        let acts = i32::from(self.turn(state) != crate::games::Turn::Over);
        [first - second, sign * i32::from(state.total), sign * acts]
    }

    fn largest_feature(&self) -> u32 {
        self.goal() + self.die()
    }
}
