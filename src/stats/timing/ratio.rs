//! Ratios of paired times: their median and their geometric mean.

use super::super::confidence::Confidence;
use super::super::special::beta_inc;
use super::super::students_t;
use crate::gather::Gather;

/// A median with a confidence interval from order statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MedianInterval {
    /// The median.
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
/// confidence. `None` without values and if a value is not finite.
///
/// The coverage is `1 - 2 P(Bin(n, ½) < k)` for any continuous distribution: W. Thompson (1936).
/// It is also the default of Go's benchmath.
pub fn median_interval(values: &[f64], confidence: Confidence) -> Option<MedianInterval> {
    let sorted = sorted(values)?;
    let n = sorted.len();
    let coverage = |k: usize| {
        // P(Bin(n, ½) < k) = P(Bin(n, ½) > n - k).
        1.0 - 2.0 * beta_inc((n - k + 1) as f64, k as f64, 0.5).0
    };
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

/// A geometric mean with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanRatio {
    /// The geometric mean.
    pub mean: f64,
    /// The lower end.
    pub lo: f64,
    /// The upper end.
    pub hi: f64,
    /// The number of ratios.
    pub n: usize,
}

/// The geometric mean of ratios with Student's t interval on their logarithms. `None` for fewer
/// than two ratios, if a ratio is not positive and finite, and if an end overflows.
pub fn geometric_mean(ratios: &[f64], confidence: Confidence) -> Option<MeanRatio> {
    let n = ratios.len();
    let usable = n > 1 && ratios.iter().all(|r| *r > 0.0 && r.is_finite());
    usable.then_some(())?;
    let logs: Vec<f64> = ratios.iter().map(|r| r.ln()).gather();
    let mean = logs.iter().sum::<f64>() / n as f64;
    let squares: f64 = logs.iter().map(|x| (x - mean).powi(2)).sum();
    let se = (squares / (n - 1) as f64 / n as f64).sqrt();
    let half = students_t::quantile(confidence, (n - 1) as f64) * se;
    let result =
        MeanRatio { mean: mean.exp(), lo: (mean - half).exp(), hi: (mean + half).exp(), n };
    result.hi.is_finite().then_some(result)
}

/// The values in ascending order. `None` if there are none or one is not finite.
pub(super) fn sorted(values: &[f64]) -> Option<Vec<f64>> {
    let usable = !values.is_empty() && values.iter().all(|v| v.is_finite());
    usable.then(|| {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const P95: Confidence = Confidence::P95;

    #[test]
    fn the_usual_order_statistics() {
        // n = 10: from the 2nd to the 9th value with 97.9 %.
        let values: Vec<f64> = (1..=10).map(f64::from).collect();
        let interval = median_interval(&values, P95).unwrap();
        assert_eq!((interval.lo, interval.median, interval.hi), (2.0, 5.5, 9.0));
        assert!((interval.coverage - (1.0 - 22.0 / 1024.0)).abs() < 1e-12);
    }

    #[test]
    fn too_few_values_say_how_little_they_cover() {
        let one = median_interval(&[7.0], P95).unwrap();
        assert_eq!((one.lo, one.median, one.hi), (7.0, 7.0, 7.0));
        assert!(one.coverage < 1e-12);
        let five = median_interval(&[5.0, 1.0, 4.0, 2.0, 3.0], P95).unwrap();
        assert_eq!((five.lo, five.hi), (1.0, 5.0));
        assert!((five.coverage - 0.9375).abs() < 1e-12);
        assert_eq!(median_interval(&[], P95), None);
        assert_eq!(median_interval(&[1.0, f64::NAN], P95), None);
    }

    #[test]
    fn geometric_mean_of_opposite_ratios_is_one() {
        let mean = geometric_mean(&[0.5, 2.0], P95).unwrap();
        assert!((mean.mean - 1.0).abs() < 1e-15);
        assert!((mean.lo * mean.hi - 1.0).abs() < 1e-12);
        // t(0.975; 1) = 12.706, SE = ln 2.
        assert!((mean.hi.ln() / 2f64.ln() - 12.706204736174694).abs() < 1e-8);
        assert_eq!(geometric_mean(&[1.0], P95), None);
        assert_eq!(geometric_mean(&[1e-300, 1e300], P95), None);
        assert_eq!(geometric_mean(&[1.0, -1.0], P95), None);
    }
}
