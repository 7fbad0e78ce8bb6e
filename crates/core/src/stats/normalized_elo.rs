//! The confidence interval of normalized Elo.
//!
//! Normalized Elo is divided by the standard deviation of a game, and this standard deviation is
//! an estimate too. The usual half width `C / sqrt(games)` ignores this and is much too narrow at
//! lopsided scores. Here a value is in the interval if the results are within `z` standard errors
//! of their expectation under it, as for
//! [`Counts::interval`](super::Counts::interval).

use super::elo::NORMALIZED_ELO_PER_SIGMA;
use super::extended_wilson_interval::error_factor;
use super::score_counts::{Pentanomial, Trinomial, regularized};
use crate::stats::numerics::confidence_level::Confidence;
use crate::stats::numerics::mle_given_mean::{lenient, score, sum};
use crate::stats::numerics::mle_given_normalized_elo::divisors_with_t;
use crate::stats::numerics::root_finder::find_root;

/// Means at this distance from one half, in standard deviations, count as infinitely far.
const FAR: f64 = 8.0;

impl Trinomial {
    /// Both ends of the confidence interval of [`Trinomial::normalized_elo`]. An end is `None` if
    /// it is outside the computable range. The result is `None` if there is no normalized Elo.
    pub fn normalized_elo_interval(&self, confidence: Confidence) -> Option<[Option<f64>; 2]> {
        self.normalized_elo()?;
        Some(ends(&self.0, confidence, NORMALIZED_ELO_PER_SIGMA))
    }
}

impl Pentanomial {
    /// Both ends of the confidence interval of [`Pentanomial::normalized_elo`]. An end is `None`
    /// if it is outside the computable range. The result is `None` if there is no normalized Elo.
    pub fn normalized_elo_interval(&self, confidence: Confidence) -> Option<[Option<f64>; 2]> {
        self.normalized_elo()?;
        // The standard deviation of a game is sqrt(2) times that of a pair's mean.
        Some(ends(&self.0, confidence, NORMALIZED_ELO_PER_SIGMA / std::f64::consts::SQRT_2))
    }
}

/// The ends of the confidence interval of `(mean - ½) / σ` of a sample, times `scale`.
fn ends(counts: &[u64], confidence: Confidence, scale: f64) -> [Option<f64>; 2] {
    let (cells, p) = regularized(counts);
    let n: f64 = cells.iter().sum();
    let a = |i: usize| score(i, p.len());
    let estimate = {
        let mean = sum(p.len(), &|i| p[i] * a(i));
        (mean - 0.5) / sum(p.len(), &|i| p[i] * (a(i) - mean).powi(2)).sqrt()
    };
    // The root finder works on [0, 1], so the scale from -FAR to FAR is mapped to it.
    let place = |t: f64| f64::midpoint(1.0, (t / FAR).clamp(-1.0, 1.0));
    let back = |place: f64| FAR * (2.0 * place - 1.0);
    let found = |limit: f64| {
        let reach = confidence.z() * error_factor(n) / n.sqrt();
        let excess = |at: f64| distance(&p, back(at)).abs() - reach;
        let end = find_root(place(estimate), limit, &excess);
        (1e-9 < end && end < 1.0 - 1e-9).then(|| scale * back(end))
    };
    [found(0.0), found(1.0)]
}

/// The distance of a sample above its expectation if `(mean - ½) / σ` were `t`, in standard
/// deviations. It is the mean of the `φ` of [`divisors_with_t`], divided by the standard deviation
/// of `φ` under that distribution. The distribution sets the mean of `φ` to zero.
fn distance(p: &[f64], t: f64) -> f64 {
    let divisors = divisors_with_t(p, t);
    let law: Vec<f64> = p.iter().zip(&divisors).map(|(p, divisor)| p / divisor).collect();
    let a = |i: usize| score(i, p.len());
    let mean = sum(p.len(), &|i| law[i] * a(i));
    let sigma = sum(p.len(), &|i| law[i] * (a(i) - mean).powi(2)).sqrt();
    let phi = |i: usize| a(i) - 0.5 - 0.5 * t * sigma * (1.0 + ((a(i) - mean) / sigma).powi(2));
    let seen = sum(p.len(), &|i| p[i] * phi(i));
    let variance = sum(p.len(), &|i| law[i] * phi(i) * phi(i));
    seen / lenient(variance, seen, p, &divisors).sqrt()
}
