//! Exact winning probabilities of Pig by value iteration.
//!
//! T. W. Neller and C. G. M. Presser, "Optimal Play of the Dice Game Pig", The UMAP
//! Journal 25(1), 2004. A turn's values depend on the values at the start of turns with
//! more banked points, which are known when pairs of scores are taken from the goal
//! downwards, and on one unknown: the value at the start of the opponent's turn with the
//! scores as they are. The two unknowns of a pair of scores depend on each other and are
//! iterated until they stand still.

use super::rules::Pig;

/// How a side plays.
#[derive(Clone, Copy)]
pub enum Strategy<'a> {
    /// Maximises its winning probability against the other side's strategy.
    Best,
    /// Rolls with the probability that a function of the own score, the other's score and
    /// the turn's sum gives. It must roll at some time, or games do not end.
    Rolls(&'a (dyn Fn(u32, u32, u32) -> f64 + Sync)),
}

/// Rolls until the turn's sum is at least `at`: the strategy *hold at 20* and its relatives.
pub fn hold_at(at: u32) -> impl Fn(u32, u32, u32) -> f64 + Sync {
    move |_, _, sum| f64::from(u8::from(sum < at))
}

/// Winning probabilities at the start of turns, for one strategy on each side.
#[derive(Debug, Clone)]
pub struct Solution {
    goal: usize,
    die: usize,
    /// By side: the probability of winning for the side whose turn begins, by own score
    /// and other's score.
    start: [Vec<f64>; 2],
}

/// Far more rounds than two unknowns need to stand still.
const ROUNDS: u32 = 100;

impl Solution {
    /// Optimal play on both sides.
    pub fn optimal(game: &Pig) -> Self {
        Solution::of(game, [Strategy::Best; 2])
    }

    /// The first player's strategy against the second's. Time grows with the third power
    /// of the goal: a few hundredths of a second for 100, about one second for 300.
    pub fn of(game: &Pig, sides: [Strategy<'_>; 2]) -> Self {
        let (goal, die) = (game.goal() as usize, game.die() as usize);
        let mut solution = Solution { goal, die, start: [0, 1].map(|_| vec![0.5; goal * goal]) };
        let mut turn = vec![0.0; goal + die];
        for sum in (0..=2 * (goal - 1)).rev() {
            for first in sum.saturating_sub(goal - 1)..=sum.min(goal - 1) {
                solution.settle(sides, first, sum - first, &mut turn);
            }
        }
        solution
    }

    /// Finds the two values with these scores: at the start of the first player's turn and
    /// of the second's. What one round of the iteration adds to the first is piecewise
    /// linear in it, so the secant method finds its zero in a few rounds.
    fn settle(&mut self, sides: [Strategy<'_>; 2], first: usize, second: usize, turn: &mut [f64]) {
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

    /// Values of the mover's decisions by the turn's sum, from the largest down; returns the
    /// value of the turn's start. `out[sum]` is left for every sum below the goal.
    fn turn(
        &self,
        side: usize,
        strategy: Strategy<'_>,
        own: usize,
        other: usize,
        out: &mut [f64],
    ) -> f64 {
        let need = self.goal - own;
        // Whoever has enough holds and wins.
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

    /// The values of rolling and of holding, from those of larger sums.
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

    /// The first player's probability of winning from the start.
    pub fn first_wins(&self) -> f64 {
        self.start[0][0]
    }

    /// The probability of winning for the first (0) or second (1) player at the start of
    /// its turn; both scores below the goal.
    pub fn at_start(&self, side: usize, own: u32, other: u32) -> f64 {
        self.start[side][own as usize * self.goal + other as usize]
    }

    /// The mover's probabilities of winning by rolling and by holding, if both sides play
    /// on by their best; for a solution of [`Strategy::Best`] on both sides, and a sum that
    /// does not suffice to win.
    pub fn roll_or_hold(&self, own: u32, other: u32, sum: u32) -> [f64; 2] {
        let (own, other, sum) = (own as usize, other as usize, sum as usize);
        let mut larger = vec![0.0; self.goal + self.die];
        self.turn(0, Strategy::Best, own, other, &mut larger);
        self.choices(0, own, other, sum, &larger)
    }

    /// For every own score, other's score and sum whether the best play is to roll: of
    /// equal choices, to hold.
    pub fn table(&self) -> Table {
        let goal = self.goal;
        let mut table = Table { goal, bits: vec![0; (goal * goal * goal).div_ceil(64)] };
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

/// Optimal play as one bit for each own score, other's score and sum.
#[derive(Debug, Clone)]
pub struct Table {
    goal: usize,
    bits: Vec<u64>,
}

impl Table {
    fn index(&self, own: usize, other: usize, sum: usize) -> usize {
        (own * self.goal + other) * self.goal + sum
    }

    /// Whether the best play is to roll; scores below the goal. A sum that suffices to win
    /// is held.
    #[inline]
    pub fn rolls(&self, own: u32, other: u32, sum: u32) -> bool {
        let (own, other, sum) = (own as usize, other as usize, sum as usize);
        let bit = self.index(own, other, sum.min(self.goal - 1));
        own + sum < self.goal && self.bits[bit / 64] >> (bit % 64) & 1 == 1
    }
}
