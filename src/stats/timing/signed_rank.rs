//! Wilcoxon's signed-rank test: are paired differences symmetric around zero?

use super::super::special::normal_cdf;
use super::ranks::{doubled_ranks, tie_term};
use crate::gather::Gather;

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
    let values: Vec<f64> = values.iter().copied().filter(|v| *v != 0.0).gather();
    let n = values.len();
    (n > 0).then_some(())?;
    let sizes: Vec<f64> = values.iter().map(|v| v.abs()).gather();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_on_one_side() {
        let test = signed_rank(&[1.0, 2.0, 3.0, 4.0, 5.0, 0.0]).unwrap();
        assert_eq!((test.w, test.n, test.exact), (0.0, 5, true));
        assert!((test.p - 2.0 / 32.0).abs() < 1e-15);
    }

    #[test]
    fn ties_are_exact_too() {
        // Ranks 1½ 1½ 3: sums of the four halves: W = 1½ with P(W <= 1½) = 3/8.
        let test = signed_rank(&[1.0, -1.0, 2.0]).unwrap();
        assert_eq!(test.w, 1.5);
        assert!((test.p - 0.75).abs() < 1e-15);
    }

    #[test]
    fn the_normal_law_continues_the_exact_one() {
        let values = |n: i32| -> Vec<f64> {
            (1..=n).map(|i| f64::from(i) * if i % 3 == 0 { -1.0 } else { 1.0 }).collect()
        };
        let (exact, normal) = (signed_rank(&values(100)), signed_rank(&values(102)));
        let (exact, normal) = (exact.unwrap(), normal.unwrap());
        assert!(exact.exact && !normal.exact);
        assert!((exact.p / normal.p - 1.0).abs() < 0.5);
    }

    #[test]
    fn nothing_to_rank() {
        assert_eq!(signed_rank(&[]), None);
        assert_eq!(signed_rank(&[0.0, 0.0]), None);
        assert_eq!(signed_rank(&[1.0, f64::INFINITY]), None);
        let alike = signed_rank(&vec![1.0; 500]).unwrap();
        assert!(alike.p > 0.0 && alike.p < 1e-50);
    }
}
