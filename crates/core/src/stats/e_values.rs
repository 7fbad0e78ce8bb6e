//! Anytime-valid evidence: an e-value and its confidence interval. Both are valid at any stopping
//! time, even if the results are inspected after every pair.
//!
//! The e-value is the capital of a gambler who bets on the outcomes. If the mean score is `m`, a
//! bet with fixed shares multiplies the capital by a factor with mean 1. With a mixture over all
//! shares under the arcsine distribution, the capital is
//!
//! `M_m = ∫ Π_k [ p a_k / m + (1 - p) (1 - a_k) / (1 - m) ]^(n_k) dBeta(½, ½)(p)`
//!
//! By Ville's inequality the capital ever reaches `1/α` with probability at most `α`. It depends
//! only on the counts, not on their order. This is the mixture of Krichevsky and Trofimov. Orabona
//! and Jun (2021) and Ryu and Bhatt (2022) use it for confidence sequences. The interpretation as
//! a bet is from Waudby-Smith and Ramdas (2024).

use std::f64::consts::PI;

use super::score_counts::Counts;
use super::score_interval::Interval;
use crate::stats::numerics::confidence_level::Confidence;
use crate::stats::numerics::mle_given_mean::score;
use crate::stats::numerics::root_finder::find_root;

/// Terms more than this many nats below the largest are ignored.
const NEGLIGIBLE: f64 = 40.0;

/// The largest number of nodes of the integral.
const MOST_NODES: u64 = 4096;

impl<const K: usize> Counts<K> {
    /// The natural logarithm of the e-value against "the mean score is `mean`", for
    /// `mean` in (0, 1). It is 0 without samples and large if the counts contradict that mean.
    /// Values outside the range count as the nearest mean.
    pub fn ln_e_value(&self, mean: f64) -> f64 {
        self.weights().ln_e_value(mean)
    }

    /// The e-value against "both sides have equal scores", at most `f64::MAX`. It is 1 without
    /// samples. A value of 20 is significant at 5 % at any stopping time.
    pub fn e_value(&self) -> f64 {
        self.weights().e_value()
    }

    /// The anytime-valid confidence interval of the mean, `{ m : M_m < 1/α }`. `None` without
    /// samples.
    ///
    /// As a function of `ln(m / (1 - m))`, the logarithm of every factor of `M_m` is convex, and
    /// so is the logarithm of `M_m`. Hence the set is an interval. It contains the observed mean,
    /// because the product is at most 1 there.
    ///
    /// ```
    /// # use agon_core as agon;
    /// use agon::stats::{Confidence, Trinomial};
    ///
    /// let ten_wins = Trinomial::of(0, 0, 10);
    /// let anytime = ten_wins.anytime_interval(Confidence::P95).unwrap();
    /// assert!(anytime.lo > 0.5);
    /// assert!(anytime.lo < ten_wins.interval(Confidence::P95).unwrap().lo);
    /// ```
    pub fn anytime_interval(&self, confidence: Confidence) -> Option<Interval> {
        Some(self.weights().interval(self.mean()?, confidence))
    }

    fn weights(&self) -> Weights {
        let cells: Vec<f64> = self.0.iter().map(|&count| count as f64).collect();
        Weights::of(&cells)
    }
}

/// The number of nodes that gives an error of `e^-50` if the width of the integrand is at least
/// `1/sqrt(n)`.
fn enough(n: f64) -> f64 {
    5.0 * n.sqrt().ceil() + 16.0
}

pub(super) struct Weights {
    /// Score and weight, for weights above 0.
    cells: Vec<[f64; 2]>,
    /// Number of nodes of the integral.
    nodes: u64,
}

impl Weights {
    /// Weights of the equally spaced scores `0, 1/(K-1), .., 1`. They may be fractions.
    ///
    /// A sample may be split between neighbouring scores. `ln` of the capital is concave in the
    /// score of a sample, so the split can only lower the capital. The result therefore stays valid
    /// at any stopping time.
    pub fn of(weights: &[f64]) -> Self {
        let n: f64 = weights.iter().sum();
        // For whole weights the integrand, as a function of the angle, is a trigonometric
        // polynomial of degree n: n/2 + 1 nodes are exact. For fractions it is less smooth.
        let nodes = match weights.iter().all(|weight| weight.fract() == 0.0) {
            true => (n / 2.0 + 1.0).floor().min(enough(n)),
            false => enough(n).max(256.0),
        };
        let scored = (weights.iter().enumerate())
            .map(|(i, &weight)| [score(i, weights.len()), weight])
            .filter(|[_, weight]| *weight > 0.0);
        Weights { cells: scored.collect(), nodes: nodes as u64 }
    }

    /// Same as [`Counts::ln_e_value`].
    pub fn ln_e_value(&self, mean: f64) -> f64 {
        if mean.is_nan() {
            return 0.0;
        }
        let mean = mean.clamp(1e-300, 1.0 - f64::EPSILON);
        let bets: Vec<Bet> = self.cells.iter().map(|&cell| Bet::new(cell, mean)).collect();
        let nodes = self.nodes;
        let angle = |j: u64| (2 * j + 1) as f64 * PI / (2 * nodes) as f64;
        let term = |j: u64| ln_capital(&bets, mean, angle(j));
        // The logarithm is concave in the share, and the share falls from node to node. So the
        // peak is at the first node where the logarithm grows with the share.
        let lo = first_where(0, nodes - 1, &|j| grows_with_share(&bets, angle(j)));
        let peak = term(lo);
        let matters = |j: u64| term(j) >= peak - NEGLIGIBLE;
        let first = first_where(0, lo, &matters);
        let after = first_where(lo + 1, nodes, &|j| !matters(j));
        // A wide peak, as for draws at a mean of one half, needs no more nodes.
        let (from, to) = (first as f64 / nodes as f64, after as f64 / nodes as f64);
        let used = (after - first).min(MOST_NODES);
        let step = (to - from) / used as f64;
        let sum: f64 = (0..used)
            .map(|j| ln_capital(&bets, mean, PI * (from + (j as f64 + 0.5) * step)) - peak)
            // The peak is at most one node away; more is a rounding error.
            .map(|above| above.min(30.0).exp())
            .sum();
        peak + (sum * step).ln()
    }

    /// Same as [`Counts::e_value`].
    pub fn e_value(&self) -> f64 {
        self.ln_e_value(0.5).exp().min(f64::MAX)
    }

    /// Same as [`Counts::anytime_interval`], around the observed `mean`.
    pub fn interval(&self, mean: f64, confidence: Confidence) -> Interval {
        let bound = -confidence.alpha().ln();
        // The square root makes the function nearly linear.
        let excess = |m: f64| self.ln_e_value(m).max(0.0).sqrt() - bound.sqrt();
        Interval::within_unit(find_root(mean, 0.0, &excess), find_root(mean, 1.0, &excess))
    }
}

/// A bet against a mean score `m` on the samples with a score `a`.
struct Bet {
    weight: f64,
    /// `a / m`.
    up: f64,
    /// `(1 - a) / (1 - m)`.
    down: f64,
    /// `(a - m) / (m (1 - m))`.
    slope: f64,
}

impl Bet {
    fn new([score, weight]: [f64; 2], mean: f64) -> Self {
        let (up, down) = (score / mean, (1.0 - score) / (1.0 - mean));
        Bet { weight, up, down, slope: (score - mean) / (mean * (1.0 - mean)) }
    }
}

/// The shares `cos²(angle / 2)` and `sin²(angle / 2)`.
fn shares(angle: f64) -> [f64; 2] {
    let (sin, cos) = (angle / 2.0).sin_cos();
    [cos * cos, sin * sin]
}

/// `ln` of the capital against `mean` with a constant share `p = cos²(angle / 2)`.
fn ln_capital(bets: &[Bet], mean: f64, angle: f64) -> f64 {
    let [p, q] = shares(angle);
    let mut sum = 0.0;
    for bet in bets {
        let gain = (p - mean) * bet.slope;
        let ln = if gain > -0.5 { gain.ln_1p() } else { (p * bet.up + q * bet.down).ln() };
        sum += bet.weight * ln;
    }
    sum
}

/// Whether a share above `cos²(angle / 2)` gives a larger capital.
fn grows_with_share(bets: &[Bet], angle: f64) -> bool {
    let [p, q] = shares(angle);
    let slope = |bet: &Bet| bet.weight * (bet.up - bet.down) / (p * bet.up + q * bet.down);
    bets.iter().map(slope).sum::<f64>() > 0.0
}

/// The first of `lo..hi` for which `holds` is true, or `hi`. `holds` must be monotone.
fn first_where(mut lo: u64, mut hi: u64, holds: &dyn Fn(u64) -> bool) -> u64 {
    while lo < hi {
        let middle = lo + (hi - lo) / 2;
        if holds(middle) {
            hi = middle;
        } else {
            lo = middle + 1;
        }
    }
    lo
}
