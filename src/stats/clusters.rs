//! Means over clusters: games that share an opening stand together or fall together.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::confidence::Confidence;
use super::interval::Interval;
use super::special;

/// Running sums over clusters, each with one vote: its mean score in `[0, 1]`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Clusters {
    /// Number of clusters.
    pub n: u64,
    /// Sum of their means.
    pub sum: f64,
    /// Sum of their means' squares.
    pub squares: f64,
}

impl Clusters {
    /// Adds a cluster by its mean score.
    pub fn add(&mut self, mean: f64) {
        self.n += 1;
        self.sum += mean;
        self.squares += mean * mean;
    }

    /// The mean of the clusters' means; `None` without clusters.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then(|| (self.sum / self.n as f64).clamp(0.0, 1.0))
    }

    /// Student's interval of the mean over clusters, with `n − 1` degrees of freedom,
    /// held within `[0, 1]`; `None` for fewer than two clusters or clusters that are all
    /// alike, from which nothing can be said about how much they vary.
    pub fn interval(&self, confidence: Confidence) -> Option<Interval> {
        let (mean, error) = (self.mean()?, self.standard_error()?);
        let t = StudentsT::new(0.0, 1.0, self.n as f64 - 1.0).ok()?;
        let half = t.inverse_cdf(1.0 - confidence.alpha() / 2.0) * error;
        Some(Interval { lo: (mean - half).max(0.0), hi: (mean + half).min(1.0) })
    }

    /// The two-sided p-value of "the mean is ½" by Student's t over clusters; `None`
    /// where [`Clusters::interval`] is.
    pub fn p_value(&self) -> Option<f64> {
        let (mean, error) = (self.mean()?, self.standard_error()?);
        let t = ((mean - 0.5) / error).abs();
        let degrees = self.n as f64 - 1.0;
        // Beyond a thousand degrees the normal law is Student's to four digits of p, and
        // it holds in the far tail, where the incomplete beta function gives out.
        let tail = if degrees > 1000.0 {
            special::normal_cdf(-t)
        } else {
            StudentsT::new(0.0, 1.0, degrees).ok()?.sf(t)
        };
        Some((2.0 * tail).clamp(0.0, 1.0))
    }

    /// The standard error of the mean over clusters; `None` for fewer than two clusters
    /// or clusters that are all alike.
    fn standard_error(&self) -> Option<f64> {
        let mean = self.mean()?;
        let n = self.n as f64;
        let variance = (self.squares / n - mean * mean) * n / (n - 1.0);
        (self.n >= 2 && variance > 1e-12).then(|| (variance / n).sqrt())
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
        assert_eq!(clusters(&[0.75; 9]).p_value(), None);
    }

    #[test]
    fn the_p_value_agrees_with_the_interval() {
        // t = 3 with 8 degrees of freedom: p = 0.017071681.
        let mut means: Vec<f64> = (0..8).map(|i| if i % 2 == 0 { 0.55 } else { 0.65 }).collect();
        means.push(0.6);
        let found = clusters(&means);
        let error = (0.02 / 8.0 / 9.0_f64).sqrt();
        let t = 0.1 / error;
        assert!((t - 6.0).abs() < 1e-9);
        // 2 · (1 − T(6; 8)) = 0.000323427.
        assert!((found.p_value().expect("nine clusters") - 0.000_323_4).abs() < 1e-6);
    }
}
