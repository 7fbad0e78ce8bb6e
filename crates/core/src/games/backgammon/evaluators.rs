//! The evaluators of backgammon.

use super::checkers_of_one_side::{BAR, HOME, Side, turned};
use super::state::{Backgammon, BackgammonState, Phase};
use crate::games::linear_evaluator::{Features, difference};
use crate::games::{Evaluator, Player};

/// The race: the lead in steps for the rest of the game, relative to the square root of all steps.
///
/// The dice add up, so this ratio decides who wins a race: D. Kleinman, "Vision Laughs at Counting",
/// 1980. To roll next is worth four steps there.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pips;

const ROLL_IN_PIPS: i32 = 4;

/// Fifteen checkers on the bar, and the other side without checkers: `100 * 379 / 375_f32.sqrt()`.
const MOST: i32 = 1957;

impl Evaluator<Backgammon> for Pips {
    #[inline]
    fn evaluate(&self, _game: &Backgammon, state: &BackgammonState) -> i32 {
        let [first, second] = state.sides.map(|side| side.pips() as i32);
        let lead = second - first + ROLL_IN_PIPS * state.roller();
        // Division and square root are the same on every machine.
        (100.0 * lead as f32 / ((first + second) as f32).sqrt()) as i32
    }

    fn range(&self, _game: &Backgammon) -> Option<(i32, i32)> {
        Some((-MOST, MOST))
    }

    /// A roll moves no checker. The first roll decides who begins.
    #[inline]
    fn outcome_range(&self, game: &Backgammon, state: &BackgammonState) -> Option<(i32, i32)> {
        let value = self.evaluate(game, state);
        (state.phase != Phase::FirstRoll).then_some((value, value))
    }
}

/// The length of the longest row of neighbouring points.
#[inline]
fn longest_row(mut points: u32) -> i32 {
    let mut length = 0;
    while points != 0 {
        points &= points >> 1;
        length += 1;
    }
    length
}

/// The rolls that hit a blot at each distance, without blocked points.
const ROLLS: [i32; 13] = [0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3];
const MOST_SHOTS: u32 = 15 * 109;

/// The rolls that hit, summed over all pairs of a blot and an enemy point within twelve steps.
#[inline]
fn shots(own: Side, enemy: Side) -> i32 {
    let mut sum = 0;
    for (distance, rolls) in ROLLS.iter().enumerate().skip(1) {
        let reached = turned(enemy.points() >> distance);
        sum += rolls * (own.blots() & reached).count_ones() as i32;
    }
    sum
}

/// - `pips`: steps that all checkers have to go, negative;
/// - `blots`: single checkers on the board;
/// - `shots`: rolls of the opponent that hit a blot, summed over blots and enemy points;
/// - `anchors`: points with at least two checkers in the opponent's home;
/// - `home`: such points in the own home;
/// - `prime`: the longest row of such points;
/// - `bar`: checkers on the bar;
/// - `turn`: side to move or to roll.
impl Features<8> for Backgammon {
    const FEATURES: [(&'static str, i64); 8] = [
        ("pips", 6),
        ("blots", -3),
        ("shots", -1),
        ("anchors", 12),
        ("home", 12),
        ("prime", 9),
        ("bar", -30),
        ("turn", 24),
    ];

    fn features(&self, state: &BackgammonState) -> [i32; 8] {
        let [first, second] = Player::BOTH.map(|player| {
            let (own, enemy) = (state.checkers(player), state.checkers(player.other()));
            let count = |set: u32| set.count_ones() as i32;
            let made = own.made() & !(1 << BAR);
            [
                -(own.pips() as i32),
                count(own.blots() & !(1 << BAR)),
                shots(own, enemy),
                count(made & HOME << 18),
                count(made & HOME),
                longest_row(made),
                own.at(BAR) as i32,
                i32::from(player.sign() == state.roller()),
            ]
        });
        difference(first, second)
    }

    /// A roll moves no checker. The first roll decides who begins.
    fn chance_matters(&self, state: &BackgammonState) -> bool {
        state.phase == Phase::FirstRoll
    }

    fn largest_feature(&self) -> u32 {
        MOST_SHOTS
    }
}
