//! Student's t distribution.

use super::confidence_level::Confidence;
use super::special_functions::{beta_inc, normal_cdf};

/// The two-sided p-value of a t statistic with `df > 0` degrees of freedom:
/// `P(|T| >= |t|) = I_{df / (df + t²)}(df / 2, ½)`, Abramowitz & Stegun 26.7.1. Above ten million
/// degrees of freedom it uses the normal distribution, 26.7.8.
pub fn two_sided(t: f64, df: f64) -> f64 {
    if df > 1e7 {
        let z = t.abs() * (1.0 - 0.25 / df) / (1.0 + t * t / (2.0 * df)).sqrt();
        return 2.0 * normal_cdf(-z);
    }
    // In this form also for an infinite t.
    let share = 1.0 / (1.0 + df / (t * t));
    beta_inc(0.5, df / 2.0, share).1
}

/// The half width of a two-sided t interval in standard errors, for `df > 0` degrees of freedom.
pub fn quantile(confidence: Confidence, df: f64) -> f64 {
    let alpha = confidence.alpha();
    let (mut lo, mut hi) = (0.0, confidence.z().max(1.0));
    while two_sided(hi, df) > alpha && hi < 1e150 {
        lo = hi;
        hi *= 2.0;
    }
    loop {
        let middle = lo + (hi - lo) / 2.0;
        if middle <= lo || middle >= hi || hi - lo <= 1e-14 * hi {
            return middle;
        }
        if two_sided(middle, df) > alpha {
            lo = middle;
        } else {
            hi = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_the_tables() {
        for (df, want) in [
            (1.0, 12.706204736174694),
            (2.0, 4.302652729749462),
            (9.0, 2.2621571628540993),
            (30.0, 2.0422724563012373),
            (1000.0, 1.962339080756),
        ] {
            let got = quantile(Confidence::P95, df);
            assert!((got - want).abs() < 1e-9 * want, "{df}: {got}");
        }
    }

    #[test]
    fn one_degree_of_freedom_is_cauchy() {
        let p = two_sided(3.0, 1.0);
        let cauchy = 1.0 - 2.0 / std::f64::consts::PI * 3.0_f64.atan();
        assert!((p - cauchy).abs() < 1e-14);
        assert_eq!(two_sided(0.0, 5.0), 1.0);
        assert_eq!([two_sided(f64::INFINITY, 1.0), two_sided(1e200, 3.0)], [0.0; 2]);
    }

    #[test]
    fn many_degrees_of_freedom_are_normal() {
        let got = quantile(Confidence::P95, 1e15);
        assert!((got - Confidence::P95.z()).abs() < 1e-7, "{got}");
    }
}
