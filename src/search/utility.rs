//! Utility: what a payoff is worth to the side that searches.
//!
//! Where outcomes are certain only their order matters, and any increasing utility leaves
//! every choice as it is. Where they are not, the shape decides: who has a concave utility
//! avoids risk, who has a convex one seeks it (von Neumann and Morgenstern 1947, "Theory of
//! games and economic behavior"; Pratt 1964, "Risk aversion in the small and in the large").

use crate::games::Player;

/// Beyond this many units of `1 / risk` the exponential utility goes on along its tangent:
/// in floating point it would stop to increase.
const BEND: f64 = 20.0;

/// How values become utilities. All of them increase strictly.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Utility {
    /// The value itself.
    #[default]
    Linear,
    /// `sign(v) |v|^a` with the exponent `a > 0`: of gains, averse to risk below 1 and prone
    /// to it above; of losses the other way round.
    Power(f64),
    /// `(1 - exp(-r v)) / r` with the risk aversion `r` (not 0, in units of 1 / value): averse
    /// to risk where positive, prone to it where negative. From `|r v| = 20` on along the
    /// tangent.
    Exponential(f64),
    /// Straight lines through these points `(value, utility)`, of which there are at least
    /// two, rising in both; the first and the last line go on for ever.
    Table(Box<[(f64, f64)]>),
}

impl Utility {
    /// The words in `utility = "…"`, the default first.
    pub const WORDS: &'static [&'static str] = &["linear", "power", "exponential", "table"];

    /// A utility through points.
    ///
    /// # Errors
    /// A sentence for people: fewer than two points, or points that do not rise.
    pub fn table(points: &[(f64, f64)]) -> Result<Self, String> {
        if points.len() < 2 {
            return Err("a utility needs two points at least".to_owned());
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
        Ok(Utility::Table(points.into()))
    }

    /// The utility of a value to him who gains it.
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
                let ((v0, u0), (v1, u1)) = (points[after - 1], points[after]);
                u0 + (value - v0) * ((u1 - u0) / (v1 - v0))
            }
        }
    }

    /// The utility to a side of a value in the first player's frame, in that frame.
    #[inline]
    pub fn apply(&self, value: i32, side: Player) -> f64 {
        let value = f64::from(value);
        if *self == Utility::Linear {
            return value;
        }
        let sign = f64::from(side.sign());
        // Without the zero, nothing would be worth -0 to the second player.
        sign * self.of(sign * value) + 0.0
    }
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
            for side in [Player::First, Player::Second] {
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
                assert_eq!(first, -second);
                assert!(value != 0 || (first == 0.0 && first.is_sign_positive()) || first != 0.0);
            }
        }
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
}
