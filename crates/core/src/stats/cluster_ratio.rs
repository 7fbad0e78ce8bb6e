//! Ratio estimates over clusters of unequal size: the moves of a game are not independent.

use super::score_interval::Interval;
use crate::stats::numerics::confidence_level::Confidence;
use crate::stats::numerics::root_finder::find_root;
use crate::stats::numerics::special_functions::beta_inc;
use crate::stats::numerics::students_t;

/// Running sums over clusters with hits and trials. The sums are integers, so the order of the
/// clusters does not matter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClusterRatio {
    /// Clusters with at least one trial.
    pub n: u64,
    pub hits: u64,
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
    /// It is the exact binomial interval of C. Clopper and E. Pearson (1934) with an effective number
    /// of trials: E. Korn and B. Graubard, "Confidence Intervals for Proportions with Small Expected
    /// Number of Positive Counts Estimated from Survey Data" (1998). This number is `p (1 - p)` divided
    /// by the variance of the ratio, but at most the number of trials, times `(z / t)²` for `n - 1`
    /// degrees of freedom. The variance is `n / (n - 1) · Σ (x - p m)² / (Σ m)²` (W. Cochran,
    /// "Sampling Techniques" (1977), section 3.12). Without variance it is the number of clusters,
    /// because the moves of a game may be fully correlated.
    pub fn interval(&self, confidence: Confidence) -> Option<Interval> {
        let (p, n, trials) = (self.ratio()?, self.n as f64, self.trials as f64);
        (self.n > 1).then_some(())?;
        let squares = self.hits_squared as f64 - 2.0 * p * self.products as f64
            + p * p * self.trials_squared as f64;
        // A sum this small is a rounding error and counts as zero.
        let effective = if squares <= 1e-12 * self.trials_squared as f64 {
            n
        } else {
            let variance = n / (n - 1.0) * squares / (trials * trials);
            let t = students_t::quantile(confidence, n - 1.0);
            (p * (1.0 - p) / variance).min(trials) * (confidence.z() / t).powi(2)
        };
        let tail = confidence.alpha() / 2.0;
        let upper = |hits: f64, misses: f64| {
            if misses <= 0.0 {
                return 1.0;
            }
            let above = |x: f64| tail - beta_inc(hits + 1.0, misses, x).1;
            find_root(hits / (hits + misses), 1.0, &above)
        };
        let (hits, misses) = (p * effective, (1.0 - p) * effective);
        Some(Interval::within_unit(1.0 - upper(misses, hits), upper(hits, misses)))
    }
}
