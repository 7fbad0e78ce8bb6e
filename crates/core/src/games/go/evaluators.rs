//! The evaluators of Go. Their unit is half a point, as that of the payoff.

use super::state::{Go, GoState};
use crate::games::evaluator_trait::Evaluator;
use crate::games::linear_evaluator::Features;

/// The area as if the game ended now, and komi.
#[derive(Debug, Clone, Copy, Default)]
pub struct Area;

impl Evaluator<Go> for Area {
    #[inline]
    fn evaluate(&self, game: &Go, state: &GoState) -> i32 {
        2 * game.area(state) - game.komi
    }

    fn range(&self, game: &Go) -> Option<(i32, i32)> {
        Some(game.payoffs())
    }
}

/// - `area`: stones, and empty points that reach only the side's stones;
/// - `stones`: stones on the board;
/// - `liberties`: liberties, counted for each chain;
/// - `atari`: chains with one liberty;
/// - `komi`: the komi in half points, for the second player.
impl Features<5> for Go {
    const FEATURES: [(&'static str, i64); 5] =
        [("area", 2), ("stones", 0), ("liberties", 1), ("atari", -3), ("komi", 1)];

    fn features(&self, state: &GoState) -> [i32; 5] {
        let [first, second] = self.count_chains(state);
        let stones = state.lead_in_stones();
        [self.area(state), stones, first[1] - second[1], first[0] - second[0], -self.komi]
    }

    fn largest_feature(&self) -> u32 {
        (4 * u32::from(self.points())).max(self.komi.unsigned_abs())
    }
}
