//! The confidence interval of normalized Elo.
//!
//! Normalized Elo is divided by the standard deviation of a game, and this standard deviation is
//! an estimate too. The usual half width `C / sqrt(games)` ignores this and is much too narrow at
//! lopsided scores. Here a value is in the interval if the results are within `z` standard errors
//! of their expectation under it, as for [`Counts::interval`].

use super::confidence_level::Confidence;
use super::elo::NORMALIZED_ELO_PER_SIGMA;
use super::extended_wilson_interval::error_factor;
use super::mle_given_mean::lenient;
use super::mle_given_normalized_elo::divisors_with_t;
use super::root_finder::find_root;
use super::score_counts::{Counts, Pentanomial, Trinomial};

/// The count of an outcome that was not observed, as in sequential tests.
const UNSEEN: f64 = 1e-3;

/// Means at this distance from one half, in standard deviations, count as infinitely far.
const FAR: f64 = 8.0;

impl Trinomial {
    /// Both ends of the confidence interval of [`Trinomial::normalized_elo`]. An end is `None` if
    /// it is outside the computable range. The result is `None` if there is no normalized Elo.
    pub fn normalized_elo_interval(&self, confidence: Confidence) -> Option<[Option<f64>; 2]> {
        self.normalized_elo()?;
        Some(ends(self, confidence).map(|t| t.map(|t| NORMALIZED_ELO_PER_SIGMA * t)))
    }
}

impl Pentanomial {
    /// Both ends of the confidence interval of [`Pentanomial::normalized_elo`]. An end is `None`
    /// if it is outside the computable range. The result is `None` if there is no normalized Elo.
    pub fn normalized_elo_interval(&self, confidence: Confidence) -> Option<[Option<f64>; 2]> {
        self.normalized_elo()?;
        // The standard deviation of a game is sqrt(2) times that of a pair's mean.
        let scale = NORMALIZED_ELO_PER_SIGMA / std::f64::consts::SQRT_2;
        Some(ends(self, confidence).map(|t| t.map(|t| scale * t)))
    }
}

/// The ends of the confidence interval of `(mean - ½) / σ` of a sample.
fn ends<const K: usize>(counts: &Counts<K>, confidence: Confidence) -> [Option<f64>; 2] {
    let cells = counts.0.map(|count| if count == 0 { UNSEEN } else { count as f64 });
    let n: f64 = cells.iter().sum();
    let p = cells.map(|cell| cell / n);
    let estimate = {
        let mean: f64 = (0..K).map(|i| p[i] * Counts::<K>::value(i)).sum();
        let square = |i: usize| p[i] * (Counts::<K>::value(i) - mean).powi(2);
        (mean - 0.5) / (0..K).map(square).sum::<f64>().sqrt()
    };
    // The root finder works on [0, 1], so the scale from -FAR to FAR is mapped to it.
    let place = |t: f64| f64::midpoint(1.0, (t / FAR).clamp(-1.0, 1.0));
    let back = |place: f64| FAR * (2.0 * place - 1.0);
    let found = |limit: f64| {
        let reach = confidence.z() * error_factor(n) / n.sqrt();
        let excess = |at: f64| distance(&p, back(at)).abs() - reach;
        let end = find_root(place(estimate), limit, excess);
        (1e-9 < end && end < 1.0 - 1e-9).then(|| back(end))
    };
    [found(0.0), found(1.0)]
}

/// The distance of a sample above its expectation if `(mean - ½) / σ` were `t`, in standard
/// deviations. It is the mean of the `φ` of [`divisors_with_t`], divided by the standard deviation
/// of `φ` under that distribution. The distribution sets the mean of `φ` to zero.
fn distance<const K: usize>(p: &[f64; K], t: f64) -> f64 {
    let divisors = divisors_with_t(p, t);
    let law: [f64; K] = std::array::from_fn(|i| p[i] / divisors[i]);
    let a = Counts::<K>::value;
    let mean: f64 = (0..K).map(|i| law[i] * a(i)).sum();
    let sigma = (0..K).map(|i| law[i] * (a(i) - mean).powi(2)).sum::<f64>().sqrt();
    let phi = |i: usize| a(i) - 0.5 - 0.5 * t * sigma * (1.0 + ((a(i) - mean) / sigma).powi(2));
    let seen: f64 = (0..K).map(|i| p[i] * phi(i)).sum();
    let variance: f64 = (0..K).map(|i| law[i] * phi(i) * phi(i)).sum();
    seen / lenient(variance, seen, p, &divisors).sqrt()
}
