//! Comparisons of all players with each other, with a correction for multiple tests.

use super::fit_with_errors::Fit;

/// The comparison of two players of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairComparison {
    /// One player.
    pub a: usize,
    pub b: usize,
    /// `a`'s rating minus `b`'s rating, in Elo.
    pub difference: f64,
    /// The standard error of the difference in Elo; positive. It is only a scale: at lopsided
    /// scores neither the interval nor the p-value can be computed from it.
    pub se: f64,
    /// The likelihood of superiority of `a`: one minus the one-sided p-value, *not* the
    /// probability of being stronger. It is above 97.5 % exactly when the 95 % interval of
    /// [`Fit::difference_interval`] is above 0.
    pub los: f64,
    /// The two-sided p-value of "equal strength" for this comparison alone.
    pub p: f64,
    /// The p-value after Holm's correction for all comparisons of the fit.
    pub p_holm: f64,
}

impl Fit {
    /// All comparisons between two players of the fit, `a < b`, with the full covariance and with
    /// Holm's correction over all of them.
    pub fn comparisons(&self) -> Vec<PairComparison> {
        corrected(self.uncorrected().collect())
    }

    /// The same comparisons without correction.
    pub(super) fn uncorrected(&self) -> impl Iterator<Item = PairComparison> {
        let players = self.ratings.len();
        (0..players).flat_map(move |a| (a + 1..players).filter_map(move |b| self.compare(a, b)))
    }

    /// One comparison without correction. `None` for a player outside the fit and for a player
    /// compared with itself.
    pub fn compare(&self, a: usize, b: usize) -> Option<PairComparison> {
        let difference = self.ratings.get(a)? - self.ratings.get(b)?;
        let se = self.difference_se(a, b).filter(|&se| se > 0.0)?;
        let los = self.superiority(a, b)?;
        let p = 2.0 * los.min(1.0 - los);
        Some(PairComparison { a, b, difference, se, los, p, p_holm: p })
    }
}

/// Corrects comparisons for their number.
pub(super) fn corrected(mut all: Vec<PairComparison>) -> Vec<PairComparison> {
    let p: Vec<f64> = all.iter().map(|comparison| comparison.p).collect();
    for (comparison, p) in all.iter_mut().zip(holm(&p)) {
        comparison.p_holm = p;
    }
    all
}

/// Holm's step-down correction for multiple tests: the adjusted p-values, in the given order. All
/// of them can be compared with one significance level.
///
/// S. Holm (1979): with p sorted, `max over j <= k of min(1, (m - j + 1) p_(j))`.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
    let mut adjusted = vec![1.0; p.len()];
    let mut largest = 0.0_f64;
    for (rank, i) in order.into_iter().enumerate() {
        largest = largest.max(((p.len() - rank) as f64 * p[i]).min(1.0));
        adjusted[i] = largest;
    }
    adjusted
}
