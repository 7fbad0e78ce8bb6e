//! Bounds on the children of averaging nodes, independent of the game.

use std::ops::Range;

use super::super::opponent_model;
use super::super::opponent_model::Opponent;
use super::bounds_table::NO_MOVE;
use crate::games::Player;

/// The children's windows are wider than computed by this fraction of the terms, so that rounding
/// does not make a search useless.
const SLACK: f64 = 1e-12;

/// The relevant values of a node. For a value outside the window, only the side is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Window {
    pub(super) alpha: f64,
    pub(super) beta: f64,
}

impl Window {
    /// Every value is relevant.
    pub const ALL: Window = Window { alpha: f64::NEG_INFINITY, beta: f64::INFINITY };

    /// Whether a value found with this window is exact.
    #[inline]
    pub fn holds(self, value: f64) -> bool {
        self.alpha < value && value < self.beta
    }
}

/// A move whose value a probe has found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// The index of the move in the game's order, or [`NO_MOVE`].
    pub(super) index: u32,
    pub(super) value: f64,
    /// Whether the value depends on the horizon.
    pub(super) guessed: bool,
}

impl Known {
    /// No move is known.
    pub const NONE: Known = Known { index: NO_MOVE, value: 0.0, guessed: false };
}

/// A child of an averaging node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Child {
    pub(super) weight: f64,
    /// Bounds of its value.
    pub(super) lower: f64,
    pub(super) upper: f64,
    /// The result of a probe.
    pub(super) known: Known,
}

/// The weights of the mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum AverageKind {
    /// Weighted outcomes, or moves that are all equally likely.
    Weighted,
    /// The best move, or with this probability any move.
    Epsilon(f64, Player),
    /// Weights that depend on the values.
    Softmax(f64, Player),
}

/// The children of all averaging nodes on the path, each node's after its parent's.
#[derive(Debug, Clone, Default)]
pub(super) struct Average {
    pub(super) children: Vec<Child>,
    /// The terms of a mean.
    terms: Vec<f64>,
}

/// Sums over the children of one node, updated when bounds change. They only decide whether an
/// exact check is worth its cost.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sums {
    pub(super) weight: f64,
    pub(super) lower: f64,
    pub(super) upper: f64,
}

impl Average {
    pub(super) fn sums(&self, base: usize) -> Sums {
        let weight = self.children[base..].iter().map(|child| child.weight).sum();
        let Child { lower, upper, .. } = self.children[base];
        Sums { weight, lower: weight * lower, upper: weight * upper }
    }

    /// The mean of every child's lower or upper bound, independent of the order of the children.
    pub(super) fn mean(&mut self, kind: AverageKind, base: usize, weight: f64, upper: bool) -> f64 {
        let terms = &mut self.terms;
        terms.clear();
        terms.extend(self.children[base..].iter().map(|child| {
            let bound = if upper { child.upper } else { child.lower };
            if kind == AverageKind::Weighted { bound * child.weight } else { bound }
        }));
        match kind {
            AverageKind::Weighted => opponent_model::sum(terms) / weight,
            AverageKind::Epsilon(epsilon, player) => {
                Opponent::Epsilon(epsilon).expect(terms, player)
            }
            AverageKind::Softmax(heat, player) => Opponent::Softmax(heat).expect(terms, player),
        }
    }

    /// Stores the result of a child's search.
    pub(super) fn learn(&mut self, i: usize, value: f64, window: Window, sums: &mut Sums) {
        let child = &mut self.children[i];
        if value > window.alpha && value > child.lower {
            sums.lower += (value - child.lower) * child.weight;
            child.lower = value;
        }
        if value < window.beta && value < child.upper {
            sums.upper += (value - child.upper) * child.weight;
            child.upper = value;
        }
    }

    /// See [`ExpectimaxSearcher::outside`]; all values are between `low` and `high`.
    pub(super) fn outside(
        &mut self,
        kind: AverageKind,
        seen: Range<usize>,
        (low, high): (f64, f64),
        window: Window,
        sums: &Sums,
    ) -> Option<f64> {
        let base = seen.start;
        let (mut least, mut most) = (sums.lower / sums.weight, sums.upper / sums.weight);
        if let AverageKind::Epsilon(epsilon, player) = kind {
            // All weights are 1. The searched children bound the best move from one side.
            let seen = self.children[seen].iter().map(|child| child.lower);
            let (best_least, best_most) = match player {
                Player::First => (seen.fold(low, f64::max), high),
                Player::Second => (low, seen.fold(high, f64::min)),
            };
            least = (1.0 - epsilon) * best_least + epsilon * least;
            most = (1.0 - epsilon) * best_most + epsilon * most;
        }
        // Computes the exact sum only if this rough check succeeds.
        let near = SLACK * (least.abs() + most.abs());
        if least + near >= window.beta {
            let bound = self.mean(kind, base, sums.weight, false);
            if bound >= window.beta {
                return Some(bound);
            }
        }
        if most - near <= window.alpha {
            let bound = self.mean(kind, base, sums.weight, true);
            if bound <= window.alpha {
                return Some(bound);
            }
        }
        None
    }
}

impl Sums {
    /// The values of a child for which the mean is inside the window, given the bounds of all other
    /// children.
    #[inline]
    pub(super) fn window(&self, window: Window, weight: f64, lower: f64, upper: f64) -> Window {
        let mut needed = Window::ALL;
        let alpha = window.alpha * self.weight;
        let value = (alpha - self.upper) / weight + upper;
        let slack = SLACK * ((alpha.abs() + self.upper.abs()) / weight + upper.abs());
        if value - slack >= lower {
            needed.alpha = value - slack;
        }
        let beta = window.beta * self.weight;
        let value = (beta - self.lower) / weight + lower;
        let slack = SLACK * ((beta.abs() + self.lower.abs()) / weight + lower.abs());
        if value + slack <= upper {
            needed.beta = value + slack;
        }
        needed
    }
}
