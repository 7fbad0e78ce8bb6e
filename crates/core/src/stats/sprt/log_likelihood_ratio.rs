//! Generalized log-likelihood ratios of hypotheses about a mean score.

use super::super::mle_given_mean::Constrained;
use super::super::mle_given_normalized_elo;
use super::super::score_counts::Counts;

/// The count of an empty cell. It keeps every distribution possible and is too small to change a
/// verdict. One half, as in some programs, costs up to half as many games more.
const EMPTY_CELL: f64 = 1e-3;

/// The log-likelihood ratio in nats of "the mean score is `s1`" against "the mean score is `s0`",
/// both in (0, 1). Each hypothesis uses its maximum-likelihood distribution.
///
/// `Σ n_i ln[(1 + x0 (a_i - s0)) / (1 + x1 (a_i - s1))]`, M. Van den Bergh, "The
/// GSPRT for trinomial and pentanomial data", with empty cells at 0.001.
pub fn llr_of_means<const K: usize>(counts: &Counts<K>, s0: f64, s1: f64) -> f64 {
    let (cells, p) = regularized(counts);
    let h0 = Constrained::with_mean(&p, s0).divisor;
    let h1 = Constrained::with_mean(&p, s1).divisor;
    ratio(&cells, &h0, &h1)
}

/// The log-likelihood ratio in nats of "the mean score is `t1` standard deviations of a sample
/// above one half" against the same with `t0`.
///
/// Same as [`llr_of_means`], with the distributions of M. Van den Bergh, "Normalized Elo".
pub fn llr_of_t<const K: usize>(counts: &Counts<K>, t0: f64, t1: f64) -> f64 {
    let (cells, p) = regularized(counts);
    let h0 = mle_given_normalized_elo::divisors_with_t(&p, t0);
    let h1 = mle_given_normalized_elo::divisors_with_t(&p, t1);
    ratio(&cells, &h0, &h1)
}

fn regularized<const K: usize>(counts: &Counts<K>) -> ([f64; K], [f64; K]) {
    let cells = counts.0.map(|c| if c == 0 { EMPTY_CELL } else { c as f64 });
    let n: f64 = cells.iter().sum();
    (cells, cells.map(|c| c / n))
}

fn ratio<const K: usize>(cells: &[f64; K], h0: &[f64; K], h1: &[f64; K]) -> f64 {
    (0..K).map(|i| cells[i] * (h0[i] / h1[i]).ln()).sum()
}
