//! The median of ratios of paired times.

use super::super::score_counts::Counts;
use crate::stats::numerics::confidence_level::Confidence;
use crate::stats::numerics::special_functions::beta_inc;

/// A median with a confidence interval from order statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MedianInterval {
    pub median: f64,
    /// The lower end, one of the values.
    pub lo: f64,
    /// The upper end, one of the values.
    pub hi: f64,
    /// The exact confidence of the interval. It is at least the requested confidence, unless there
    /// are too few values; then the interval contains all of them.
    pub coverage: f64,
    /// The number of values.
    pub n: usize,
}

/// The median of `values` and the interval between the k-th smallest and the k-th largest value.
/// `k` is the largest number for which the interval covers the true median with the requested
/// confidence. The result is `None` without values and if a value is not finite.
///
/// The coverage is `1 - 2 P(Bin(n, ½) < k)` for any continuous distribution: W. Thompson (1936).
/// It is also the default of Go's benchmath.
pub fn median_interval(values: &[f64], confidence: Confidence) -> Option<MedianInterval> {
    let n = values.len();
    // P(Bin(n, ½) < k) = P(Bin(n, ½) > n - k).
    let coverage = |k: usize| 1.0 - 2.0 * beta_inc((n - k + 1) as f64, k as f64, 0.5).0;
    between_order_statistics(values, confidence, &coverage)
}

/// Like [`median_interval`], but valid at any time: also if results decided how many values there
/// are. `coverage` is that of all such intervals of the run together.
///
/// A median below the k-th smallest value has fewer than `k` of the `n` values below it. The e-value
/// of these counts against "one half is below" is at least `1 / (1 - coverage)`.
pub fn anytime_median_interval(values: &[f64], confidence: Confidence) -> Option<MedianInterval> {
    let n = values.len();
    let coverage = |k: usize| 1.0 - 1.0 / Counts([k as u64 - 1, (n + 1 - k) as u64]).e_value();
    between_order_statistics(values, confidence, &coverage)
}

/// The interval from the k-th smallest to the k-th largest value, for the largest `k` with
/// sufficient coverage.
fn between_order_statistics(
    values: &[f64],
    confidence: Confidence,
    coverage: &dyn Fn(usize) -> f64,
) -> Option<MedianInterval> {
    let sorted = sorted(values)?;
    let n = sorted.len();
    // Coverage falls with k: find the last k with sufficient coverage, or the widest interval.
    let (mut enough, mut short) = (1, n / 2 + 1);
    while short - enough > 1 {
        let middle = enough + (short - enough) / 2;
        if coverage(middle) >= confidence.level() {
            enough = middle;
        } else {
            short = middle;
        }
    }
    Some(MedianInterval {
        median: f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]),
        lo: sorted[enough - 1],
        hi: sorted[n - enough],
        coverage: coverage(enough).max(0.0),
        n,
    })
}

/// The values in ascending order. `None` if there are none or one is not finite.
pub(super) fn sorted(values: &[f64]) -> Option<Vec<f64>> {
    let usable = !values.is_empty() && values.iter().all(|v| v.is_finite());
    usable.then(|| {
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted
    })
}
