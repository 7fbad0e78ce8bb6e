//! The evaluators of Kalah. Their unit is the stone, as that of the score.

use super::state::{Kalah, KalahState, Last};
use crate::games::grid::bitboard::Bitboard;
use crate::games::linear_evaluator::{Features, difference};
use crate::games::{Evaluator, Player};

/// The stones in the first player's store minus those in the second player's.
#[derive(Debug, Clone, Copy, Default)]
pub struct Stores;

impl Evaluator<Kalah> for Stores {
    #[inline]
    fn evaluate(&self, game: &Kalah, state: &KalahState) -> i32 {
        game.lead(state)
    }

    fn range(&self, game: &Kalah) -> Option<(i32, i32)> {
        Some((-game.total(), game.total()))
    }
}

/// - `store`: stones in the store;
/// - `pits`: stones in the pits;
/// - `again`: pits whose last stone falls into the store;
/// - `capture`: the most stones that one move captures;
/// - `turn`: side to move.
impl Features<5> for Kalah {
    const FEATURES: [(&'static str, i64); 5] =
        [("store", 1), ("pits", 0), ("again", 1), ("capture", 0), ("turn", 1)];

    fn features(&self, state: &KalahState) -> [i32; 5] {
        let open = !self.is_empty(state.stones[0]);
        let [first, second] = Player::BOTH.map(|player| {
            let sides = [state.stones[player.index()], state.stones[player.other().index()]];
            let (mut again, mut capture) = (0, 0);
            for bit in self.filled(sides[0]).cells() {
                match self.sow(sides, Kalah::pit_of(bit)).1 {
                    Last::Store => again += 1,
                    Last::Capture { opposite, .. } => {
                        capture = capture.max(1 + i32::from(opposite))
                    }
                    Last::Other => {}
                }
            }
            [
                self.store(state, player),
                self.count(sides[0]) as i32,
                again,
                capture,
                i32::from(open && player == state.side),
            ]
        });
        difference(first, second)
    }

    fn largest_feature(&self) -> u32 {
        self.total() as u32
    }
}
