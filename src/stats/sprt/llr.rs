//! Generalized log-likelihood ratios of hypotheses about a mean score.

use super::super::counts::Counts;
use super::super::mle::Constrained;
use super::super::mle_t;

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
    let h0 = mle_t::divisors_with_t(&p, t0);
    let h1 = mle_t::divisors_with_t(&p, t1);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Trinomial;

    #[test]
    fn without_draws_it_is_the_binomial_ratio() {
        // The empty cell has a small weight, so the values are only nearly equal.
        let got = llr_of_means(&Trinomial::of(400, 0, 600), 0.5, 0.55);
        let want = 600.0 * (0.55_f64 / 0.5).ln() + 400.0 * (0.45_f64 / 0.5).ln();
        assert!((got - want).abs() < 1e-3);
    }

    #[test]
    fn exchanging_the_hypotheses_or_the_sides_changes_the_sign() {
        let counts = Counts([10, 60, 114, 59, 7]);
        let llr = llr_of_means(&counts, 0.5, 0.52);
        assert!((llr + llr_of_means(&counts, 0.52, 0.5)).abs() < 1e-12);
        assert!((llr + llr_of_means(&counts.flipped(), 0.48, 0.5)).abs() < 1e-12);
        let llr = llr_of_t(&counts, 0.0, 0.1);
        assert!((llr + llr_of_t(&counts, 0.1, 0.0)).abs() < 1e-12);
        assert!((llr + llr_of_t(&counts.flipped(), -0.1, 0.0)).abs() < 1e-9);
    }

    #[test]
    fn near_equality_it_is_the_quadratic_one() {
        let counts = Counts([200, 2000, 4000, 2100, 220]);
        let (s0, s1) = (0.5, 0.502);
        let (s, v) = (counts.mean().unwrap(), counts.variance().unwrap());
        let want = counts.n() as f64 * (s1 - s0) * (2.0 * s - s0 - s1) / (2.0 * v);
        assert!((llr_of_means(&counts, s0, s1) - want).abs() < 1e-3 * want.abs());
    }
}
