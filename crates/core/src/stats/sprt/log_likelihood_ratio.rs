//! Generalized log-likelihood ratios of hypotheses about a mean score.

use super::super::score_counts::{Counts, regularized};
use crate::stats::numerics::mle_given_mean::{MleGivenMean, sum};
use crate::stats::numerics::mle_given_normalized_elo;

/// The log-likelihood ratio in nats of "the mean score is `s1`" against "the mean score is `s0`",
/// both in (0, 1). Each hypothesis uses its maximum-likelihood distribution.
///
/// `Σ n_i ln[(1 + x0 (a_i - s0)) / (1 + x1 (a_i - s1))]`, M. Van den Bergh, "The
/// GSPRT for trinomial and pentanomial data", with empty cells at 0.001.
pub fn llr_of_means<const K: usize>(counts: &Counts<K>, s0: f64, s1: f64) -> f64 {
    let (cells, p) = regularized(&counts.0);
    let h0 = MleGivenMean::with_mean(&p, s0).divisor;
    let h1 = MleGivenMean::with_mean(&p, s1).divisor;
    ratio(&cells, &h0, &h1)
}

/// The log-likelihood ratio in nats of "the mean score is `t1` standard deviations of a sample
/// above one half" against the same with `t0`.
///
/// Same as [`llr_of_means`], with the distributions of M. Van den Bergh, "Normalized Elo".
pub fn llr_of_t<const K: usize>(counts: &Counts<K>, t0: f64, t1: f64) -> f64 {
    let (cells, p) = regularized(&counts.0);
    let h0 = mle_given_normalized_elo::divisors_with_t(&p, t0);
    let h1 = mle_given_normalized_elo::divisors_with_t(&p, t1);
    ratio(&cells, &h0, &h1)
}

fn ratio(cells: &[f64], h0: &[f64], h1: &[f64]) -> f64 {
    sum(cells.len(), &|i| cells[i] * (h0[i] / h1[i]).ln())
}
