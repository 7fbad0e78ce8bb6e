//! The evaluators of Breakthrough.

use super::state::{Breakthrough, BreakthroughState};
use crate::games::linear_evaluator::{Features, difference};
use crate::games::{Evaluator, Player};

/// The number of pieces: the first player's minus the second player's.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pieces;

impl Evaluator<Breakthrough> for Pieces {
    #[inline]
    fn evaluate(&self, _game: &Breakthrough, state: &BreakthroughState) -> i32 {
        let [first, second] = state.pieces.map(u64::count_ones);
        first as i32 - second as i32
    }

    fn range(&self, game: &Breakthrough) -> Option<(i32, i32)> {
        let most = 2 * i32::from(game.columns);
        Some((-most, most))
    }
}

/// - `pieces`: pieces on the board;
/// - `advance`: rows that the pieces have advanced, summed;
/// - `front`: rows that the foremost piece has advanced;
/// - `home`: pieces on the own home row;
/// - `protected`: pieces that an own piece protects;
/// - `threats`: attacked enemy pieces that are not protected;
/// - `turn`: side to move.
impl Features<7> for Breakthrough {
    const FEATURES: [(&'static str, i64); 7] = [
        ("pieces", 20),
        ("advance", 1),
        ("front", 8),
        ("home", 1),
        ("protected", 1),
        ("threats", 5),
        ("turn", 3),
    ];

    fn features(&self, state: &BreakthroughState) -> [i32; 7] {
        let [first, second] = Player::BOTH.map(|player| {
            let (own, enemy) = (state.pieces(player), state.pieces(player.other()));
            // A piece on the last row attacks nothing.
            let attackers = own & !self.home(player.other());
            let defenders = enemy & !self.home(player);
            let attacked = self.attacked(attackers, player);
            let safe = self.attacked(defenders, player.other());
            let (mut advance, mut front) = (0, 0);
            for row in 1..self.rows {
                let there = (own & self.row(player, row)).count_ones() as i32;
                advance += i32::from(row) * there;
                if there > 0 {
                    front = i32::from(row);
                }
            }
            [
                own.count_ones() as i32,
                advance,
                front,
                (own & self.home(player)).count_ones() as i32,
                (own & attacked).count_ones() as i32,
                (enemy & attacked & !safe).count_ones() as i32,
                i32::from(player == state.side),
            ]
        });
        difference(first, second)
    }

    fn largest_feature(&self) -> u32 {
        2 * u32::from(self.columns) * u32::from(self.rows)
    }
}
