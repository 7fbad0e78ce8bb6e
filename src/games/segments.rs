//! The evaluator `segments`: lines of one side only, by how many stones they hold.

use super::bits::Bitboard;
use super::evaluator::{Evaluator, EvaluatorInfo, MAX_VALUE, Weights};
use super::game::Game;
use super::grid::{Grid, MAX_LINE};
use super::weights::resolve;
use crate::params::ParamError;

/// A game that is won by a line of stones on a grid of bits.
pub trait LineGame: Game {
    /// The set of cells that the grid is made of.
    type Board: Bitboard;

    /// The board and its lines.
    fn grid(&self) -> &Grid<Self::Board>;

    /// The stones of both sides, the first player's first.
    fn stones(&self, state: &Self::State) -> [Self::Board; 2];
}

/// Sums over every line of k cells that holds stones of one side only a weight by their
/// number, own minus the other's.
///
/// Where longer rows do not win, a line with an own stone at either end is left out:
/// it can no longer become a row of exactly k.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segments {
    weights: [i32; MAX_LINE as usize + 1],
}

const NUMBERS: [&str; MAX_LINE as usize] = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

impl Segments {
    /// Name, features and default weights for lines of `length` cells.
    ///
    /// A complete line is worth 1 000 000. A line that lacks one stone is worth 100 (10 000
    /// from five in a row on), and each further stone that it lacks divides by 100.
    pub fn info(length: u32) -> EvaluatorInfo {
        let weight = |stones: u32| match (length - stones, length) {
            (0, _) => 1_000_000,
            (missing, 5..) => [10_000, 100, 1].get(missing as usize - 1).copied().unwrap_or(0),
            (missing, _) => [100, 1].get(missing as usize - 1).copied().unwrap_or(0),
        };
        let names = NUMBERS.iter().map(|&name| name.to_owned());
        EvaluatorInfo {
            name: "segments",
            summary: "lines that hold stones of one side only, by their number",
            features: names.zip((1..=length).map(weight)).collect(),
        }
    }

    /// The evaluator for a grid; missing weights are the defaults.
    ///
    /// # Errors
    /// An unknown feature, or weights so large that values could exceed [`MAX_VALUE`].
    pub fn new<B: Bitboard>(grid: &Grid<B>, given: &Weights) -> Result<Self, ParamError> {
        let info = Segments::info(grid.length);
        // A game ends with its first complete line, so all complete ones share the last
        // stone: at most `length` in each direction. Any other line counts at most once.
        let complete = 4 * i64::from(grid.length);
        let bound = |i: usize| match i as u32 + 1 == grid.length {
            true => complete,
            false => i64::from(grid.lines),
        };
        let resolved = resolve(&info, given, |weights| {
            let last = weights.len() - 1;
            let most = weights[..last].iter().map(|w| w.abs()).max().unwrap_or(0);
            most * bound(0).max(i64::from(grid.lines)) + weights[last].abs() * bound(last)
        })?;
        let mut weights = [0; MAX_LINE as usize + 1];
        for (weight, value) in weights[1..].iter_mut().zip(resolved) {
            *weight = value;
        }
        Ok(Segments { weights })
    }

    /// The value of the stones of the first player against those of the second.
    #[inline]
    pub fn value<B: Bitboard>(&self, grid: &Grid<B>, stones: [B; 2]) -> i32 {
        let mut value = 0;
        for &step in grid.steps() {
            for (own, enemy, sign) in [(stones[0], stones[1], 1), (stones[1], stones[0], -1)] {
                let open = grid.open_lines(own, enemy, step);
                value += sign * self.direction(own, open, step, grid.length);
            }
        }
        debug_assert!(value.abs() <= MAX_VALUE);
        value
    }

    /// The weights of the open lines in one direction.
    #[inline]
    fn direction<B: Bitboard>(&self, own: B, open: B, step: u32, length: u32) -> i32 {
        // The number of stones of every line at once, in binary: plane p holds bit p.
        let mut planes = [B::NONE; 5];
        let mut shifted = own;
        for i in 0..length {
            let mut carry = shifted;
            for plane in &mut planes {
                (*plane, carry) = (*plane ^ carry, *plane & carry);
                if carry.is_empty() {
                    break;
                }
            }
            if i + 1 < length {
                shifted = shifted >> step;
            }
        }
        let mut value = 0;
        for count in 1..=length {
            let weight = self.weights[count as usize];
            if weight != 0 {
                let mut exactly = open;
                for (p, &plane) in planes.iter().enumerate() {
                    exactly = exactly & if count >> p & 1 == 1 { plane } else { !plane };
                }
                value += weight * exactly.count() as i32;
            }
        }
        value
    }
}

impl<G: LineGame> Evaluator<G> for Segments {
    #[inline]
    fn evaluate(&self, game: &G, state: &G::State) -> i32 {
        self.value(game.grid(), game.stones(state))
    }
}
