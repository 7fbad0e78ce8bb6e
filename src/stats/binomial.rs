//! Intervals and exact tests for a plain share: successes among trials.

use super::confidence::Confidence;
use super::interval::Interval;
use super::special;

/// Wilson's score interval for the success probability after `successes` in
/// `trials`, where `successes` may be a score with halves; `None` unless
/// `0 <= successes <= trials` and `trials > 0`.
///
/// `(x + z²/2) / (n + z²) ± z / (1 + z²/n) sqrt(p (1-p) / n + z² / 4n²)`,
/// E. B. Wilson, JASA 22 (1927). With draws it is valid but too wide; use
/// [`crate::stats::Counts::interval`] there.
pub fn wilson(successes: f64, trials: f64, confidence: Confidence) -> Option<Interval> {
    let (x, n) = checked(successes, trials)?;
    let z2 = confidence.z().powi(2);
    let p = x / n;
    let centre = (x + z2 / 2.0) / (n + z2);
    let half = (z2 * (p * (1.0 - p) / n + z2 / (4.0 * n * n))).sqrt() / (1.0 + z2 / n);
    let lo = if x == 0.0 { 0.0 } else { centre - half };
    let hi = if x == n { 1.0 } else { centre + half };
    Some(Interval::within_unit(lo, hi))
}

/// The interval of Clopper and Pearson, Biometrika 26 (1934): never covers less
/// than asked for, at the price of width. `None` as for [`wilson`].
///
/// `Beta(x, n - x + 1)⁻¹(α/2)` and `Beta(x + 1, n - x)⁻¹(1 - α/2)`, with the ends
/// 0 at `x = 0` and 1 at `x = n`.
pub fn clopper_pearson(successes: f64, trials: f64, confidence: Confidence) -> Option<Interval> {
    beta_ends(successes, trials, confidence, 0.0)
}

/// The interval between the quantiles of `Beta(x + ½, n - x + ½)`, with the ends
/// 0 at `x = 0` and 1 at `x = n`. `None` as for [`wilson`].
///
/// Brown, Cai and DasGupta, Statistical Science 16 (2001).
pub fn jeffreys(successes: f64, trials: f64, confidence: Confidence) -> Option<Interval> {
    beta_ends(successes, trials, confidence, 0.5)
}

fn beta_ends(x: f64, n: f64, confidence: Confidence, prior: f64) -> Option<Interval> {
    let (x, n) = checked(x, n)?;
    let tail = confidence.alpha() / 2.0;
    let lo =
        if x == 0.0 { 0.0 } else { special::beta_quantile(x + prior, n - x + 1.0 - prior, tail) };
    let hi = if x == n {
        1.0
    } else {
        special::beta_quantile(x + 1.0 - prior, n - x + prior, 1.0 - tail)
    };
    Some(Interval::within_unit(lo, hi))
}

/// The two-sided p-value of `first` against `second` wins under a fair coin,
/// `min(1, 2 P(Bin(m, ½) >= max))` with `m = first + second`: the sign test.
/// Draws are left out by the caller. 1 when there is nothing to test.
pub fn sign_test(first: u64, second: u64) -> f64 {
    let (more, fewer) = (first.max(second), first.min(second));
    // With one more on a side the tail is a half exactly.
    if more - fewer <= 1 {
        return 1.0;
    }
    // P(Bin(m, ½) >= more) = I_½(more, fewer + 1).
    let tail = special::beta_inc(more as f64, fewer as f64 + 1.0, 0.5).0;
    (2.0 * tail).min(1.0)
}

fn checked(successes: f64, trials: f64) -> Option<(f64, f64)> {
    let fits = trials.is_finite() && trials > 0.0 && (0.0..=trials).contains(&successes);
    fits.then_some((successes, trials))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_at_the_edges() {
        let z2 = Confidence::P95.z().powi(2);
        let none = wilson(0.0, 10.0, Confidence::P95).unwrap();
        assert_eq!(none.lo, 0.0);
        assert!((none.hi - z2 / (10.0 + z2)).abs() < 1e-15);
        assert_eq!(wilson(10.0, 10.0, Confidence::P95).unwrap().hi, 1.0);
        assert_eq!(wilson(0.0, 0.0, Confidence::P95), None);
        assert_eq!(wilson(2.0, 1.0, Confidence::P95), None);
        assert_eq!(wilson(f64::NAN, 1.0, Confidence::P95), None);
    }

    #[test]
    fn clopper_pearson_at_the_edges_in_closed_form() {
        let none = clopper_pearson(0.0, 10.0, Confidence::P95).unwrap();
        assert_eq!(none.lo, 0.0);
        assert!((none.hi - (1.0 - 0.025_f64.powf(0.1))).abs() < 1e-12);
        assert_eq!(clopper_pearson(1.0, 0.0, Confidence::P95), None);
    }

    #[test]
    fn the_two_beta_intervals_are_nested_and_finite() {
        let million = (1u64 << 20) as f64;
        for (x, n) in
            [(0.0, 1.0), (0.5, 1.0), (7.0, 20.0), (3e5, million), (5e9, 1e10), (1.0, 1e18)]
        {
            let wide = clopper_pearson(x, n, Confidence::P95).unwrap();
            let narrow = jeffreys(x, n, Confidence::P95).unwrap();
            assert!(wide.lo <= narrow.lo && narrow.hi <= wide.hi, "{x} of {n}");
            assert!(narrow.contains(x / n), "{x} of {n}");
        }
    }

    #[test]
    fn sign_test_by_hand() {
        assert_eq!(sign_test(0, 0), 1.0);
        assert_eq!(sign_test(7, 7), 1.0);
        assert!((sign_test(10, 0) - 2.0 / 1024.0).abs() < 1e-15);
        assert!((sign_test(3, 6) - 0.5078125).abs() < 1e-12);
        assert_eq!(sign_test(3, 6), sign_test(6, 3));
    }

    #[test]
    fn sign_test_of_huge_counts_is_finite() {
        assert!((0.0..=1e-100).contains(&sign_test(u64::MAX, 0)));
        let level = sign_test(u64::MAX, u64::MAX - 1);
        assert!((0.99..=1.0).contains(&level));
    }
}
