//! The evaluators of EinStein würfelt nicht.

use super::movable_stones_by_die::MOVABLE;
use super::state::{Einstein, EinsteinState, Phase, WAYS};
use super::stones_of_one_side::Stones;
use crate::games::grid::bitboard::Bitboard;
use crate::games::linear_evaluator::{Features, difference};
use crate::games::{Evaluator, Player};

/// The race to the corners. For each face of the die, counts the steps to the goal of the nearest
/// stone that may move. The value is the second player's sum minus the first's.
#[derive(Debug, Clone, Copy, Default)]
pub struct Race;

impl Evaluator<Einstein> for Race {
    #[inline]
    fn evaluate(&self, game: &Einstein, state: &EinsteinState) -> i32 {
        let [first, second] = state.stones.map(|stones| game.race(stones));
        second - first
    }

    fn range(&self, game: &Einstein) -> Option<(i32, i32)> {
        let most = i32::from(game.shape.stones) * (i32::from(game.shape.size) - 1);
        Some((-most, most))
    }

    /// The die decides which stones may move, not their cells.
    #[inline]
    fn outcome_range(&self, game: &Einstein, state: &EinsteinState) -> Option<(i32, i32)> {
        let value = self.evaluate(game, state);
        (state.phase == Phase::Roll).then_some((value, value))
    }
}

impl Einstein {
    #[inline]
    fn distance(&self, cell: u8) -> i32 {
        let last = self.shape.size - 1;
        i32::from((last - (cell & 7)).max(last - (cell >> 3)))
    }

    /// The steps of the nearest stone in a set; the longest distance for the empty set.
    #[inline]
    fn nearest(&self, stones: Stones, set: u8) -> i32 {
        let steps = u64::from(set).cells().map(|stone| self.distance(stones.cell(stone as u8)));
        steps.min().unwrap_or(i32::from(self.shape.size) - 1)
    }

    /// The sum over all faces of the steps of the nearest stone that may move.
    #[inline]
    fn race(&self, stones: Stones) -> i32 {
        let sets = &MOVABLE[usize::from(stones.alive())][..usize::from(self.shape.stones)];
        sets.iter().map(|&set| self.nearest(stones, set)).sum()
    }

    /// The number of pairs of an own stone and an enemy stone that it attacks.
    fn threats(&self, own: Stones, enemy: Stones) -> i32 {
        let attacked = |stone: u32| {
            let cell = own.cell(stone as u8);
            let [row, column] = self.can_step(cell);
            let ways = WAYS.into_iter().zip([row, column, row && column]);
            let hit = |to: u8| enemy.on(self.turned(to)).is_some();
            ways.filter(|&(way, open)| open && hit(cell + way)).count() as i32
        };
        u64::from(own.alive()).cells().map(attacked).sum()
    }
}

/// - `race`: as the evaluator `race`;
/// - `nearest`: steps of the nearest stone, the opponent's minus the own;
/// - `stones`: stones on the board;
/// - `threats`: attacked enemy stones, counted once for each attacker;
/// - `turn`: side to move.
impl Features<5> for Einstein {
    const FEATURES: [(&'static str, i64); 5] =
        [("race", 10), ("nearest", 20), ("stones", 0), ("threats", 2), ("turn", 15)];

    fn features(&self, state: &EinsteinState) -> [i32; 5] {
        let [first, second] = Player::BOTH.map(|player| {
            let (own, enemy) = (state.stones(player), state.stones(player.other()));
            [
                -self.race(own),
                -self.nearest(own, own.alive()),
                own.alive().count_ones() as i32,
                self.threats(own, enemy),
                i32::from(player == state.side && state.phase != Phase::Over),
            ]
        });
        difference(first, second)
    }

    fn largest_feature(&self) -> u32 {
        u32::from(self.shape.stones) * u32::from(self.shape.size).max(3)
    }
}
