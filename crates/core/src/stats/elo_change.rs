//! The change in Elo between two scores of the same samples.
//!
//! Both scores are estimates. Their errors are correlated if the two runs share openings and
//! seeds. A change `δ` is in the interval if the results are not too far from two scores whose
//! difference is `δ`. Among these pairs of scores, the test uses the one with the observed total
//! number of points. The distance is measured along `f = (after − s1) v0 − (before − s0) v1` with
//! `v = s (1 − s)`. To first order, `f` does not depend on the level of both scores. The variance
//! of `f` is that of the maximum-likelihood distribution under which its mean is zero. So this is
//! the score test of the genWilson interval, for two scores (D. Boos, "On generalized score
//! tests", 1992). The critical value is corrected for the skewness of that distribution (Cornish
//! and Fisher 1938; J. Gart and J. Nam, "Approximate interval estimation of the ratio of binomial
//! parameters", 1988).

use super::elo;
use super::score_counts::{Counts, Pentanomial};
use super::score_interval::Interval;
use crate::stats::numerics::confidence_level::Confidence;
use crate::stats::numerics::mle_given_mean::moments;
use crate::stats::numerics::root_finder::find_root;

/// Number of cells of one score: 0, ½, 1, 1½ and 2 points in two games.
const K: usize = 5;

/// Samples with a score before and a score after.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PairedScores {
    /// Samples by the score before, then by the score after.
    cells: [[u64; K]; K],
    /// The largest difference that a sample may have: that of one game lost instead of won, or the
    /// largest observed difference. Larger differences are not part of the distribution of the
    /// samples.
    max_difference: usize,
}

impl PairedScores {
    /// Counts a sample of one or two games by its half points. Ignores samples with more half
    /// points than the games allow.
    pub fn add(&mut self, before: usize, after: usize, games: usize) {
        let game = (K - 1) / games.max(1);
        let (before, after) = (before * game / 2, after * game / 2);
        if let Some(cell) = self.cells.get_mut(before).and_then(|row| row.get_mut(after)) {
            *cell += 1;
            self.max_difference = self.max_difference.max(game).max(before.abs_diff(after));
        }
    }

    pub fn n(&self) -> u64 {
        self.cells.as_flattened().iter().sum()
    }

    /// The score before and the score after; `None` without samples.
    pub fn scores(&self) -> Option<[f64; 2]> {
        let [before, after] = self.margins();
        Some([before.mean()?, after.mean()?])
    }

    /// The change in Elo. `None` if one of the scores is 0 or 1.
    pub fn elo(&self) -> Option<f64> {
        let [before, after] = self.scores()?;
        Some(elo::from_score(after)? - elo::from_score(before)?)
    }

    /// The confidence interval of the change, for a number of samples fixed in advance. `None`
    /// without samples. An end at a score of 0 or 1 is open.
    pub fn interval(&self, confidence: Confidence) -> Option<[Option<f64>; 2]> {
        let [before, after] = self.scores()?;
        let (p, n) = (self.cells.as_flattened(), self.n() as f64);
        let p: Vec<f64> = p.iter().map(|&count| count as f64 / n).collect();
        let critical = confidence.z();
        // Moves both scores towards each other by `by`, or apart if `sign` is negative.
        let end = |sign: f64, limit: f64| {
            let moved = |by: f64| (before + sign * by, after - sign * by);
            let excess = |by: f64| {
                let (s0, s1) = moved(by);
                let (v0, v1) = (s0 * (1.0 - s0), s1 * (1.0 - s1));
                let value = |cell| Pentanomial::value(cell);
                let mut f = [0.0; K * K];
                for (cell, f) in f.iter_mut().enumerate() {
                    let (i, j) = (cell / K, cell % K);
                    if i.abs_diff(j) <= self.max_difference {
                        *f = (value(j) - s1) * v0 - (value(i) - s0) * v1;
                    }
                }
                let [variance, third] = moments(&p, &f);
                let error = (variance / n).sqrt();
                let skewness = sign * third / (n * error.powi(3) * n);
                let corrected = critical + skewness * (critical * critical - 1.0) / 6.0;
                // With almost no wins, or almost no losses, the skewness is unbounded.
                by * (v0 + v1) / error - corrected.max(critical / 2.0)
            };
            let by = find_root(0.0, limit, &excess);
            let (s0, s1) = moved(by);
            (by < limit).then(|| Some(elo::from_score(s1)? - elo::from_score(s0)?)).flatten()
        };
        let low = end(1.0, after.min(1.0 - before));
        Some([low, end(-1.0, before.min(1.0 - after))])
    }

    /// The anytime-valid confidence interval of the change. `None` without samples.
    ///
    /// The score before, the score after and their difference each have an anytime-valid interval
    /// with one third of the error rate. The change is between the smallest and the largest value
    /// that all three intervals allow.
    pub fn anytime_interval(&self, confidence: Confidence) -> Option<[Option<f64>; 2]> {
        let third = Confidence::new(1.0 - confidence.alpha() / 3.0)?;
        let [before, after] = self.margins().map(|counts| counts.anytime_interval(third));
        let (before, after) = (before?, after?);
        let mut steps = Counts::<{ 2 * K - 1 }>::default();
        for (i, row) in self.cells.iter().enumerate() {
            for (j, count) in row.iter().enumerate() {
                steps.0[K - 1 + j - i] += count;
            }
        }
        let step = steps.anytime_interval(third)?;
        let high = largest(before, after, 2.0 * step.hi - 1.0);
        let low = largest(after, before, 1.0 - 2.0 * step.lo);
        Some([low.map(|low| -low), high])
    }

    /// The samples by the score before, and by the score after.
    fn margins(&self) -> [Pentanomial; 2] {
        let [mut before, mut after] = [[0; K]; 2];
        for (i, row) in self.cells.iter().enumerate() {
            for (j, count) in row.iter().enumerate() {
                before[i] += count;
                after[j] += count;
            }
        }
        [Counts(before), Counts(after)]
    }
}

/// The largest difference in Elo between two scores. One score is in `lower`. The other is in
/// `upper` and at most `step` above the first. `None` if there is no largest difference.
fn largest(lower: Interval, upper: Interval, step: f64) -> Option<f64> {
    let first = lower.lo.max(upper.lo - step);
    let last = lower.hi.min(upper.hi - step).max(first);
    // For a fixed step, the change in Elo is smallest in the middle of the scale.
    let middle = (0.5 - step / 2.0).clamp(first, last);
    [first, middle, last].into_iter().try_fold(f64::NEG_INFINITY, |most, low| {
        let high = (low + step).min(upper.hi);
        (low > 0.0 && high < 1.0).then_some(())?;
        // From 1 or to 0 the difference has no lower limit, so it is not the largest.
        let change = |high| Some(elo::from_score(high)? - elo::from_score(low)?);
        Some(change(high).map_or(most, |change| most.max(change)))
    })
}
