//! The maximum-likelihood distribution of a score, given the distance of its mean from one half in
//! standard deviations. Hypotheses in normalized Elo need it.

use super::mle_given_mean::{MleGivenMean, divisors, score, sum};

/// Relative differences of log-likelihood below this value are rounding errors.
const NOISE: f64 = 4.0 * f64::EPSILON;

/// The divisors `d_i` for which `p_i / d_i` is the maximum-likelihood distribution under
/// `(mean - ½) / σ = t`; all are positive. The frequencies must be positive and sum to 1; `t` must
/// be finite.
///
/// M. Van den Bergh, "Normalized Elo" (practical notes): the distribution solves
/// `p_i = p̂_i / (1 + θ φ_i)` with `φ_i = a_i - ½ - ½ t s (1 + ((a_i - c) / s)²)`, where `c` and
/// `s` are its own mean and standard deviation. It is found by fixed-point iteration. The usual
/// start at the uniform distribution fails on lopsided counts. The iteration here is safe for this
/// reason:
///
/// For `t > 0`, `t s/2 (1 + E(a - c)² / s²) >= t σ` for every `c` and `s`, with equality at the
/// distribution's own values. So the distributions *above* `t` are a union of half-spaces
/// `E φ >= 0`, and the iteration climbs within it from any distribution in it. The distributions
/// *below* `t` are an intersection of half-spaces. There the same step goes downhill to the
/// tightest half-space and may have to be shortened.
pub fn divisors_with_t(frequencies: &[f64], t: f64) -> Vec<f64> {
    let observed = moments(frequencies);
    let climbs = (observed.0 - 0.5 - t * observed.1) * t < 0.0;
    let start = if climbs { moments(&with_same_t(frequencies, t).probability) } else { observed };
    let mut at = Round::new(frequencies, t, start);
    for _ in 0..500 {
        let (dc, ds) = (at.mean - at.c, at.sigma - at.s);
        let noise = NOISE * (1.0 + at.value.abs());
        let mut step = 1.0;
        let next = loop {
            let next = Round::new(frequencies, t, (at.c + step * dc, at.s + step * ds));
            let gain = if climbs { next.value - at.value } else { at.value - next.value };
            if (next.feasible && gain >= -noise) || step < 1e-9 {
                break next;
            }
            step *= 0.5;
        };
        let settled = (next.value - at.value).abs() <= noise;
        if next.feasible {
            at = next;
        }
        if settled {
            break;
        }
    }
    at.divisor
}

/// The maximum-likelihood distribution within one half-space.
struct Round {
    c: f64,
    s: f64,
    /// Whether the edge of the half-space separates the scores.
    feasible: bool,
    divisor: Vec<f64>,
    /// Log-likelihood per sample relative to the observed frequencies.
    value: f64,
    mean: f64,
    sigma: f64,
}

impl Round {
    fn new(frequencies: &[f64], t: f64, (c, s): (f64, f64)) -> Self {
        let count = frequencies.len();
        let phi = |i: usize| {
            let a = score(i, count);
            let d = (a - c) / s;
            a - 0.5 - 0.5 * t * s * (1.0 + d * d)
        };
        let phi: Vec<f64> = (0..count).map(phi).collect();
        let feasible = phi.iter().any(|&f| f > 0.0) && phi.iter().any(|&f| f < 0.0);
        let divisor = if feasible { divisors(frequencies, &phi).0 } else { vec![1.0; count] };
        let law: Vec<f64> = (0..count).map(|i| frequencies[i] / divisor[i]).collect();
        let (mean, sigma) = moments(&law);
        let value = -sum(count, &|i| frequencies[i] * divisor[i].ln());
        Self { c, s, feasible, divisor, value, mean, sigma }
    }
}

/// The maximum-likelihood distribution of a mean for which `(mean - ½) / σ` is `t`.
fn with_same_t(frequencies: &[f64], t: f64) -> MleGivenMean {
    let (mut lo, mut hi) = (0.0, 1.0);
    loop {
        let mean = lo + (hi - lo) / 2.0;
        let law = MleGivenMean::with_mean(frequencies, mean);
        if hi - lo < 1e-12 || mean == lo || mean == hi {
            return law;
        }
        if mean - 0.5 < t * law.variance().sqrt() {
            lo = mean;
        } else {
            hi = mean;
        }
    }
}

fn moments(p: &[f64]) -> (f64, f64) {
    let a = |i: usize| score(i, p.len());
    let total: f64 = p.iter().sum();
    let mu = sum(p.len(), &|i| p[i] * a(i)) / total;
    let variance = sum(p.len(), &|i| p[i] * (a(i) - mu).powi(2)) / total;
    (mu, variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    fn residual<const K: usize>(p: &[f64; K], t: f64) -> f64 {
        let d = divisors_with_t(p, t);
        assert!(d.iter().all(|v| v.is_finite() && *v > 0.0), "{p:?} {t} {d:?}");
        let law: [f64; K] = std::array::from_fn(|i| p[i] / d[i]);
        let total: f64 = law.iter().sum();
        let (mu, sigma) = moments(&law);
        (total - 1.0).abs().max(((mu - 0.5) / sigma - t).abs() / (1.0 + t.abs()))
    }

    #[test]
    fn at_the_observed_t_nothing_changes() {
        let p = [0.1, 0.2, 0.3, 0.15, 0.25];
        let (mu, sigma) = moments(&p);
        for d in divisors_with_t(&p, (mu - 0.5) / sigma) {
            assert!((d - 1.0).abs() < 1e-9);
        }
    }

    /// Counts for which solvers that start at the uniform distribution fail: almost all weight in
    /// one or two cells, and distant hypotheses.
    #[test]
    fn no_failure_on_ten_thousand_lopsided_tables() {
        let mut rng = ChaCha8Rng::seed_from_u64(20);
        let mut worst: f64 = 0.0;
        for _ in 0..10_000 {
            let cells: [f64; 5] = std::array::from_fn(|_| match rng.random_range(0..4u32) {
                0 | 1 => 1e-3,
                2 => f64::from(rng.random_range(1..5u32)),
                _ => 10f64.powf(6.0 * rng.random::<f64>()).round(),
            });
            let n: f64 = cells.iter().sum();
            let t = 16.0 * (rng.random::<f64>() - 0.5);
            worst = worst.max(residual(&cells.map(|c| c / n), t));
        }
        assert!(worst < 1e-8, "largest residual {worst:e}");
    }

    /// With three scores, the distributions with a given `t` form a curve, and the test can scan
    /// all of it.
    #[test]
    fn no_law_on_the_whole_curve_is_more_likely() {
        let mut rng = ChaCha8Rng::seed_from_u64(21);
        for _ in 0..300 {
            let cells: [f64; 3] = std::array::from_fn(|_| f64::from(rng.random_range(1..30u32)));
            let n: f64 = cells.iter().sum();
            let p = cells.map(|c| c / n);
            let t = 2.0 * (rng.random::<f64>() - 0.5);
            let d = divisors_with_t(&p, t);
            let reached: f64 = (0..3).map(|i| p[i] * (p[i] / d[i]).ln()).sum();
            for step in 1..10_000 {
                let mu = f64::from(step) / 10_000.0;
                let variance = ((mu - 0.5) / t).powi(2);
                let drawn = 4.0 * (mu - variance - mu * mu);
                let law = [1.0 - drawn / 2.0 - mu, drawn, mu - drawn / 2.0];
                if (mu - 0.5) * t > 0.0 && law.iter().all(|&q| q > 0.0) {
                    let other: f64 = (0..3).map(|i| p[i] * law[i].ln()).sum();
                    assert!(other <= reached + 1e-9, "{cells:?} {t} at {mu}");
                }
            }
        }
    }
}
