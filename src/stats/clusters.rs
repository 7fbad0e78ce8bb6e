//! Means over clusters: games that share an opening stand together or fall together.

use super::binomial;
use super::confidence::Confidence;
use super::interval::Interval;

/// Running sums over clusters, each with one vote: its mean score in `[0, 1]`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Clusters {
    /// Number of clusters.
    pub n: u64,
    /// Sum of their means.
    pub sum: f64,
    /// Sum of their means' squares.
    pub squares: f64,
    /// Clusters with a mean above ½.
    pub above: u64,
    /// Clusters with a mean below ½.
    pub below: u64,
}

impl Clusters {
    /// Adds a cluster by its mean score.
    pub fn add(&mut self, mean: f64) {
        self.n += 1;
        self.sum += mean;
        self.squares += mean * mean;
        self.above += u64::from(mean > 0.5);
        self.below += u64::from(mean < 0.5);
    }

    /// The mean of the clusters' means; `None` without clusters.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then(|| (self.sum / self.n as f64).clamp(0.0, 1.0))
    }

    /// Student's interval of the mean over clusters, with `n − 1` degrees of freedom,
    /// held within `[0, 1]`; `None` for fewer than two clusters or clusters that are all
    /// alike, from which nothing can be said about how much they vary.
    pub fn interval(&self, confidence: Confidence) -> Option<Interval> {
        use statrs::distribution::{ContinuousCDF, StudentsT};
        let mean = self.mean()?;
        let n = self.n as f64;
        let variance = (self.squares / n - mean * mean) * n / (n - 1.0);
        if self.n < 2 || variance <= 1e-12 {
            return None;
        }
        let t = StudentsT::new(0.0, 1.0, n - 1.0).ok()?;
        let half = t.inverse_cdf(1.0 - confidence.alpha() / 2.0) * (variance / n).sqrt();
        Some(Interval { lo: (mean - half).max(0.0), hi: (mean + half).min(1.0) })
    }

    /// The exact sign test of "as many clusters above ½ as below"; 1 where all are at ½.
    pub fn sign_test(&self) -> f64 {
        binomial::sign_test(self.above, self.below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clusters(means: &[f64]) -> Clusters {
        let mut clusters = Clusters::default();
        means.iter().for_each(|&mean| clusters.add(mean));
        clusters
    }

    #[test]
    fn the_interval_is_students() {
        // Mean 0.5, s = 0.25, n = 4: half width t(0.975; 3) · 0.25 / 2 = 3.182446 · 0.125.
        let means = [0.5 - 0.216_506_350_946, 0.5 - 0.216_506_350_946];
        let all = [means[0], means[1], 1.0 - means[0], 1.0 - means[1]];
        let interval = clusters(&all).interval(Confidence::P95).expect("four clusters");
        assert!((interval.hi - 0.5 - 3.182_446_305 * 0.125).abs() < 1e-8);
        assert!((interval.lo + interval.hi - 1.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_is_said_of_clusters_that_are_alike() {
        assert_eq!(clusters(&[]).mean(), None);
        assert_eq!(clusters(&[0.75]).interval(Confidence::P95), None);
        assert_eq!(clusters(&[0.75; 9]).interval(Confidence::P95), None);
        assert_eq!(clusters(&[0.75; 9]).sign_test(), 2.0 / 512.0);
    }
}
