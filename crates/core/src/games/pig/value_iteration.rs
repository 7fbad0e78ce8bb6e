//! Exact winning probabilities of Pig by value iteration.
//!
//! T. W. Neller and C. G. M. Presser, "Optimal Play of the Dice Game Pig", The UMAP Journal 25(1),
//! 2004. Pairs of scores are solved from the goal downwards. So the values at the start of turns
//! with more banked points are already known. A turn's values depend on these and on one unknown:
//! the value at the start of the opponent's turn with the same scores. The two unknowns of a pair
//! of scores depend on each other and are iterated until they converge.

use std::sync::{Arc, Mutex};

use super::state::Pig;
use crate::util::locks::lock;

/// The strategy of a side.
#[derive(Clone, Copy)]
pub enum Strategy<'a> {
    /// Maximises the winning probability against the opponent's strategy.
    Best,
    /// Rolls with a probability that is a function of own score, opponent's score and turn sum. The
    /// probability must be positive at some point, or games do not end.
    Rolls(&'a (dyn Fn(u32, u32, u32) -> f64 + Sync)),
}

/// Rolls until the turn sum is at least `at`: the strategy *hold at 20* and similar ones.
pub fn hold_at(at: u32) -> impl Fn(u32, u32, u32) -> f64 + Sync {
    move |_, _, sum| f64::from(u8::from(sum < at))
}

/// Winning probabilities at the start of turns, for one strategy on each side.
#[derive(Debug, Clone)]
pub struct Solution {
    goal: usize,
    die: usize,
    /// By side: the winning probability of the side at the start of its turn, by own score and
    /// opponent's score.
    start: [Vec<f64>; 2],
}

/// Far more rounds than two unknowns need to converge.
const ROUNDS: u32 = 100;

impl Solution {
    /// Optimal play on both sides. The solution of the latest game is kept, because all agents, solvers
    /// and workers of a run need the same one.
    pub fn optimal(game: &Pig) -> Arc<Self> {
        static LATEST: Mutex<Option<(Pig, Arc<Solution>)>> = Mutex::new(None);
        // A panic leaves the solution of the game before, so a poisoned lock is safe.
        let mut latest = lock(&LATEST);
        match &*latest {
            Some((solved, solution)) if solved == game => Arc::clone(solution),
            _ => {
                let solution = Arc::new(Solution::of(game, [Strategy::Best; 2]));
                *latest = Some((*game, Arc::clone(&solution)));
                solution
            }
        }
    }

    /// The first player's strategy against the second's. Time grows with the cube of the goal: a
    /// few hundredths of a second for 100, about one second for 300.
    pub fn of(game: &Pig, sides: [Strategy<'_>; 2]) -> Self {
        let (goal, die) = (game.goal() as usize, game.die() as usize);
        let mut solution = Solution { goal, die, start: [0, 1].map(|_| vec![0.5; goal * goal]) };
        let mut turn = vec![0.0; goal + die];
        for sum in (0..=2 * (goal - 1)).rev() {
            for first in sum.saturating_sub(goal - 1)..=sum.min(goal - 1) {
                solution.solve_scores(sides, first, sum - first, &mut turn);
            }
        }
        solution
    }

    /// Computes the two values for these scores: at the start of the first player's turn and of the
    /// second's. The change of the first value in one round is piecewise linear in that value, so
    /// the secant method finds its zero in a few rounds.
    fn solve_scores(
        &mut self,
        sides: [Strategy<'_>; 2],
        first: usize,
        second: usize,
        turn: &mut [f64],
    ) {
        let (here, there) = (first * self.goal + second, second * self.goal + first);
        let mut round = |x: f64| {
            self.start[0][here] = x;
            self.start[1][there] = self.turn(1, sides[1], second, first, turn);
            self.start[0][here] = self.turn(0, sides[0], first, second, turn);
            self.start[0][here] - x
        };
        let (mut x, mut more) = (0.5, round(0.5));
        let mut next = x + more;
        for _ in 0..ROUNDS {
            let (before, more_before) = (x, more);
            (x, more) = (next, round(next));
            if more.abs() < 1e-15 || more == more_before {
                return;
            }
            next = x - more * (x - before) / (more - more_before);
        }
    }

    /// Computes the values of the mover's decisions by turn sum, from the largest sum down, and
    /// returns the value at the start of the turn. Fills `out[sum]` for every sum below the goal.
    fn turn(
        &self,
        side: usize,
        strategy: Strategy<'_>,
        own: usize,
        other: usize,
        out: &mut [f64],
    ) -> f64 {
        let need = self.goal - own;
        // A player with enough points holds and wins.
        out[need..need + self.die].fill(1.0);
        for sum in (0..need).rev() {
            let [roll, hold] = self.choices(side, own, other, sum, out);
            out[sum] = match strategy {
                Strategy::Best => roll.max(hold),
                Strategy::Rolls(chance) => {
                    let rolls = chance(own as u32, other as u32, sum as u32);
                    rolls * roll + (1.0 - rolls) * hold
                }
            };
        }
        out[0]
    }

    /// The values of rolling and of holding, from the values of larger sums.
    #[inline]
    fn choices(
        &self,
        side: usize,
        own: usize,
        other: usize,
        sum: usize,
        larger: &[f64],
    ) -> [f64; 2] {
        let opponent = &self.start[1 - side][other * self.goal..][..self.goal];
        let faces: f64 = larger[sum + 2..=sum + self.die].iter().sum();
        [(1.0 - opponent[own] + faces) / self.die as f64, 1.0 - opponent[own + sum]]
    }

    /// The first player's winning probability at the start of the game.
    pub fn first_wins(&self) -> f64 {
        self.start[0][0]
    }

    /// The winning probability of the first (0) or second (1) player at the start of its turn; both
    /// scores must be below the goal.
    pub fn at_start(&self, side: usize, own: u32, other: u32) -> f64 {
        self.start[side][own as usize * self.goal + other as usize]
    }

    /// The mover's winning probabilities after rolling and after holding, with optimal play
    /// afterwards. Requires a solution with [`Strategy::Best`] on both sides and a sum that is not
    /// enough to win.
    pub fn roll_or_hold(&self, own: u32, other: u32, sum: u32) -> [f64; 2] {
        self.roll_or_hold_in(own, other, sum, &self.values_of_turn(own, other))
    }

    /// The values of the mover's decisions in a turn with these scores, by turn sum, with optimal
    /// play. Both scores must be below the goal.
    pub(super) fn values_of_turn(&self, own: u32, other: u32) -> Vec<f64> {
        let mut values = vec![0.0; self.goal + self.die];
        self.turn(0, Strategy::Best, own as usize, other as usize, &mut values);
        values
    }

    /// As [`roll_or_hold`](Self::roll_or_hold), with the values of the turn.
    pub(super) fn roll_or_hold_in(
        &self,
        own: u32,
        other: u32,
        sum: u32,
        values: &[f64],
    ) -> [f64; 2] {
        self.choices(0, own as usize, other as usize, sum as usize, values)
    }

    /// Whether rolling is optimal, for every own score, opponent's score and turn sum. If both
    /// choices are equal, holding.
    pub fn table(&self) -> WinningChances {
        let goal = self.goal;
        let mut table = WinningChances { goal, bits: vec![0; (goal * goal * goal).div_ceil(64)] };
        let mut larger = vec![0.0; goal + self.die];
        for own in 0..goal {
            for other in 0..goal {
                self.turn(0, Strategy::Best, own, other, &mut larger);
                for sum in 0..goal - own {
                    let [roll, hold] = self.choices(0, own, other, sum, &larger);
                    let bit = table.index(own, other, sum);
                    table.bits[bit / 64] |= u64::from(roll > hold) << (bit % 64);
                }
            }
        }
        table
    }
}

/// Optimal play: one bit for each own score, opponent's score and turn sum.
#[derive(Debug, Clone)]
pub struct WinningChances {
    goal: usize,
    bits: Vec<u64>,
}

impl WinningChances {
    fn index(&self, own: usize, other: usize, sum: usize) -> usize {
        (own * self.goal + other) * self.goal + sum
    }

    /// Whether rolling is optimal; scores must be below the goal. Holds if the sum is enough to
    /// win.
    #[inline]
    pub fn rolls(&self, own: u32, other: u32, sum: u32) -> bool {
        let (own, other, sum) = (own as usize, other as usize, sum as usize);
        let bit = self.index(own, other, sum.min(self.goal - 1));
        own + sum < self.goal && self.bits[bit / 64] >> (bit % 64) & 1 == 1
    }
}
