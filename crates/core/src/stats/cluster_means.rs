//! Cluster means: games with the same opening are correlated and form a cluster.

use super::e_values::Weights;
use super::extended_wilson_interval;
use super::score_interval::Interval;
use crate::stats::numerics::confidence_level::Confidence;
use crate::stats::numerics::mle_given_mean::{scatter, score};
use crate::stats::numerics::students_t;

/// Running sums over clusters. Each cluster has weight one and contributes its mean score in
/// `[0, 1]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clusters {
    /// Number of clusters.
    pub n: u64,
    /// Sum of the cluster means.
    pub sum: f64,
    games: u64,
    /// The clusters on a grid from 0 to 1. Each cluster is split between its two neighbouring grid
    /// points so that its mean is unchanged.
    grid: [f64; GRID],
}

/// Number of grid points. Every mean of up to four games is a grid point.
const GRID: usize = 49;

impl Default for Clusters {
    fn default() -> Self {
        Clusters { n: 0, sum: 0.0, games: 0, grid: [0.0; GRID] }
    }
}

impl Clusters {
    /// Adds a cluster by its mean score in `[0, 1]` and its number of games. Ignores any other
    /// value.
    pub fn add(&mut self, mean: f64, games: u64) {
        if (0.0..=1.0).contains(&mean) {
            self.n += 1;
            self.games = self.games.saturating_add(games);
            self.sum += mean;
            let place = mean * (GRID - 1) as f64;
            let below = (place as usize).min(GRID - 2);
            let beyond = place - below as f64;
            self.grid[below] += 1.0 - beyond;
            self.grid[below + 1] += beyond;
        }
    }

    /// The mean of the cluster means. `None` without clusters.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then(|| (self.sum / self.n as f64).clamp(0.0, 1.0))
    }

    /// The confidence interval of the mean over clusters. `None` for fewer than two clusters.
    ///
    /// It is Student's t interval with `n - 1` degrees of freedom. The variance is that of the
    /// maximum-likelihood distribution with each mean, as in [`crate::stats::Counts::interval`].
    /// That distribution may contain clusters that were not observed. Unobserved clusters of one
    /// opening pair may be at 0 or 1. The mean of a cluster of `m` games is at most `sqrt(2/m)`
    /// away from the mean of the distribution, unless such a cluster was observed. This distance
    /// is two standard errors of the mean of `m/2` pairs. So clusters of many games have the usual
    /// t interval, and the interval of nearly equal clusters still has a width.
    ///
    /// If the games of a cluster are correlated, `m` is the effective number of independent games: the
    /// variance of a game, `mean (1 - mean)`, divided by the variance of the cluster means (L. Kish,
    /// "Survey Sampling", 1965). Openings that decide all their games count as single games.
    pub fn interval(&self, confidence: Confidence) -> Option<Interval> {
        let mean = self.mean().filter(|_| self.n > 1)?;
        let n = self.n as f64;
        let reach = students_t::quantile(confidence, n - 1.0) / n.sqrt();
        Some(extended_wilson_interval::interval_within(mean, reach, &self.variance_given_mean()))
    }

    /// The anytime-valid confidence interval of the mean over clusters. `None` without clusters.
    /// It uses the bets of [`crate::stats::Counts::anytime_interval`].
    pub fn anytime_interval(&self, confidence: Confidence) -> Option<Interval> {
        Some(Weights::of(&self.grid).interval(self.mean()?, confidence))
    }

    /// The e-value against "the mean is ½". `None` without clusters.
    pub fn e_value(&self) -> Option<f64> {
        (self.n > 0).then(|| Weights::of(&self.grid).e_value())
    }

    /// The two-sided p-value of "the mean is ½", in `[0, 1]`. It is below `1 - level` exactly when
    /// [`Clusters::interval`] excludes ½. `None` when that interval is `None`.
    pub fn p_value(&self) -> Option<f64> {
        let mean = self.mean().filter(|_| self.n > 1)?;
        let n = self.n as f64;
        let t = extended_wilson_interval::deviations(mean, &self.variance_given_mean()) * n.sqrt();
        Some(students_t::two_sided(t, n - 1.0))
    }

    /// The variance of a cluster under the maximum-likelihood distribution with a given mean.
    fn variance_given_mean(&self) -> impl Fn(f64) -> f64 {
        let place = |i: usize| score(i, GRID);
        let share: Vec<f64> = self.grid.iter().map(|count| count / self.n as f64).collect();
        let seen = |i: &usize| share[*i] > 0.0;
        let least = (0..GRID).find(seen).map_or(1.0, place);
        let most = (0..GRID).rfind(seen).map_or(0.0, place);
        let mean = self.sum / self.n as f64;
        let of_game = mean * (1.0 - mean);
        let from_mean = (0..GRID).map(|i| place(i) - mean);
        let between = scatter(&share, &from_mean.collect::<Vec<_>>());
        let alike = if of_game > 0.0 { between / of_game } else { 1.0 };
        let reach = (2.0 * (self.n as f64 / self.games as f64).max(alike)).sqrt();
        move |mean| {
            let (low, high) = (least.min(mean - reach), most.max(mean + reach));
            let from_mean = (0..GRID).map(|i| place(i).clamp(low, high) - mean);
            scatter(&share, &from_mean.collect::<Vec<_>>())
        }
    }
}
