//! Means over clusters: games that share an opening stand together or fall together.

use super::anytime::Weights;
use super::confidence::Confidence;
use super::interval::Interval;
use super::special::normal_cdf;
use super::student;

/// Running sums over clusters, each with one vote: its mean score in `[0, 1]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clusters {
    /// Number of clusters.
    pub n: u64,
    /// Sum of their means.
    pub sum: f64,
    /// Sum of their means' squares.
    pub squares: f64,
    /// The clusters on a grid from 0 to 1, each shared out between the two points that it
    /// lies between so that its mean stays.
    grid: [f64; GRID],
}

/// Points of the grid: every mean of up to four games has one of its own.
const GRID: usize = 49;

impl Default for Clusters {
    fn default() -> Self {
        Clusters { n: 0, sum: 0.0, squares: 0.0, grid: [0.0; GRID] }
    }
}

impl Clusters {
    /// Adds a cluster by its mean score in `[0, 1]`; any other value is left out.
    pub fn add(&mut self, mean: f64) {
        if (0.0..=1.0).contains(&mean) {
            self.n += 1;
            self.sum += mean;
            self.squares += mean * mean;
            let place = mean * (GRID - 1) as f64;
            let below = (place as usize).min(GRID - 2);
            let beyond = place - below as f64;
            self.grid[below] += 1.0 - beyond;
            self.grid[below + 1] += beyond;
        }
    }

    /// The mean of the clusters' means; `None` without clusters.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then(|| (self.sum / self.n as f64).clamp(0.0, 1.0))
    }

    /// The interval of the mean over clusters; `None` for fewer than two.
    ///
    /// Student's, with `n - 1` degrees of freedom, held within `[0, 1]`. Clusters that
    /// are all alike show no spread, so theirs is Wilson's score interval, whose
    /// variance supposes unseen clusters at 0 and 1: `[n s, n s + z²] / (n + z²)`.
    pub fn interval(&self, confidence: Confidence) -> Option<Interval> {
        let (mean, n) = (self.mean()?, self.n as f64);
        (self.n > 1).then_some(())?;
        let Some(error) = self.standard_error() else {
            let z2 = confidence.z().powi(2);
            let (lo, hi) = (n * mean / (n + z2), (n * mean + z2) / (n + z2));
            return Some(Interval::within_unit(lo.min(mean), hi.max(mean)));
        };
        let half = student::quantile(confidence, n - 1.0) * error;
        Some(Interval::within_unit(mean - half, mean + half))
    }

    /// The interval of the mean over clusters that holds whenever one looks; `None` without
    /// clusters. By the bets of [`crate::stats::Counts::anytime_interval`].
    pub fn anytime_interval(&self, confidence: Confidence) -> Option<Interval> {
        Some(Weights::shared(self.grid).interval(self.mean()?, confidence))
    }

    /// The e-value against "the mean is ½"; `None` without clusters.
    pub fn e_value(&self) -> Option<f64> {
        (self.n > 0).then(|| Weights::shared(self.grid).e_value())
    }

    /// The two-sided p-value of "the mean is ½", in `[0, 1]`: below `1 - level` just
    /// where [`Clusters::interval`] excludes ½, and `None` where that is.
    pub fn p_value(&self) -> Option<f64> {
        let (mean, n) = (self.mean()?, self.n as f64);
        (self.n > 1).then_some(())?;
        let away = (mean - 0.5).abs();
        Some(match self.standard_error() {
            Some(error) => student::two_sided(away / error, n - 1.0),
            // The same score test: at mean ½ the variance is half the distance.
            None => 2.0 * normal_cdf(-(2.0 * n * away).sqrt()),
        })
    }

    /// The standard error of the mean over clusters, `sqrt(Σ (x - mean)² / (n (n - 1)))`;
    /// `None` for fewer than two clusters and clusters that are all alike.
    fn standard_error(&self) -> Option<f64> {
        let (mean, n) = (self.mean()?, self.n as f64);
        let variance = self.squares / n - mean * mean;
        // Below this it is the rounding of the two sums.
        (self.n > 1 && variance > 1e-12).then(|| (variance / (n - 1.0)).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Counts, Pentanomial, Trinomial};

    const P95: Confidence = Confidence::P95;

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
        let interval = clusters(&all).interval(P95).expect("four clusters");
        assert!((interval.hi - 0.5 - 3.182_446_305 * 0.125).abs() < 1e-8);
        assert!((interval.lo + interval.hi - 1.0).abs() < 1e-12);
    }

    #[test]
    fn too_few_clusters_say_nothing() {
        assert_eq!(clusters(&[]).mean(), None);
        assert_eq!(clusters(&[0.75]).interval(P95), None);
        assert_eq!(clusters(&[0.75]).p_value(), None);
        assert_eq!(clusters(&[f64::NAN, -1.0, 2.0]).n, 0);
    }

    #[test]
    fn the_anytime_interval_is_that_of_pairs_and_never_narrower_off_the_grid() {
        let pairs: Pentanomial = Counts([3, 9, 20, 14, 8]);
        let mut means = Vec::new();
        for (i, &count) in pairs.0.iter().enumerate() {
            means.extend(vec![i as f64 / 4.0; count as usize]);
        }
        let found = clusters(&means);
        let (got, want) = (found.anytime_interval(P95), pairs.anytime_interval(P95));
        let (got, want) = (got.expect("clusters"), want.expect("pairs"));
        assert!((got.lo - want.lo).abs() < 1e-6 && (got.hi - want.hi).abs() < 1e-6);
        let e = found.e_value().expect("clusters");
        assert!((e / pairs.e_value() - 1.0).abs() < 1e-6, "{e}");
        assert_eq!(clusters(&[]).e_value(), None);
        assert_eq!(clusters(&[]).anytime_interval(P95), None);
        // Off the grid: fifty means that the grid does not hold, and a fixed-length interval
        // that lies within.
        let off: Vec<f64> = (0..50).map(|i| 0.501 + 0.007 * f64::from(i % 30)).collect();
        let off = clusters(&off);
        let (inner, outer) = (off.interval(P95), off.anytime_interval(P95));
        let (inner, outer) = (inner.expect("clusters"), outer.expect("clusters"));
        assert!(outer.lo < inner.lo && inner.hi < outer.hi, "{inner:?} {outer:?}");
    }

    #[test]
    fn alike_clusters_have_the_interval_of_alike_games() {
        for (mean, games) in [
            (1.0, Trinomial::of(0, 0, 9)),
            (0.5, Trinomial::of(0, 9, 0)),
            (0.0, Trinomial::of(9, 0, 0)),
        ] {
            let found = clusters(&[mean; 9]).interval(P95).expect("nine clusters");
            let want = games.interval(P95).expect("nine games");
            assert!((found.lo - want.lo).abs() < 1e-12 && (found.hi - want.hi).abs() < 1e-12);
        }
    }

    #[test]
    fn the_p_value_agrees_with_the_interval() {
        // t = 6 with 8 degrees of freedom: 2 · (1 − T(6; 8)) = 0.000323393.
        let mut means: Vec<f64> = (0..8).map(|i| if i % 2 == 0 { 0.55 } else { 0.65 }).collect();
        means.push(0.6);
        let found = clusters(&means).p_value().expect("nine clusters");
        assert!((found - 0.000_323_393).abs() < 1e-9);
        // One more in a row of alike ones decides interval and p-value together.
        for (mean, n) in [(1.0, 3), (1.0, 4), (0.75, 7), (0.75, 8), (0.5, 50)] {
            let alike = clusters(&vec![mean; n]);
            let excludes = !alike.interval(P95).expect("clusters").contains(0.5);
            assert_eq!(alike.p_value().expect("clusters") < 0.05, excludes, "{mean} {n}");
        }
    }
}
