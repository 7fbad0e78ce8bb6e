//! Profile score tests: is a given difference between ratings compatible with the results?
//!
//! A difference is in the interval if the results are within `z` standard errors of their
//! expectation *with that difference*. All other parameters are fitted again for it. The standard
//! error is that of the maximum-likelihood distribution there. This is the robust score test (D.
//! Boos, "On generalized score tests", 1992). Its variance is that of the interval of scores, and
//! for two players the two intervals are equal. An interval of estimate ± z standard errors fails
//! at lopsided scores: the error of the estimate grows faster than the estimate, so no difference
//! is ever significant (W. Hauck and A. Donner, 1977).

use super::super::evidence::Evidence;
use super::super::extended_wilson_interval::error_factor;
use super::PairingScore;
use super::bradley_terry_model::{Likelihood, Point};
use super::pair_samples::{Observation, Samples, ScoreDirection};
use crate::stats::numerics::symmetric_matrix::Matrix;

/// Up to this number, each kind of sample has its own distribution. Above it, samples with little
/// effect on a comparison use their observed variance.
const FEW: usize = 60;

/// Ratings at this distance from the estimate, in nats, count as infinitely far.
const FAR: f64 = 60.0;

/// The half-point Bradley-Terry likelihood around its maximum, in nats. The parameters are the
/// ratings and, if it is fitted, the first-move advantage after them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Profile {
    model: Likelihood,
    best: Vec<f64>,
    samples: Vec<Samples>,
    /// The player whose rating is fixed.
    fixed: usize,
}

/// The largest number of outward steps in the search for an end.
const MOST_STEPS: usize = 60;

/// A point and the inverse of its information with one rating fixed.
struct InvertedPoint {
    point: Point,
    inverse: Matrix,
}

impl Profile {
    /// The profile around the parameters of a fit to the same pairings: `players` ratings and
    /// perhaps the first-move advantage.
    pub fn new(players: usize, best: Vec<f64>, pairings: &[PairingScore<&Evidence>]) -> Self {
        let samples = Samples::of(pairings);
        let seats = samples.iter().flat_map(Samples::seats).collect();
        let model = Likelihood::new(players, best.len() > players, seats);
        let fixed = model.reference_player(&model.point(best.clone()).information);
        Self { model, best, samples, fixed }
    }

    /// The distance of the results above their expectation if the contrast of the parameters were
    /// `value`, in standard errors. It is positive if a larger value fits better. `None` if it
    /// cannot be computed.
    pub fn z(&self, contrast: &[f64], value: f64) -> Option<f64> {
        self.score_test(contrast, value, &self.best).map(|(z, _)| z)
    }

    /// The contrasts for which the results are within `reach` standard errors. An end is `None` if
    /// it cannot be computed.
    pub fn interval(&self, contrast: &[f64], reach: f64) -> [Option<f64>; 2] {
        [-1.0, 1.0].map(|side| self.end(contrast, reach, side))
    }

    /// The end of the interval on one side: first by growing steps outwards, then by the Illinois
    /// method (regula falsi).
    fn end(&self, contrast: &[f64], reach: f64, side: f64) -> Option<f64> {
        let estimate: f64 = self.best.iter().zip(contrast).map(|(b, c)| b * c).sum();
        let mut from = self.best.clone();
        let mut excess = |distance: f64| -> Option<f64> {
            let (z, at) = self.score_test(contrast, estimate + side * distance, &from)?;
            from = at;
            Some(-side * z - reach)
        };
        let (mut inner, mut outer, mut step) = ((0.0, -reach), (0.0, -reach), 0.1);
        for steps in 0.. {
            if outer.1 > 0.0 {
                break;
            }
            inner = outer;
            outer.0 += step;
            if outer.0 > FAR || steps > MOST_STEPS {
                return None;
            }
            outer.1 = excess(outer.0)?;
            // Towards the end that a straight line predicts, but with limited steps.
            let straight = outer.0 * reach / (outer.1 + reach).max(1e-9) - outer.0;
            step = (1.1 * straight).clamp(0.25 * step, 4.0 * step).max(0.01);
        }
        for _ in 0..MOST_STEPS {
            let middle = (inner.0 * outer.1 - outer.0 * inner.1) / (outer.1 - inner.1);
            let tolerance = 1e-9 * outer.0;
            if outer.0 - inner.0 <= tolerance {
                break;
            }
            let found = excess(middle)?;
            if found.abs() < 1e-10 {
                return Some(estimate + side * middle);
            }
            if found > 0.0 {
                outer = (middle, found);
                inner.1 *= 0.5;
            } else {
                inner = (middle, found);
                outer.1 *= 0.5;
            }
        }
        Some(estimate + side * f64::midpoint(inner.0, outer.0))
    }

    /// The test of one value, starting at a nearby point, and the parameters fitted to it.
    fn score_test(&self, contrast: &[f64], value: f64, from: &[f64]) -> Option<(f64, Vec<f64>)> {
        let InvertedPoint { point, inverse } = self.maximize(contrast, value, from)?;
        let along = inverse.times(contrast);
        let pull: f64 = along.iter().zip(&point.gradient).map(|(a, g)| a * g).sum();
        let direction = ScoreDirection {
            ratings: &along[..self.model.players],
            first_mover: self.model.first_move_of(&along),
        };
        let [at, best] = [&point.at, &self.best].map(|p| Observation {
            ratings: &p[..self.model.players],
            first_mover: self.model.first_move_of(p),
        });
        let most = match self.samples.len() > FEW {
            true => self.samples.iter().map(|s| s.reach(&direction)).fold(0.0, f64::max),
            false => 0.0,
        };
        let variance: f64 = (self.samples.iter())
            .map(|s| s.variance(&direction, &at, &best, s.reach(&direction) >= 0.01 * most))
            .sum();
        let count = self.samples.iter().map(|s| s.count).sum();
        let z = pull / (error_factor(count) * variance.sqrt());
        z.is_finite().then_some((z, point.at))
    }

    /// The maximum-likelihood parameters whose contrast is `value`, by Newton's method.
    fn maximize(&self, contrast: &[f64], value: f64, from: &[f64]) -> Option<InvertedPoint> {
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let InvertedPoint { point, inverse } = self.point(from.to_vec())?;
        let along = inverse.times(contrast);
        let missing = value - dot(contrast, &point.at);
        let shift = missing / dot(contrast, &along);
        let start = point.at.iter().zip(&along).map(|(a, d)| a + shift * d).collect();
        let mut here = self.point(start)?;
        for _ in 0..100 {
            let InvertedPoint { point, inverse } = &here;
            let (free, along) = (inverse.times(&point.gradient), inverse.times(contrast));
            let back = dot(contrast, &free) / dot(contrast, &along);
            let step: Vec<f64> = free.iter().zip(&along).map(|(f, d)| f - back * d).collect();
            let longest = step.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
            if longest < 1e-10 {
                return Some(here);
            }
            let mut share = 1.0;
            let next = loop {
                let at = point.at.iter().zip(&step).map(|(a, s)| a + share * s).collect();
                let next = self.point(at);
                match next {
                    Some(next) if next.point.ln >= point.ln - 1e-13 * point.ln.abs() => break next,
                    _ if share < 1e-9 => return None,
                    _ => share *= 0.5,
                }
            };
            here = next;
            if longest * share < 1e-8 {
                return Some(here);
            }
        }
        None
    }

    fn point(&self, at: Vec<f64>) -> Option<InvertedPoint> {
        let point = self.model.point(at);
        let inverse = point.information.inverse_without(self.fixed);
        let inverse = inverse.filter(|_| f64::is_finite(point.ln))?;
        Some(InvertedPoint { point, inverse })
    }
}
