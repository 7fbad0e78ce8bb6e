//! The profile-likelihood interval. Well behaved from some fifty samples on;
//! at ten its 95 % cover 89 %, so it is not the default.

use super::confidence::Confidence;
use super::counts::Counts;
use super::edge::edge;
use super::interval::Interval;
use super::mle::Constrained;

impl<const K: usize> Counts<K> {
    /// All means that are not too unlikely; `None` when nothing was counted.
    ///
    /// `{ s : 2 n Σ p_i ln(1 + x(s) (a_i - s)) <= z² }`, A. Owen, "Empirical
    /// Likelihood" (2001).
    pub fn likelihood_interval(&self, confidence: Confidence) -> Option<Interval> {
        let mean = self.mean()?;
        let p = self.frequencies()?;
        let bound = confidence.z().powi(2) / (2.0 * self.n() as f64);
        let excess = |s: f64| {
            let law = Constrained::with_mean(&p, s);
            let loss: f64 =
                (0..K).filter(|&i| p[i] > 0.0).map(|i| p[i] * law.divisor[i].ln()).sum();
            // The root makes it nearly straight.
            loss.max(0.0).sqrt() - bound.sqrt()
        };
        Some(Interval::within_unit(edge(mean, 0.0, excess), edge(mean, 1.0, excess)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Trinomial;

    #[test]
    fn all_wins_in_closed_form() {
        let z2 = Confidence::P95.z().powi(2);
        for n in [1_u64, 10, 4250] {
            let interval = Trinomial::of(0, 0, n).likelihood_interval(Confidence::P95).unwrap();
            assert!((interval.lo - (-z2 / (2.0 * n as f64)).exp()).abs() < 1e-12);
            assert_eq!(interval.hi, 1.0);
        }
    }

    #[test]
    fn nothing_counted_has_no_interval() {
        assert_eq!(Trinomial::default().likelihood_interval(Confidence::P95), None);
    }
}
