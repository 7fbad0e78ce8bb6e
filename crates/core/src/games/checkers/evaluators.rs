//! The evaluators of checkers: material, and a weighted sum of features. A man is worth 100.

use super::state::{Checkers, CheckersState, HOME};
use crate::games::game::Player;
use crate::games::linear_evaluator::{Features, difference};
use crate::games::material_evaluator::CountedPieces;

impl CountedPieces<2> for Checkers {
    const KINDS: [(&'static str, i64); 2] = [("men", 100), ("kings", 130)];
    const SUMMARY: &'static str = "men and kings: the own minus the opponent's";
    const MOST: i32 = 12;

    #[inline]
    fn pieces(state: &CheckersState) -> [[i32; 2]; 2] {
        let count = |set: u32| set.count_ones() as i32;
        state.pieces.map(|own| [count(own & !state.kings), count(own & state.kings)])
    }
}

/// Rows whose number, counted from the top from 0, has bit 0, bit 1 or bit 2.
const ROWS: [u32; 3] = [0xF0F0_F0F0, 0xFF00_FF00, 0xFFFF_0000];
/// The squares 10, 11, 14, 15, 18, 19, 22 and 23.
const CENTRE: u32 = 0x0066_6600;

/// - `men` and `kings`: pieces on the board;
/// - `home`: men on the own home row, where they keep the opponent from a king;
/// - `advance`: rows that the men have advanced, summed;
/// - `centre`: pieces on the eight squares in the middle;
/// - `turn`: side to move.
impl Features<6> for Checkers {
    const FEATURES: [(&'static str, i64); 6] =
        [("men", 100), ("kings", 130), ("home", 24), ("advance", -2), ("centre", 4), ("turn", 6)];

    fn features(&self, state: &CheckersState) -> [i32; 6] {
        let counts = Self::pieces(state);
        let [first, second] = Player::BOTH.map(|player| {
            let (own, [men, kings]) = (state.pieces(player), counts[player.index()]);
            let count = |set: u32| set.count_ones() as i32;
            let [odd, twos, fours] = ROWS.map(|rows| count(own & !state.kings & rows));
            let down = odd + 2 * twos + 4 * fours;
            [
                men,
                kings,
                count(own & !state.kings & HOME[player.index()]),
                if player == Player::First { down } else { 7 * men - down },
                count(own & CENTRE),
                i32::from(player == state.side),
            ]
        });
        difference(first, second)
    }

    fn largest_feature(&self) -> u32 {
        // Twelve men, each six rows from the own home row.
        72
    }
}
