//! The evaluators of Othello. Their unit is the disc, as that of the score.

use super::state::{Othello, OthelloState};
use crate::games::linear_evaluator::{Features, difference};
use crate::games::{Evaluator, Player};

/// Eight for each corner and one for each move: the own minus the opponent's.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mobility;

impl Evaluator<Othello> for Mobility {
    #[inline]
    fn evaluate(&self, game: &Othello, state: &OthelloState) -> i32 {
        let moves = game.mobility(state);
        let [first, second] = [0, 1].map(|side| {
            let corners = (state.discs[side] & game.corners).count_ones();
            (8 * corners + moves[side]) as i32
        });
        first - second
    }

    fn range(&self, game: &Othello) -> Option<(i32, i32)> {
        let most = 32 + i32::from(game.size) * i32::from(game.size);
        Some((-most, most))
    }
}

impl Othello {
    /// The number of cells where each side can move.
    #[inline]
    fn mobility(&self, state: &OthelloState) -> [u32; 2] {
        let [own, enemy] = [state.discs(state.side), state.discs(state.side.other())];
        let (own, other) = (state.moves.count_ones(), self.legal(enemy, own).count_ones());
        if state.side == Player::First { [own, other] } else { [other, own] }
    }
}

/// - `discs`: discs on the board;
/// - `corners`: discs in the corners;
/// - `x_cells`: discs diagonally next to an empty corner;
/// - `edges`: discs on the edges;
/// - `mobility`: cells where the side can move;
/// - `frontier`: discs next to an empty cell.
impl Features<6> for Othello {
    const FEATURES: [(&'static str, i64); 6] = [
        ("discs", 0),
        ("corners", 10),
        ("x_cells", -4),
        ("edges", 0),
        ("mobility", 1),
        ("frontier", 0),
    ];

    fn features(&self, state: &OthelloState) -> [i32; 6] {
        let [first, second] = state.discs;
        let empty = self.board & !(first | second);
        let (open, risky) = (self.around(empty), self.around(empty & self.corners) & self.x_cells);
        let moves = self.mobility(state);
        let [first, second] = [0, 1].map(|side| {
            let count = |set: u64| (state.discs[side] & set).count_ones() as i32;
            let places = [self.board, self.corners, risky, self.edges];
            let [discs, corners, x_cells, edges] = places.map(count);
            [discs, corners, x_cells, edges, moves[side] as i32, count(open)]
        });
        difference(first, second)
    }

    fn largest_feature(&self) -> u32 {
        u32::from(self.size) * u32::from(self.size)
    }
}
