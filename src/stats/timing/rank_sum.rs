//! The test of Mann and Whitney and the shift of Hodges and Lehmann: two samples
//! that were not measured in pairs.

use super::super::special::normal_cdf;
use super::ranks::{doubled_ranks, tie_term};
use super::ratio::sorted;

/// The most values in both samples for which the law is worked out exactly.
const MOST_EXACT: usize = 60;

/// What two unpaired samples say about each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankSum {
    /// In how many of all pairs the candidate's value is the larger, equal ones
    /// counting one half.
    pub u: f64,
    /// The two-sided p-value in `[0, 1]` of "both have the same law".
    pub p: f64,
    /// Whether `p` is exact and not from the normal law.
    pub exact: bool,
    /// The median of all differences candidate less base.
    pub shift: f64,
}

/// Compares a candidate's values with a base's. Exact up to 60 values together,
/// ties included; beyond that by the normal law. On logarithms of times the shift
/// is that of a ratio. `None` if either is empty, has a value that is not finite,
/// or they lie further apart than a number can hold.
///
/// H. Mann and D. Whitney (1947); J. Hodges and E. Lehmann (1963).
pub fn mann_whitney(base: &[f64], candidate: &[f64]) -> Option<RankSum> {
    let (sorted_base, sorted_candidate) = (sorted(base)?, sorted(candidate)?);
    let (m, n) = (candidate.len(), base.len());
    let all: Vec<f64> = candidate.iter().chain(base).copied().collect();
    let ranks = doubled_ranks(&all);
    let sum: usize = ranks[..m].iter().sum();
    let exact = m + n <= MOST_EXACT;
    let p = if exact {
        exact_p(&ranks, m, sum)
    } else {
        normal_p(&ranks, m as f64, n as f64, sum as f64 / 2.0)
    };
    let shift = hodges_lehmann(&sorted_base, &sorted_candidate);
    let u = sum as f64 / 2.0 - (m * (m + 1)) as f64 / 2.0;
    shift.is_finite().then_some(RankSum { u, p, exact, shift })
}

/// Over all ways to choose `m` of the ranks, each as likely as the others.
fn exact_p(ranks: &[usize], m: usize, observed: usize) -> f64 {
    let total: usize = ranks.iter().sum();
    let mut ways = vec![vec![0.0_f64; total + 1]; m + 1];
    ways[0][0] = 1.0;
    for &rank in ranks {
        for chosen in (1..=m).rev() {
            let (fewer, these) = ways.split_at_mut(chosen);
            for sum in (rank..=total).rev() {
                these[0][sum] += fewer[chosen - 1][sum - rank];
            }
        }
    }
    let all: f64 = ways[m].iter().sum();
    let at_most: f64 = ways[m][..=observed].iter().sum();
    let at_least: f64 = ways[m][observed..].iter().sum();
    (2.0 * at_most.min(at_least) / all).min(1.0)
}

fn normal_p(ranks: &[usize], m: f64, n: f64, sum: f64) -> f64 {
    let size = m + n;
    let ties = tie_term(ranks) / (size * (size - 1.0));
    let variance = m * n / 12.0 * (size + 1.0 - ties);
    let away = (sum - m * (size + 1.0) / 2.0).abs() - 0.5;
    if variance <= 0.0 || away <= 0.0 {
        return 1.0;
    }
    2.0 * normal_cdf(-away / variance.sqrt())
}

/// The median of all differences between two sorted samples, without storing them.
fn hodges_lehmann(base: &[f64], candidate: &[f64]) -> f64 {
    let pairs = base.len() * candidate.len();
    f64::midpoint(
        difference_at(base, candidate, (pairs - 1) / 2),
        difference_at(base, candidate, pairs / 2),
    )
}

/// The difference that has `place` smaller or equal ones before it.
fn difference_at(base: &[f64], candidate: &[f64], place: usize) -> f64 {
    let last = |v: &[f64]| v[v.len() - 1];
    let up_to = |limit: f64| {
        // As the base's value grows, more of the candidate's are within reach.
        let mut reach = 0;
        base.iter()
            .map(|b| {
                while reach < candidate.len() && candidate[reach] - b <= limit {
                    reach += 1;
                }
                reach
            })
            .sum::<usize>()
    };
    let (mut lo, mut hi) = (candidate[0] - last(base), last(candidate) - base[0]);
    if up_to(lo) > place {
        return lo;
    }
    // Too many at `hi`, too few at `lo`: down to neighbouring numbers.
    loop {
        let middle = f64::midpoint(lo, hi);
        if middle <= lo || middle >= hi {
            return hi;
        }
        if up_to(middle) > place {
            hi = middle;
        } else {
            lo = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apart_samples() {
        let test = mann_whitney(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]).unwrap();
        assert_eq!((test.u, test.exact, test.shift), (9.0, true, 3.0));
        assert!((test.p - 0.1).abs() < 1e-15);
        let mirrored = mann_whitney(&[4.0, 5.0, 6.0], &[1.0, 2.0, 3.0]).unwrap();
        assert_eq!((mirrored.u, mirrored.p, mirrored.shift), (0.0, test.p, -3.0));
    }

    #[test]
    fn ties_by_hand() {
        // Choose 2 of the ranks 1, 2½, 2½, 4: the sums 3½ 3½ 5 5 6½ 6½.
        let test = mann_whitney(&[1.0, 2.0], &[2.0, 3.0]).unwrap();
        assert_eq!(test.u, 3.5);
        assert!((test.p - 2.0 / 3.0).abs() < 1e-15);
        assert_eq!(mann_whitney(&[1.0], &[1.0]).unwrap().p, 1.0);
    }

    #[test]
    fn the_shift_is_the_median_of_all_differences() {
        let base = [0.3, 1.7, 2.9, 11.0, 0.1];
        let candidate = [0.9, 3.3, 1.1, 40.0];
        let mut all: Vec<f64> =
            candidate.iter().flat_map(|c| base.iter().map(move |b| c - b)).collect();
        all.sort_by(f64::total_cmp);
        let want = f64::midpoint(all[9], all[10]);
        assert_eq!(mann_whitney(&base, &candidate).unwrap().shift, want);
    }

    #[test]
    fn the_normal_law_continues_the_exact_one() {
        let values =
            |n: i32, by: f64| -> Vec<f64> { (0..n).map(|i| f64::from(i * 37 % n) + by).collect() };
        let exact = mann_whitney(&values(30, 0.0), &values(30, 6.5)).unwrap();
        let normal = mann_whitney(&values(31, 0.0), &values(31, 6.5)).unwrap();
        assert!(exact.exact && !normal.exact);
        assert!((exact.p / normal.p - 1.0).abs() < 0.2);
    }

    #[test]
    fn empty_and_infinite_samples_have_no_answer() {
        assert_eq!(mann_whitney(&[], &[1.0]), None);
        assert_eq!(mann_whitney(&[1.0], &[f64::NAN]), None);
        assert_eq!(mann_whitney(&[-1e308], &[1e308]), None);
        let alike = mann_whitney(&[1.0; 50], &[1.0; 50]).unwrap();
        assert_eq!((alike.p, alike.shift), (1.0, 0.0));
    }
}
