//! Means over clusters: games that share an opening stand together or fall together.

use super::anytime::Weights;
use super::confidence::Confidence;
use super::gen_wilson;
use super::interval::Interval;
use super::special::normal_cdf;

/// Running sums over clusters, each with one vote: its mean score in `[0, 1]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clusters {
    /// Number of clusters.
    pub n: u64,
    /// Sum of their means.
    pub sum: f64,
    /// The clusters on a grid from 0 to 1, each shared out between the two points that it
    /// lies between so that its mean stays.
    grid: [f64; GRID],
}

/// Points of the grid: every mean of up to four games has one of its own.
const GRID: usize = 49;

impl Default for Clusters {
    fn default() -> Self {
        Clusters { n: 0, sum: 0.0, grid: [0.0; GRID] }
    }
}

impl Clusters {
    /// Adds a cluster by its mean score in `[0, 1]`; any other value is left out.
    pub fn add(&mut self, mean: f64) {
        if (0.0..=1.0).contains(&mean) {
            self.n += 1;
            self.sum += mean;
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
    /// That of [`crate::stats::Counts::interval`] on the grid: where clusters are all alike,
    /// or nearly so, their spread tells little, and it supposes unseen ones at 0 or 1.
    pub fn interval(&self, confidence: Confidence) -> Option<Interval> {
        let mean = self.mean().filter(|_| self.n > 1)?;
        Some(gen_wilson::within(&self.frequencies(), mean, self.n as f64, confidence))
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
        let mean = self.mean().filter(|_| self.n > 1)?;
        let z = gen_wilson::z(&self.frequencies(), mean, self.n as f64);
        Some(2.0 * normal_cdf(-z.abs()))
    }

    /// The share of the clusters at each point of the grid.
    fn frequencies(&self) -> [f64; GRID] {
        self.grid.map(|count| count / self.n as f64)
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
    fn the_interval_is_that_of_pairs() {
        let pairs: Pentanomial = Counts([0, 1, 0, 0, 29]);
        let found = clusters(&[[0.25].as_slice(), &[1.0; 29]].concat());
        let (got, want) = (found.interval(P95).unwrap(), pairs.interval(P95).unwrap());
        assert!((got.lo - want.lo).abs() < 1e-9 && (got.hi - want.hi).abs() < 1e-9);
        let p = 2.0 * (1.0 - pairs.los().unwrap());
        assert!((found.p_value().unwrap() - p).abs() < 1e-9);
    }

    #[test]
    fn nearly_alike_clusters_are_no_surer_than_alike_ones() {
        // One of thirty a little less: no reason to be certain of the rest.
        let alike = clusters(&[0.75; 30]).interval(P95).unwrap();
        let nearly = clusters(&[[0.74].as_slice(), &[0.75; 29]].concat()).interval(P95).unwrap();
        assert!(nearly.width() > 0.95 * alike.width(), "{nearly:?} {alike:?}");
    }

    #[test]
    fn many_spread_out_clusters_have_the_usual_interval() {
        // n = 200, standard deviation 0.0957: half width 1.96 · 0.0957 / sqrt(200) = 0.01326.
        let means: Vec<f64> = (0..200).map(|i| 0.335 + 0.33 * f64::from(i) / 199.0).collect();
        let half = clusters(&means).interval(P95).unwrap().width() / 2.0;
        assert!((half / 0.01326 - 1.0).abs() < 0.03, "{half}");
        // Of few, an unseen one may be far off.
        let few = clusters(&means.iter().step_by(10).copied().collect::<Vec<_>>());
        assert!(few.interval(P95).unwrap().width() / 2.0 > 0.0466);
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
        // One more in a row of alike ones decides interval and p-value together.
        for (mean, n) in [(1.0, 3), (1.0, 4), (0.75, 7), (0.75, 8), (0.5, 50)] {
            let alike = clusters(&vec![mean; n]);
            let excludes = !alike.interval(P95).expect("clusters").contains(0.5);
            assert_eq!(alike.p_value().expect("clusters") < 0.05, excludes, "{mean} {n}");
        }
    }
}
