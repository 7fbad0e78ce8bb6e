//! The evaluator `segments`: lines of one side only, weighted by their number of stones.

use std::sync::Arc;

use super::evaluator_trait::{Evaluator, EvaluatorInfo, Weights};
use super::evaluator_weights::resolve;
use super::game::Game;
use super::named_evaluators::NamedEvaluator;
use crate::games::grid::bitboard::Bitboard;
use crate::games::grid::lines_on_grid::{Grid, MAX_LINE, touched};
use crate::params::ParamError;

/// A game that is won by a line of stones on a bit grid.
pub trait LineGame: Game {
    type Board: Bitboard;

    fn grid(&self) -> &Grid<Self::Board>;

    /// The stones of both sides, the first player's first.
    fn stones(&self, state: &Self::State) -> [Self::Board; 2];

    /// The value of a position for the evaluator `segments`. Games override it for speed.
    #[inline]
    fn segments(&self, state: &Self::State, segments: &Segments) -> i32 {
        segments.value(self.grid(), self.stones(state))
    }

    fn named_segments(&self) -> NamedEvaluator<Self> {
        NamedEvaluator::new(Segments::info(self.grid().length), |game, weights| {
            Ok(Arc::new(Segments::new(game.grid(), weights)?))
        })
    }
}

/// Sums a weight over every line of k cells with stones of one side only, own minus opponent's. The
/// weight depends on the number of stones.
///
/// If longer rows do not win, a line with an own stone next to either end does not count: it can no
/// longer become a row of exactly k.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segments {
    weights: [i32; MAX_LINE as usize + 1],
}

/// The names of the features, by number of stones.
const NUMBERS: &str = "one two three four five six seven eight nine ten eleven twelve thirteen \
                       fourteen fifteen sixteen seventeen eighteen nineteen twenty";

impl Segments {
    /// Name, features and default weights for lines of `length` cells.
    ///
    /// A complete line is worth 1 000 000. A line with one stone missing is worth 100 (10 000 from
    /// five in a row on), and each further missing stone divides by 100.
    pub fn info(length: u32) -> EvaluatorInfo {
        let weight = |stones: u32| match (length - stones, length) {
            (0, _) => 1_000_000,
            (missing, 5..) => [10_000, 100, 1].get(missing as usize - 1).copied().unwrap_or(0),
            (missing, _) => [100, 1].get(missing as usize - 1).copied().unwrap_or(0),
        };
        let names = NUMBERS.split(' ').map(str::to_owned);
        EvaluatorInfo {
            name: "segments",
            summary: "lines with stones of one side only, by their number of stones",
            features: names.zip((1..=length).map(weight)).collect(),
        }
    }

    /// Creates the evaluator for a grid; missing weights get their defaults.
    ///
    /// # Errors
    /// An unknown feature, or weights so large that values could exceed
    /// `MAX_VALUE`.
    pub fn new<B: Bitboard>(grid: &Grid<B>, given: &Weights) -> Result<Self, ParamError> {
        let info = Segments::info(grid.length);
        // A game ends with its first complete line, so all complete lines share the last stone: at
        // most `length` in each direction. Any other line counts at most once.
        let complete = 4 * i64::from(grid.length);
        let resolved = resolve(&info, given, &|weights| {
            let (full, partial) = weights.split_last().expect("a weight for each number");
            let most = partial.iter().map(|w| w.abs()).max().unwrap_or(0);
            most * i64::from(grid.lines) + full.abs() * complete
        })?;
        let mut weights = [0; MAX_LINE as usize + 1];
        for (weight, value) in weights[1..].iter_mut().zip(resolved) {
            *weight = value;
        }
        Ok(Segments { weights })
    }

    #[inline]
    pub fn weight(&self, stones: usize) -> i32 {
        self.weights[stones]
    }

    /// The value of the first player's stones against the second player's.
    #[inline]
    pub fn value<B: Bitboard>(&self, grid: &Grid<B>, stones: [B; 2]) -> i32 {
        // With a constant length, the compiler unrolls loops and removes planes that stay empty.
        match grid.length {
            3 => self.sum::<B, 3>(grid, stones),
            4 => self.sum::<B, 4>(grid, stones),
            5 => self.sum::<B, 5>(grid, stones),
            _ => self.sum::<B, 0>(grid, stones),
        }
    }

    /// The same for lines of `K` cells, or of any length if `K` is 0.
    #[inline]
    fn sum<B: Bitboard, const K: u32>(&self, grid: &Grid<B>, stones: [B; 2]) -> i32 {
        let length = if K == 0 { grid.length } else { K };
        let mut value = 0;
        for direction in 0..grid.directions {
            let step = grid.steps[direction];
            let [first, second] = stones.map(|side| touched(side, step, length));
            let first_only = grid.one_sided(direction, stones[0], first, second);
            let second_only = grid.one_sided(direction, stones[1], second, first);
            // In a line of one side only, its stones are all stones.
            let planes = count_lines(stones[0] | stones[1], step, length);
            for count in 1..length + 1 {
                let weight = self.weights[count as usize];
                if weight != 0 {
                    let exactly = equal(&planes, count);
                    let first = (exactly & first_only).count() as i32;
                    let second = (exactly & second_only).count() as i32;
                    value += weight * (first - second);
                }
            }
        }
        value
    }
}

/// Numbers below 32, one for each cell, in binary: plane p contains bit p of all numbers.
type Planes<B> = [B; 5];

/// The number of cells of the set in each row of `length` cells, by the row's first cell.
///
/// Rows of 1, 2, 4, … cells are sums of two shorter rows. The binary digits of `length` select the
/// rows to join.
#[inline]
fn count_lines<B: Bitboard>(set: B, step: u32, length: u32) -> Planes<B> {
    let mut power = [set, B::NONE, B::NONE, B::NONE, B::NONE];
    let mut sum = [B::NONE; 5];
    let (mut size, mut have) = (1, 0);
    while size <= length {
        if length & size != 0 {
            sum = add(&sum, &power, have * step);
            have += size;
        }
        if 2 * size <= length {
            power = add(&power, &power, size * step);
        }
        size *= 2;
    }
    sum
}

/// Adds to each number the other number at a distance of `shift` cells.
#[inline]
fn add<B: Bitboard>(a: &Planes<B>, b: &Planes<B>, shift: u32) -> Planes<B> {
    let mut carry = B::NONE;
    let mut sum = *a;
    for p in 0..sum.len() {
        let (a, b) = (a[p], b[p] >> shift);
        sum[p] = a ^ b ^ carry;
        carry = (a & b) | (carry & (a ^ b));
    }
    sum
}

#[inline]
fn equal<B: Bitboard>(planes: &Planes<B>, value: u32) -> B {
    (0..5).fold(!B::NONE, |all, p| all & if value >> p & 1 == 1 { planes[p] } else { !planes[p] })
}

impl<G: LineGame> Evaluator<G> for Segments {
    #[inline]
    fn evaluate(&self, game: &G, state: &G::State) -> i32 {
        game.segments(state, self)
    }
}
