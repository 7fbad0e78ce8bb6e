//! Wilcoxon's signed-rank test: are paired differences symmetric around zero?

use super::ranks_with_ties::{doubled_ranks, tie_term};
use crate::stats::numerics::special_functions::normal_cdf;

/// The largest number of values for which the distribution of the statistic is exact.
const MOST_EXACT: usize = 100;

/// The result of a signed-rank test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedRank {
    /// The smaller of the rank sums of the positive and of the negative values.
    pub w: f64,
    /// The number of non-zero values.
    pub n: usize,
    /// The two-sided p-value in (0, 1].
    pub p: f64,
    /// Whether `p` is exact and not from the normal approximation.
    pub exact: bool,
}

/// The two-sided test of "the values are symmetric around zero", for example for the logarithms of
/// paired ratios. Zeros are ignored, and ties share their ranks. The p-value is exact up to 100
/// non-zero values, also with ties. For more values it is from the normal approximation. `None` if
/// there is no non-zero value or a value is not finite.
///
/// F. Wilcoxon, "Individual Comparisons by Ranking Methods" (1945).
pub fn signed_rank(values: &[f64]) -> Option<SignedRank> {
    values.iter().all(|v| v.is_finite()).then_some(())?;
    let values: Vec<f64> = values.iter().copied().filter(|v| *v != 0.0).collect();
    let n = values.len();
    (n > 0).then_some(())?;
    let sizes: Vec<f64> = values.iter().map(|v| v.abs()).collect();
    let ranks = doubled_ranks(&sizes);
    let positive: usize = (0..n).filter(|&i| values[i] > 0.0).map(|i| ranks[i]).sum();
    let smaller = positive.min(n * (n + 1) - positive);
    let exact = n <= MOST_EXACT;
    let lower_tail = if exact {
        // Each rank is in the sum with probability one half.
        let mut law = vec![0.0; smaller + 1];
        law[0] = 1.0;
        for rank in ranks {
            for sum in (0..=smaller).rev() {
                let joined = if sum >= rank { law[sum - rank] } else { 0.0 };
                law[sum] = 0.5 * (law[sum] + joined);
            }
        }
        law.iter().sum()
    } else {
        let size = n as f64;
        let mean = size * (size + 1.0) / 4.0;
        let variance = mean * (2.0 * size + 1.0) / 6.0 - tie_term(&ranks) / 48.0;
        let w = smaller as f64 / 2.0;
        normal_cdf(((w + 0.5 - mean) / variance.sqrt()).min(0.0))
    };
    Some(SignedRank { w: smaller as f64 / 2.0, n, p: (2.0_f64 * lower_tail).min(1.0), exact })
}
