//! Special functions with nearly full floating-point precision.
//!
//! `libm` gives `erfc` and `lgamma` to a few units in the last place. The normal distribution of
//! `statrs` is accurate only to 1e-11 and is used here only for a starting point.

use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2};

use statrs::distribution::{ContinuousCDF, Normal};

/// The standard normal distribution function `Φ(x)`, in `[0, 1]`, accurate far into the lower
/// tail.
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

fn normal_density(x: f64) -> f64 {
    (-0.5 * x * x).exp() / (SQRT_2 * PI.sqrt())
}

/// The quantile of the standard normal distribution for probability `p`; `p` is clamped to
/// `[1e-300, 1 - 1e-16]`.
pub fn normal_quantile(p: f64) -> f64 {
    let p = p.clamp(1e-300, 1.0 - 1e-16);
    if p == 0.5 {
        return 0.0;
    }
    let mut x = Normal::standard().inverse_cdf(p);
    // Two Newton steps with the accurate Φ, on the tail that keeps its precision.
    for _ in 0..2 {
        let density = normal_density(x);
        if density > 0.0 {
            let excess = if x > 0.0 { (1.0 - p) - normal_cdf(-x) } else { normal_cdf(x) - p };
            x -= excess / density;
        }
    }
    x
}

/// The probability that a chi-square variable with `df >= 1` degrees of freedom exceeds `x >= 0`.
///
/// DLMF 8.4.6 and 8.4.10 with the recurrence 8.8.6, which has positive terms only.
pub(crate) fn chi_square_tail(x: f64, df: usize) -> f64 {
    let half = x / 2.0;
    let odd = df % 2 == 1;
    let (mut tail, mut term, mut at) = if odd {
        let term = 2.0 * (half / PI).sqrt() * (-half).exp();
        (libm::erfc(half.sqrt()), term, 0.5)
    } else {
        ((-half).exp(), half * (-half).exp(), 1.0)
    };
    for _ in 1..df.div_ceil(2) {
        tail += term;
        at += 1.0;
        term *= half / at;
    }
    tail
}

/// The probability that a variable with the F distribution of `df` and `below` degrees of freedom
/// exceeds `f >= 0`: Abramowitz & Stegun 26.6.2. From a million degrees below on it is the
/// chi-square distribution.
pub(crate) fn f_tail(f: f64, df: usize, below: f64) -> f64 {
    let above = df as f64;
    if below >= 1e6 {
        return chi_square_tail(above * f, df);
    }
    beta_inc(above / 2.0, below / 2.0, above * f / (above * f + below)).1
}

/// The deviance `x ln(x / m) + m - x` without cancellation if `x` is close to `m`; `x >= 0`,
/// `m > 0`.
///
/// C. Loader, "Fast and Accurate Computation of Binomial Probabilities" (2000).
fn deviance(x: f64, m: f64) -> f64 {
    if x == 0.0 {
        return m;
    }
    let v = (x - m) / (x + m);
    if v.abs() >= 0.1 {
        return x * (x / m).ln() + m - x;
    }
    // x ln(x/m) + m - x = (x - m) v + 2 x (v^3/3 + v^5/5 + ..)
    let mut sum = (x - m) * v;
    let mut power = 2.0 * x * v;
    for odd in (3..).step_by(2) {
        power *= v * v;
        let next = sum + power / f64::from(odd);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// The error of Stirling's formula: `ln Γ(x+1) - ((x+½) ln x - x + ½ ln 2π)`.
fn stirling_error(x: f64) -> f64 {
    if x < 16.0 {
        let stirling = (x + 0.5) * x.ln() - x + 0.5 * (2.0 * PI).ln();
        return libm::lgamma(x + 1.0) - stirling;
    }
    let r = 1.0 / (x * x);
    (1.0 / 12.0 - r * (1.0 / 360.0 - r * (1.0 / 1260.0 - r * (1.0 / 1680.0 - r / 1188.0)))) / x
}

/// `ln` of `Γ(a+b+1) / (Γ(a+1) Γ(b+1)) x^a (1-x)^b`, the binomial probability of `a` successes and
/// `b` failures for real `a` and `b`. `x` and `y = 1 - x` are separate arguments to keep the
/// precision of the smaller.
pub(crate) fn ln_binomial(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if a == 0.0 {
        return b * y.ln();
    }
    if b == 0.0 {
        return a * x.ln();
    }
    let n = a + b;
    let correction = stirling_error(n) - stirling_error(a) - stirling_error(b);
    correction - deviance(a, n * x) - deviance(b, n * y) + 0.5 * (n / (2.0 * PI * a * b)).ln()
}

/// The regularized incomplete beta function `I_x(a, b)` and its complement, for `a, b > 0` and `x`
/// in `[0, 1]`. Both parts keep their relative precision.
///
/// It uses DLMF 8.17.7 (the series of positive terms) on the side below the mean. If both
/// parameters exceed 1e8, it uses the uniform expansion DLMF 8.18.9.
pub fn beta_inc(a: f64, b: f64, x: f64) -> (f64, f64) {
    let y = 1.0 - x;
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    if y <= 0.0 {
        return (1.0, 0.0);
    }
    if x * (a + b) <= a {
        let low = beta_tail(a, b, x, y).clamp(0.0, 1.0);
        (low, 1.0 - low)
    } else {
        let high = beta_tail(b, a, y, x).clamp(0.0, 1.0);
        (1.0 - high, high)
    }
}

/// `I_x(a, b)` for `x` at or below the mean `a / (a + b)`.
fn beta_tail(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if a.min(b) > 1e8 {
        return beta_tail_uniform(a, b, x, y);
    }
    // The approximate number of terms of the series. It is large only if `a` is huge and `b` is
    // not, and then the series of the other tail is short.
    let terms = (40.0 * a / (a + 1.0 - x * (a + b))).min((80.0 * a / y).sqrt());
    if terms > 1e6 { 1.0 - beta_series(b, a, y, x) } else { beta_series(a, b, x, y) }
}

/// `I_x(a, b)` by the series of positive terms
/// `x^a y^b / (a B(a, b)) (1 + (a+b)/(a+1) x + (a+b)(a+b+1)/((a+1)(a+2)) x² + ..)`.
fn beta_series(a: f64, b: f64, x: f64, y: f64) -> f64 {
    // x^a y^b / (a B(a, b)) = binomial(a, b) b / (a + b).
    let ln_scale = ln_binomial(a, b, x, y) + (b / (a + b)).ln();
    let (mut sum, mut term, mut i) = (1.0, 1.0, 0.0);
    if ln_scale < -700.0 {
        // The result underflows on this side or on the other.
        return if x * (a + b) <= a { 0.0 } else { 1.0 };
    }
    loop {
        let factor = x * (a + b + i) / (a + 1.0 + i);
        term *= factor;
        sum += term;
        i += 1.0;
        // The remaining terms are below a geometric series with this factor.
        if term <= 1e-17 * sum * (1.0 - factor).max(1e-12) {
            return ln_scale.exp() * sum;
        }
    }
}

/// `I_x(a, b)` for large parameters, DLMF 8.18.9 with its first coefficient.
fn beta_tail_uniform(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let n = a + b;
    let half_square = deviance(a, n * x) + deviance(b, n * y);
    let eta = (2.0 * half_square / n).sqrt();
    let (p, q) = (a / n, b / n);
    // Below the mean η is negative: c = 1/η - sqrt(p q) / (x - p).
    let coefficient = if eta < 1e-5 {
        (1.0 - 2.0 * p) / (3.0 * (p * q).sqrt())
    } else {
        (p * q).sqrt() / (p - x) - 1.0 / eta
    };
    let density = (-half_square).exp() / (2.0 * PI * n).sqrt();
    0.5 * libm::erfc(half_square.sqrt()) + density * coefficient
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The 5 % points of the tables of the F distribution.
    #[test]
    fn f_tails_of_the_tables() {
        for (f, df, below) in [(4.9646, 1, 10.0), (3.0984, 3, 20.0), (2.0986, 6, 1e7)] {
            close(f_tail(f, df, below), 0.05, 2e-4);
        }
    }

    fn close(got: f64, want: f64, relative: f64) {
        assert!(((got - want) / want).abs() < relative, "got {got:e}, want {want:e}");
    }

    #[test]
    fn normal_tails() {
        close(normal_cdf(-1.0), 0.15865525393145705, 1e-14);
        close(normal_cdf(-10.0), 7.619853024160526e-24, 1e-13);
        close(normal_quantile(0.975), 1.959963984540054, 1e-15);
        close(normal_quantile(1e-20), -9.262340089798408, 1e-13);
    }

    #[test]
    fn incomplete_beta_in_closed_form() {
        for x in [1e-9, 0.1, 0.5, 0.9, 1.0 - 1e-9] {
            close(beta_inc(1.0, 1.0, x).0, x, 1e-13);
            close(beta_inc(3.0, 1.0, x).0, x.powi(3), 1e-13);
            close(beta_inc(1.0, 3.0, x).1, (1.0 - x).powi(3), 1e-13);
            let arcsine = 2.0 / PI * x.sqrt().asin();
            close(beta_inc(0.5, 0.5, x).0, arcsine, 1e-11);
        }
    }

    #[test]
    fn incomplete_beta_is_symmetric_for_large_parameters() {
        for n in [1e3, 1e6, 9e7, 2e8, 1e12, 1e18] {
            close(beta_inc(n, n, 0.5).0, 0.5, 1e-9);
        }
    }

    #[test]
    fn the_two_methods_agree_where_they_meet() {
        for (p, sd) in [(0.5, 1.0), (0.3, 3.0), (0.9, 6.0), (0.2, 0.01)] {
            let n: f64 = 1e10;
            let (a, b) = (n * p, n * (1.0 - p));
            let x = p - sd * (p * (1.0 - p) / n).sqrt();
            let scale = (ln_binomial(a, b, x, 1.0 - x) + (b / n).ln()).exp();
            let mut sum = 1.0;
            let mut term = 1.0;
            let mut i = 0.0;
            while term > 1e-18 * sum {
                term *= x * (n + i) / (a + 1.0 + i);
                sum += term;
                i += 1.0;
            }
            close(beta_tail_uniform(a, b, x, 1.0 - x), scale * sum, 1e-8);
        }
    }

    #[test]
    fn deviance_near_equality_keeps_its_digits() {
        // (x - m)^2 / (2 m) to leading order.
        close(deviance(1e18 + 1e9, 1e18), 0.5, 1e-8);
        assert_eq!(deviance(7.0, 7.0), 0.0);
    }
}
