//! The maximum-likelihood distribution of a score, given its counts and its mean.

/// The multinomial distribution with a given mean and the largest likelihood for the observed
/// frequencies.
pub struct MleGivenMean {
    /// The requested mean, in (0, 1).
    pub mean: f64,
    /// The probability of each score; they sum to 1 and have this mean.
    pub probability: Vec<f64>,
    /// The divisor of each observed frequency, `1 + x (a_i - mean)`. It is positive for each
    /// observed score.
    pub divisor: Vec<f64>,
}

impl MleGivenMean {
    /// The distribution with mean `mean` for the observed `frequencies` of the scores
    /// `0, 1/(K-1), .., 1`. The frequencies sum to 1, `0 < mean < 1`.
    ///
    /// M. Van den Bergh, "MLE for the multinomial distribution", proposition 1.1: the solution is
    /// `p_i / (1 + x (a_i - m))` with the one `x` in `(-1/(1-m), 1/m)` for which the mean is `m`.
    /// If an extreme score was not observed, this `x` may not exist. Then `x` is the end of the
    /// range, and the unobserved extreme score gets the missing probability.
    pub fn with_mean(frequencies: &[f64], mean: f64) -> Self {
        let count = frequencies.len();
        let distance: Vec<f64> = (0..count).map(|i| score(i, count) - mean).collect();
        let (divisor, pivot) = divisors(frequencies, &distance);
        let mut probability = frequencies.to_vec();
        divide_seen(&mut probability, &divisor);
        if frequencies[pivot] == 0.0 {
            let seen: f64 = probability.iter().sum();
            probability[pivot] = (1.0 - seen).max(0.0);
        }
        Self { mean, probability, divisor }
    }

    pub fn variance(&self) -> f64 {
        let (p, count) = (&self.probability, self.probability.len());
        sum(count, &|i| p[i] * (score(i, count) - self.mean).powi(2))
    }

    /// The variance of this distribution, or more if the likelihood ratio requires it, as in
    /// [`scatter`].
    pub fn scatter(&self, frequencies: &[f64]) -> f64 {
        let count = frequencies.len();
        let seen = sum(count, &|i| frequencies[i] * i as f64 / (count - 1) as f64);
        lenient(self.variance(), seen - self.mean, frequencies, &self.divisor)
    }
}

/// The score of cell `i` of `count` equally spaced ones, in `[0, 1]`.
pub(crate) fn score(i: usize, count: usize) -> f64 {
    i as f64 / (count - 1) as f64
}

pub(crate) fn sum(count: usize, term: &dyn Fn(usize) -> f64) -> f64 {
    (0..count).map(term).sum()
}

/// Divides the frequencies of the observed cells.
fn divide_seen(frequencies: &mut [f64], divisor: &[f64]) {
    for (p, divisor) in frequencies.iter_mut().zip(divisor).filter(|(p, _)| **p > 0.0) {
        *p /= divisor;
    }
}

/// The larger of two variances: that of the distribution, and the one with which `distance²`
/// divided by it is the likelihood ratio `2 Σ p ln d`. A test with it rejects a distribution only
/// if the score test and the likelihood-ratio test both reject it. Each of them rejects too often
/// for some counts: the score test near scores of 0 and 1, the likelihood-ratio test in the
/// middle.
pub(crate) fn lenient(variance: f64, distance: f64, p: &[f64], divisor: &[f64]) -> f64 {
    let square = distance * distance;
    // At this distance both variances are equal, and the ratio of two small numbers has rounding
    // errors.
    if square <= 1e-14 * variance {
        return variance;
    }
    // If no divisor is 0, the sum of p (d - 1) / d is 0. Its subtraction leaves positive terms.
    let solved = divisor.iter().all(|&d| d > 0.0);
    let term = |d: f64| (d - 1.0).ln_1p() - if solved { (d - 1.0) / d } else { 0.0 };
    let seen = p.iter().zip(divisor).filter(|(p, _)| **p > 0.0);
    let loss: f64 = seen.map(|(p, &d)| p * term(d)).sum();
    if loss > 0.0 { variance.max(square / (2.0 * loss)) } else { variance }
}

/// The variance of the maximum-likelihood distribution under which `f` has mean zero, given the
/// observed frequencies of its values. It is larger if the likelihood ratio of that distribution
/// requires it. If no distribution has mean zero, the result is the mean square of `f`.
pub(crate) fn scatter(frequencies: &[f64], f: &[f64]) -> f64 {
    law(frequencies, f)[2]
}

/// The mean square and the mean cube of `f` under the distribution of [`scatter`].
pub(crate) fn moments(frequencies: &[f64], f: &[f64]) -> [f64; 2] {
    let [square, cube, _] = law(frequencies, f);
    [square, cube]
}

/// Mean square, mean cube and scatter.
fn law(frequencies: &[f64], f: &[f64]) -> [f64; 3] {
    // Equal values are merged, because the divisors need different values.
    let count = f.len();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| f[a].total_cmp(&f[b]));
    let close = 1e-9 * (f[order[count - 1]] - f[order[0]]);
    let (mut seen, mut values) = (vec![0.0; count], vec![0.0; count]);
    let mut at = 0;
    for (place, &i) in order.iter().enumerate() {
        if place > 0 && f[i] - values[at] > close {
            at += 1;
        }
        if seen[at] == 0.0 {
            values[at] = f[i];
        }
        seen[at] += frequencies[i];
    }
    let (mut p, mut divisor) = (seen.clone(), vec![1.0; count]);
    let both = values.iter().any(|&v| v < 0.0) && values.iter().any(|&v| v > 0.0);
    if both {
        let pivot;
        (divisor, pivot) = divisors(&seen, &values);
        divide_seen(&mut p, &divisor);
        if p[pivot] == 0.0 {
            p[pivot] = (1.0 - p.iter().sum::<f64>()).max(0.0);
        }
    }
    let mean = |p: &[f64], power| sum(count, &|i| p[i] * values[i].powi(power));
    let square = mean(&p, 2);
    [square, mean(&p, 3), lenient(square, mean(&seen, 1), &seen, &divisor)]
}

/// The divisors `1 + x f_i` with `Σ p_i f_i / (1 + x f_i) = 0`, none negative, and the cell with
/// the smallest divisor. The `f_i` must have both signs. The equation can have no root only if
/// that cell has `p = 0`; its divisor is 0 then.
pub(crate) fn divisors(p: &[f64], f: &[f64]) -> (Vec<f64>, usize) {
    let sum = sum(f.len(), &|i| p[i] * f[i]);
    // A negative sum needs a negative x, which gives more weight to large f.
    let sign = if sum < 0.0 { 1.0 } else { -1.0 };
    let pivot = (1..f.len()).fold(0, |best, i| if sign * f[i] > sign * f[best] { i } else { best });
    let ratio: Vec<f64> = f.iter().map(|v| v / f[pivot]).collect();
    let w = smallest_divisor(p, &ratio, pivot);
    let mut divisor: Vec<f64> = ratio.iter().map(|r| 1.0 - (1.0 - w) * r).collect();
    divisor[pivot] = w;
    (divisor, pivot)
}

/// The divisor `w` of the pivot in `[0, 1]`. All other divisors are `1 - (1 - w) r_i` with
/// `r_i = f_i / f_pivot <= 1`. `w` is the root of the decreasing function
/// `h(w) = Σ p_i r_i / (1 - (1 - w) r_i)`.
///
/// Solving for `w` instead of `x` keeps the precision of a divisor close to 0.
fn smallest_divisor(p: &[f64], r: &[f64], pivot: usize) -> f64 {
    let top = p[pivot];
    // h and its derivative, both without the pivot term, which is top / w.
    let rest = |w: f64| {
        let (mut h, mut slope) = (0.0, 0.0);
        for i in (0..p.len()).filter(|&i| i != pivot && p[i] > 0.0) {
            let q = r[i] / (1.0 - (1.0 - w) * r[i]);
            h += p[i] * q;
            slope -= p[i] * q * q;
        }
        (h, slope)
    };
    if top == 0.0 && rest(0.0).0 <= 0.0 {
        return 0.0;
    }
    // No probability exceeds 1, so no divisor is below its frequency.
    let (mut lo, mut hi) = (top, 1.0);
    let mut w = lo;
    for _ in 0..200 {
        let (h, slope) = rest(w);
        // A multiplication by w removes the pole, which would slow down Newton's method.
        let (value, slope) = if top > 0.0 { (top + w * h, h + w * slope) } else { (h, slope) };
        if value > 0.0 {
            lo = w;
        } else {
            hi = w;
        }
        let newton = w - value / slope;
        let next = if lo <= newton && newton <= hi { newton } else { lo + (hi - lo) / 2.0 };
        if (next - w).abs() <= 1e-15 * w {
            return next;
        }
        w = next;
    }
    w
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn without_draws_the_mean_says_it_all() {
        let law = MleGivenMean::with_mean(&[0.75, 0.0, 0.25], 0.6);
        assert!((law.probability[0] - 0.4).abs() < 1e-14);
        assert!((law.probability[2] - 0.6).abs() < 1e-14);
        assert!((law.variance() - 0.24).abs() < 1e-14);
    }

    #[test]
    fn an_unseen_extreme_takes_the_missing_mass() {
        let law = MleGivenMean::with_mean(&[0.0, 1.0, 0.0], 0.6);
        for (got, want) in law.probability.iter().zip([0.0, 0.8, 0.2]) {
            assert!((got - want).abs() < 1e-14);
        }
    }

    #[test]
    fn at_the_observed_mean_nothing_changes() {
        let p = [0.1, 0.2, 0.3, 0.15, 0.25];
        let mean: f64 = (0..5).map(|i| p[i] * i as f64 / 4.0).sum();
        let law = MleGivenMean::with_mean(&p, mean);
        for (got, want) in law.probability.iter().zip(p) {
            assert!((got - want).abs() < 1e-12);
        }
    }

    #[test]
    fn the_scatter_of_scores_is_that_of_their_law() {
        let p = [0.1, 0.0, 0.3, 0.6, 0.0];
        for mean in [0.01, 0.3, 0.5, 0.7, 0.999] {
            let want = MleGivenMean::with_mean(&p, mean).scatter(&p);
            let got = scatter(&p, &[0.0, 0.25, 0.5, 0.75, 1.0].map(|score| score - mean));
            assert!((got - want).abs() < 1e-12, "{mean}: {got} {want}");
            // Values in any order, one of them in two parts.
            let (parts, f) = ([0.6, 0.1, 0.1, 0.2, 0.0], [0.75, 0.0, 0.5, 0.5, 1.0]);
            let got = scatter(&parts, &f.map(|f: f64| f - mean));
            assert!((got - want).abs() < 1e-12, "{mean}: {got} {want}");
        }
        assert!((scatter(&[0.5, 0.5], &[1.0, 2.0]) - 2.5).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn the_law_has_the_mean_and_sums_to_one(
            counts in prop::array::uniform5(prop_oneof![Just(0u64), 1u64..9, 1u64..5_000_000_000]),
            mean in prop_oneof![0.001f64..0.999, 1e-9f64..1e-3, 0.999f64..0.999999],
        ) {
            let n: u64 = counts.iter().sum();
            prop_assume!(n > 0);
            let law = MleGivenMean::with_mean(&counts.map(|c| c as f64 / n as f64), mean);
            let total: f64 = law.probability.iter().sum();
            let got: f64 = (0..5).map(|i| law.probability[i] * i as f64 / 4.0).sum();
            prop_assert!(law.probability.iter().all(|p| (0.0..=1.0 + 1e-12).contains(p)));
            prop_assert!((total - 1.0).abs() < 1e-9, "sum {total}");
            prop_assert!((got - mean).abs() < 1e-9, "mean {got}");
        }
    }
}
