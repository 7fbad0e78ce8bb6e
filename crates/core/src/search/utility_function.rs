//! Utility functions: the value of a payoff to the searching side.
//!
//! With certain outcomes only their order matters, and any increasing utility leads to the same
//! choices. With uncertain outcomes the shape matters: a concave utility avoids risk, a convex
//! utility seeks it (von Neumann and Morgenstern 1947, "Theory of games and economic behavior";
//! Pratt 1964, "Risk aversion in the small and in the large").

use super::leaves::WIN;
use crate::games::Player;

/// Beyond this many units of `1 / risk`, the exponential utility continues along its tangent. In
/// floating point it would stop increasing.
const BEND: f64 = 20.0;

/// The largest utility of any value in a search, so that sums of many, and their products with
/// weights, stay far from infinity. Its reciprocal is the smallest allowed step of a utility
/// between consecutive integers.
const HUGE: f64 = 1e100;

/// The smallest step between consecutive values, relative to the utility there: a few roundings.
const STEP: f64 = 8.0 * f64::EPSILON;

/// How values become utilities. All utilities increase strictly.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Utility {
    /// The value itself.
    #[default]
    Linear,
    /// `sign(v) |v|^a` with the exponent `a > 0`. For gains: risk-averse below 1, risk-seeking
    /// above 1. For losses the opposite.
    Power(f64),
    /// `(1 - exp(-r v)) / r` with the risk aversion `r` (not 0, in units of 1 / value): risk-averse
    /// if positive, risk-seeking if negative. From `|r v| = 20` on, along the tangent.
    Exponential(f64),
    /// Straight lines through these points `(value, utility)`, at least two, increasing in both
    /// coordinates. The first and the last line continue to infinity.
    Table(Box<[(f64, f64)]>),
}

impl Utility {
    /// A utility from points.
    ///
    /// # Errors
    /// Readable message: fewer than two points, points that do not increase, or lines that are too
    /// steep or too flat for floating point. Then the utility of some value would be infinite, or
    /// no larger than that of the previous integer.
    pub fn table(points: &[(f64, f64)]) -> Result<Self, String> {
        if points.len() < 2 {
            return Err("a utility needs two points at least".to_owned());
        }
        if points.iter().any(|&(v, u)| !v.is_finite() || !u.is_finite()) {
            return Err("a point of the utility is not finite".to_owned());
        }
        for pair in points.windows(2) {
            let ((v0, u0), (v1, u1)) = (pair[0], pair[1]);
            if v1 <= v0 {
                return Err(format!("the values do not rise: {v1} follows {v0}"));
            }
            if u1 <= u0 {
                return Err(format!("the utility is not increasing: {u1} at {v1}, {u0} at {v0}"));
            }
        }
        let last = points.len() - 2;
        for (line, pair) in points.windows(2).enumerate() {
            rises(pair, line == 0, line == last)?;
        }
        Ok(Utility::Table(points.into()))
    }

    /// The utility of a value to the side that gains it.
    pub fn of(&self, value: f64) -> f64 {
        match self {
            Utility::Linear => value,
            Utility::Power(exponent) => libm::pow(value.abs(), *exponent).copysign(value),
            Utility::Exponential(risk) => {
                let x = risk * value;
                let near = x.clamp(-BEND, BEND);
                (-libm::expm1(-near) + (x - near) * libm::exp(-near)) / risk
            }
            Utility::Table(points) => {
                let after = points.partition_point(|&(v, _)| v < value).clamp(1, points.len() - 1);
                line(points[after - 1], points[after], value)
            }
        }
    }

    /// The utility to a side of a value, both from the first player's point of view.
    #[inline]
    pub fn apply(&self, value: i32, side: Player) -> f64 {
        let value = f64::from(value);
        if *self == Utility::Linear {
            return value;
        }
        let sign = f64::from(side.sign());
        // Adding zero avoids -0 as the second player's utility of 0.
        sign * self.of(sign * value) + 0.0
    }
}

/// The straight line through two points.
#[inline]
fn line((v0, u0): (f64, f64), (v1, u1): (f64, f64), value: f64) -> f64 {
    u0 + (value - v0) * ((u1 - u0) / (v1 - v0))
}

/// Checks that the line between two points is finite and increases between consecutive integers,
/// within the range of values. The first and the last line include their extensions.
fn rises(pair: &[(f64, f64)], first: bool, last: bool) -> Result<(), String> {
    let (from, to) = (pair[0], pair[1]);
    let end = f64::from(WIN);
    let begin = if first { -end } else { from.0.clamp(-end, end) };
    let end = if last { end } else { to.0.clamp(-end, end) };
    if begin >= end {
        // No value is in this range.
        return Ok(());
    }
    let ends = [begin, end].map(|value| line(from, to, value).abs());
    let between = format!("between the points at {} and {}", from.0, to.0);
    let most = ends[0].max(ends[1]).max(from.1.abs());
    // Negated, because comparisons with NaN are false and infinities may lead to NaN.
    if !(ends[0] <= HUGE && ends[1] <= HUGE) {
        let message = format!("the utility is too steep {between}");
        return Err(format!("{message}: beyond {HUGE:e} at the value {}", f64::from(WIN)));
    }
    let step = (to.1 - from.1) / (to.0 - from.0);
    if step < (most * STEP).max(1.0 / HUGE) {
        let message = format!("the utility does not increase {between}");
        return Err(format!("{message}: there a value and the next are the same when rounded"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::WIN;

    fn all() -> Vec<Utility> {
        let points = [(-500.0, -900.0), (0.0, 0.0), (10.0, 400.0), (1500.0, 500.0)];
        let mut all = vec![Utility::Linear, Utility::table(&points).unwrap()];
        all.extend([0.1, 0.5, 2.0, 10.0].map(Utility::Power));
        all.extend([1e-6, -1e-6, 0.01, -0.01, 3.0, -3.0].map(Utility::Exponential));
        all
    }

    #[test]
    fn every_utility_increases_strictly_and_is_finite() {
        let mut values: Vec<i32> = (-3000..=3000).collect();
        values.extend((1..40).flat_map(|n| [n - WIN, WIN - n]));
        values.sort_unstable();
        for utility in all() {
            for side in Player::BOTH {
                let mapped = values.iter().map(|&v| utility.apply(v, side));
                let mapped: Vec<f64> = mapped.collect();
                assert!(mapped.iter().all(|u| u.is_finite()), "{utility:?}");
                for (pair, v) in mapped.windows(2).zip(&values) {
                    assert!(pair[0] < pair[1], "{utility:?} at {v}: {pair:?}");
                }
            }
        }
    }

    #[test]
    fn both_sides_value_alike_what_is_theirs() {
        for utility in all() {
            for value in [-70, 0, 3, 2000] {
                let first = utility.apply(value, Player::First);
                let second = utility.apply(-value, Player::Second);
                assert_eq!(first, -second, "{utility:?} of {value}");
            }
        }
    }

    /// No printed value is −0; the second player's zero was −0 before.
    #[test]
    fn nothing_is_worth_zero_without_a_sign() {
        let mut zeros = 0;
        for utility in all() {
            for side in Player::BOTH {
                let worth = utility.apply(0, side);
                assert!(worth != 0.0 || worth.is_sign_positive(), "{utility:?} for {side:?}");
                zeros += u32::from(worth == 0.0);
            }
        }
        assert!(zeros >= 20, "{zeros} are zero");
    }

    #[test]
    fn shapes_are_as_documented() {
        assert_eq!(Utility::Power(0.5).of(-16.0), -4.0);
        assert!((Utility::Exponential(0.5).of(2.0) - 2.0 * (1.0 - (-1f64).exp())).abs() < 1e-15);
        let table = Utility::table(&[(0.0, 0.0), (10.0, 100.0), (20.0, 110.0)]).unwrap();
        let values = [-1.0, 5.0, 10.0, 15.0, 30.0].map(|v| table.of(v));
        assert_eq!(values, [-10.0, 50.0, 100.0, 105.0, 120.0]);
    }

    #[test]
    fn tables_must_rise() {
        for wrong in [
            &[][..],
            &[(0.0, 0.0)],
            &[(0.0, 0.0), (1.0, 0.0)],
            &[(0.0, 0.0), (0.0, 1.0)],
            &[(0.0, 0.0), (1.0, 1.0), (2.0, 0.5)],
        ] {
            assert!(Utility::table(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn tables_must_be_finite_and_rise_in_floating_point_too() {
        for wrong in [
            &[(0.0, 0.0), (1.0, 1e300)][..],
            &[(0.0, 0.0), (f64::NAN, 1.0)],
            &[(0.0, 0.0), (1.0, f64::INFINITY)],
            &[(-1e308, -1e308), (1e308, 1e308)],
            &[(0.0, 0.0), (1_000_000.0, 1e-320)],
            &[(0.0, 1e17), (100.0, 1.000_000_000_000_001e17)],
            &[(0.0, 0.0), (10.0, 1e17), (11.0, 1e17 + 16.0)],
        ] {
            assert!(Utility::table(wrong).is_err(), "{wrong:?}");
        }
        let end = f64::from(WIN);
        for fine in [
            // The steepest and the flattest allowed lines.
            &[(0.0, 0.0), (1.0, 1e90)][..],
            &[(0.0, 0.0), (1.0, 1e-99)],
            &[(0.0, 1e9), (1e9, 2e9), (1e9 + 1.0, 1e20)],
            &[(0.25, 0.0), (0.5, 1.0), (7.75, 1000.0), (1e12, 1e14)],
        ] {
            let utility = Utility::table(fine).unwrap_or_else(|error| panic!("{fine:?}: {error}"));
            let near = fine.iter().map(|&(v, _)| v).chain([0.0, -end, end, end / 3.0]);
            for middle in near {
                let values = (-50..=50).map(|n| (middle.round() + f64::from(n)).clamp(-end, end));
                let values: Vec<f64> = values.collect();
                for pair in values.windows(2).filter(|pair| pair[0] < pair[1]) {
                    let worth = [utility.of(pair[0]), utility.of(pair[1])];
                    assert!(worth[0] < worth[1] && worth[1].is_finite(), "{fine:?} at {pair:?}");
                }
            }
        }
    }
}
