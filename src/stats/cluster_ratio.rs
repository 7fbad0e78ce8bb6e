//! Ratio estimates over clusters of unequal size: the moves of a game are not independent.

use super::confidence_level::Confidence;
use super::score_interval::Interval;
use super::students_t;

/// Running sums over clusters with hits and trials. The sums are integers, so the order of the
/// clusters does not matter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClusterRatio {
    /// Clusters with at least one trial.
    pub n: u64,
    /// Hits.
    pub hits: u64,
    /// Trials.
    pub trials: u64,
    hits_squared: u128,
    trials_squared: u128,
    products: u128,
}

impl ClusterRatio {
    /// Adds a cluster. Ignores a cluster without trials.
    pub fn add(&mut self, hits: u64, trials: u64) {
        if trials == 0 {
            return;
        }
        let (x, m) = (u128::from(hits.min(trials)), u128::from(trials));
        self.n += 1;
        self.hits += hits.min(trials);
        self.trials += trials;
        self.hits_squared += x * x;
        self.trials_squared += m * m;
        self.products += x * m;
    }

    /// Adds the clusters of `other`.
    pub fn merge(&mut self, other: &ClusterRatio) {
        self.n += other.n;
        self.hits += other.hits;
        self.trials += other.trials;
        self.hits_squared += other.hits_squared;
        self.trials_squared += other.trials_squared;
        self.products += other.products;
    }

    /// The ratio of hits to trials, in `[0, 1]`. `None` without trials.
    pub fn ratio(&self) -> Option<f64> {
        (self.trials > 0).then(|| self.hits as f64 / self.trials as f64)
    }

    /// The confidence interval of the ratio. `None` for fewer than two clusters.
    ///
    /// It is Student's t interval with `n - 1` degrees of freedom around the ratio of sums,
    /// clamped to `[0, 1]`. The variance is `n / (n - 1) · Σ (x - p m)² / (Σ m)²` (Cochran 1977,
    /// "Sampling Techniques", section 3.12). Clusters without any variance give Wilson's score
    /// interval of `n` trials instead, because the moves of a game may be fully correlated.
    pub fn interval(&self, confidence: Confidence) -> Option<Interval> {
        let (p, n) = (self.ratio()?, self.n as f64);
        (self.n > 1).then_some(())?;
        let squares = self.hits_squared as f64 - 2.0 * p * self.products as f64
            + p * p * self.trials_squared as f64;
        // A sum this small is a rounding error and counts as zero.
        if squares <= 1e-12 * self.trials_squared as f64 {
            let z2 = confidence.z().powi(2);
            let (lo, hi) = (n * p / (n + z2), (n * p + z2) / (n + z2));
            return Some(Interval::within_unit(lo.min(p), hi.max(p)));
        }
        let error = (n / (n - 1.0) * squares).sqrt() / self.trials as f64;
        let half = students_t::quantile(confidence, n - 1.0) * error;
        Some(Interval::within_unit(p - half, p + half))
    }
}
