//! Exact values of bear-offs: both sides have all checkers in their home, so neither can be hit.
//!
//! One side's turns do not change the other's, so a position is a pair of numbers: each side's
//! position by its pips. A turn leads to a smaller number. A table has the probability that the
//! roller wins, for each pair.

use std::collections::HashMap;

use super::checkers_of_one_side::{HOME, Side};
use super::state::{Backgammon, BackgammonState, Phase};
use crate::games::{Exact, ExactSolver, GameExt, Unsolved};

/// The most checkers of a side. The table then has 9 million probabilities.
const MOST_CHECKERS: u32 = 8;

/// Solves all bear-offs with as many checkers of a side as in the positions that it was asked about.
#[derive(Default)]
pub(super) struct BearOffSolver {
    checkers: u32,
    numbers: HashMap<Side, usize>,
    /// The probability that the roller wins, by the roller's number and the other side's.
    wins: Vec<f64>,
    nodes: u64,
}

/// All positions of a side with at most this number of checkers, in its home.
fn home_positions(checkers: u32) -> Vec<Side> {
    let mut all = vec![Side::default()];
    for point in 1..=6 {
        // More checkers on this point than on any point so far.
        let mut last = all.clone();
        for _ in 0..checkers {
            last.retain(|side| side.on_board() < checkers);
            last.iter_mut().for_each(|side| side.add(point));
            all.extend_from_slice(&last);
        }
    }
    all.sort_by_key(|side| side.pips());
    all
}

/// The positions of a side after a roll.
fn after_roll(game: &Backgammon, own: Side, dice: [u8; 2]) -> impl Iterator<Item = Side> {
    let sides = [own, Side::default()];
    let side = crate::games::Player::First;
    let state = BackgammonState { sides, side, phase: Phase::Move, dice };
    let moves = game.legal_moves(&state);
    moves.into_iter().map(move |mv| {
        let mut own = own;
        mv.steps().iter().for_each(|step| step.play(&mut own));
        own
    })
}

impl BearOffSolver {
    /// Computes all pairs of positions with at most this number of checkers.
    fn compute(&mut self, game: &Backgammon, checkers: u32) {
        let positions = home_positions(checkers);
        let count = positions.len();
        self.checkers = checkers;
        self.numbers = positions.iter().copied().zip(0..).collect();
        // The rolls of each position, with their chances and the numbers of the positions after them.
        let rolls: Vec<Vec<(f64, Vec<usize>)>> = positions
            .iter()
            .map(|&own| {
                let dice = (1..=6).flat_map(|a| (1..=a).map(move |b| [a, b]));
                let rolls = dice.map(|dice| {
                    let chance = if dice[0] == dice[1] { 1.0 } else { 2.0 } / 36.0;
                    let after = after_roll(game, own, dice).map(|own| self.numbers[&own]);
                    (chance, after.collect())
                });
                rolls.collect()
            })
            .collect();
        let mut wins = vec![1.0; count * count];
        for larger in 1..count {
            for smaller in 1..=larger {
                for (roller, other) in [(larger, smaller), (smaller, larger)] {
                    let best = |after: &Vec<usize>| {
                        let chances = after.iter().map(|&own| match own {
                            0 => 1.0,
                            _ => 1.0 - wins[other * count + own],
                        });
                        chances.fold(0.0, f64::max)
                    };
                    let sum = rolls[roller].iter().map(|(chance, after)| chance * best(after));
                    wins[roller * count + other] = sum.sum();
                }
            }
        }
        self.nodes += (count * count) as u64;
        self.wins = wins;
    }

    /// The probability that the roller wins.
    fn chance(&mut self, game: &Backgammon, roller: Side, other: Side) -> f64 {
        let checkers = roller.on_board().max(other.on_board());
        if checkers > self.checkers {
            self.compute(game, checkers);
        }
        self.nodes += 1;
        let [roller, other] = [roller, other].map(|side| self.numbers[&side]);
        self.wins[roller * self.numbers.len() + other]
    }
}

impl ExactSolver<Backgammon> for BearOffSolver {
    fn value(&mut self, game: &Backgammon, state: &BackgammonState) -> Exact {
        let (own, other) = (state.checkers(state.side), state.checkers(state.side.other()));
        let wins = match state.phase {
            Phase::Over => return Exact::of_end(game, state),
            Phase::Move => {
                let mut best: f64 = 0.0;
                for after in after_roll(game, own, state.dice) {
                    let over = after.points() == 0;
                    best = best.max(if over { 1.0 } else { 1.0 - self.chance(game, other, after) });
                }
                best
            }
            Phase::FirstRoll | Phase::Roll => self.chance(game, own, other),
        };
        Exact { mean: f64::from(state.side.sign()) * (2.0 * wins - 1.0), plies: None }
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn refuses(&self, _game: &Backgammon, state: &BackgammonState) -> Option<Unsolved> {
        let solved = |side: &Side| side.points() & !HOME == 0 && side.on_board() <= MOST_CHECKERS;
        if state.sides.iter().all(solved) {
            return None;
        }
        let why = format!(
            "backgammon is solved where both sides bear off, with at most {MOST_CHECKERS} checkers \
             each"
        );
        let help = "a position such as `-AAAA--------------bbb---- first`".to_owned();
        Some(Unsolved { why, help })
    }
}
