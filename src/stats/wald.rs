//! The intervals that engine testers usually print, for comparison: they are
//! symmetric in score, fall short at few games and have no width at all when
//! all results are alike. [`Counts::interval`] is the one to report.

use super::confidence::Confidence;
use super::counts::Counts;
use super::interval::Interval;
use super::student;

impl<const K: usize> Counts<K> {
    /// `mean ± z SE`, cut off at 0 and 1; `None` when nothing was counted.
    pub fn wald(&self, confidence: Confidence) -> Option<Interval> {
        self.symmetric(confidence.z())
    }

    /// `mean ± t SE` with Student's t of `n - 1` degrees of freedom, cut off at
    /// 0 and 1; `None` for fewer than two samples. The standard error is the one
    /// that divides by `n`, as OpenBench has it.
    pub fn student(&self, confidence: Confidence) -> Option<Interval> {
        let df = self.n().checked_sub(1).filter(|&df| df > 0)?;
        self.symmetric(student::quantile(confidence, df as f64))
    }

    fn symmetric(&self, reach: f64) -> Option<Interval> {
        let (mean, se) = (self.mean()?, self.standard_error()?);
        Some(Interval::within_unit(mean - reach * se, mean + reach * se))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Trinomial;

    #[test]
    fn one_win_and_one_loss_leave_everything_open() {
        let interval = Trinomial::of(1, 0, 1).wald(Confidence::P95).unwrap();
        assert_eq!((interval.lo, interval.hi), (0.0, 1.0));
    }

    #[test]
    fn no_spread_means_no_width() {
        let interval = Trinomial::of(0, 9, 0).wald(Confidence::P95).unwrap();
        assert_eq!((interval.lo, interval.hi), (0.5, 0.5));
    }

    #[test]
    fn too_few_samples_have_no_interval() {
        assert_eq!(Trinomial::default().wald(Confidence::P95), None);
        assert_eq!(Trinomial::of(0, 0, 1).student(Confidence::P95), None);
    }
}
