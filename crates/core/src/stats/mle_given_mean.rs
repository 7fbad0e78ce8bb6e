//! The maximum-likelihood distribution of a score, given its counts and its mean.

/// The multinomial distribution with a given mean and the largest likelihood for the observed
/// frequencies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constrained<const K: usize> {
    /// The requested mean, in (0, 1).
    pub mean: f64,
    /// The probability of each score; they sum to 1 and have this mean.
    pub probability: [f64; K],
    /// The divisor of each observed frequency, `1 + x (a_i - mean)`. It is positive for each
    /// observed score.
    pub divisor: [f64; K],
}

impl<const K: usize> Constrained<K> {
    /// The distribution with mean `mean` for the observed `frequencies` of the scores
    /// `0, 1/(K-1), .., 1`. The frequencies sum to 1, `0 < mean < 1`.
    ///
    /// M. Van den Bergh, "MLE for the multinomial distribution", proposition 1.1: the solution is
    /// `p_i / (1 + x (a_i - m))` with the one `x` in `(-1/(1-m), 1/m)` for which the mean is `m`.
    /// If an extreme score was not observed, this `x` may not exist. Then `x` is the end of the
    /// range, and the unobserved extreme score gets the missing probability.
    pub fn with_mean(frequencies: &[f64; K], mean: f64) -> Self {
        let distance: [f64; K] = std::array::from_fn(|i| i as f64 / (K - 1) as f64 - mean);
        let (divisor, pivot) = divisors(frequencies, &distance);
        let mut probability = [0.0; K];
        for i in 0..K {
            if frequencies[i] > 0.0 {
                probability[i] = frequencies[i] / divisor[i];
            }
        }
        if frequencies[pivot] == 0.0 {
            let seen: f64 = probability.iter().sum();
            probability[pivot] = (1.0 - seen).max(0.0);
        }
        Self { mean, probability, divisor }
    }

    pub fn variance(&self) -> f64 {
        (0..K).map(|i| self.probability[i] * (i as f64 / (K - 1) as f64 - self.mean).powi(2)).sum()
    }

    /// The variance of this distribution, or more if the likelihood ratio requires it, as in
    /// [`scatter`].
    pub fn scatter(&self, frequencies: &[f64; K]) -> f64 {
        let seen: f64 = (0..K).map(|i| frequencies[i] * i as f64 / (K - 1) as f64).sum();
        lenient(self.variance(), seen - self.mean, frequencies, &self.divisor)
    }
}

/// The larger of two variances: that of the distribution, and the one with which `distance²`
/// divided by it is the likelihood ratio `2 Σ p ln d`. A test with it rejects a distribution only
/// if the score test and the likelihood-ratio test both reject it. Each of them rejects too often
/// for some counts: the score test near scores of 0 and 1, the likelihood-ratio test in the
/// middle.
pub(super) fn lenient<const K: usize>(
    variance: f64,
    distance: f64,
    p: &[f64; K],
    divisor: &[f64; K],
) -> f64 {
    let square = distance * distance;
    // At this distance both variances are equal, and the ratio of two small numbers has rounding
    // errors.
    if square <= 1e-14 * variance {
        return variance;
    }
    // If no divisor is 0, the sum of p (d - 1) / d is 0. Its subtraction leaves positive terms.
    let solved = divisor.iter().all(|&d| d > 0.0);
    let term = |d: f64| (d - 1.0).ln_1p() - if solved { (d - 1.0) / d } else { 0.0 };
    let loss: f64 = (0..K).filter(|&i| p[i] > 0.0).map(|i| p[i] * term(divisor[i])).sum();
    if loss > 0.0 { variance.max(square / (2.0 * loss)) } else { variance }
}

/// The variance of the maximum-likelihood distribution under which `f` has mean zero, given the
/// observed frequencies of its values. It is larger if the likelihood ratio of that distribution
/// requires it. If no distribution has mean zero, the result is the mean square of `f`.
pub(crate) fn scatter<const K: usize>(frequencies: &[f64; K], f: &[f64; K]) -> f64 {
    law(frequencies, f)[2]
}

/// The mean square and the mean cube of `f` under the distribution of [`scatter`].
pub(super) fn moments<const K: usize>(frequencies: &[f64; K], f: &[f64; K]) -> [f64; 2] {
    let [square, cube, _] = law(frequencies, f);
    [square, cube]
}

/// Mean square, mean cube and scatter.
fn law<const K: usize>(frequencies: &[f64; K], f: &[f64; K]) -> [f64; 3] {
    // Equal values are merged, because the divisors need different values.
    let mut order: [usize; K] = std::array::from_fn(|i| i);
    for end in 1..K {
        let mut at = end;
        while at > 0 && f[order[at]] < f[order[at - 1]] {
            order.swap(at, at - 1);
            at -= 1;
        }
    }
    let close = 1e-9 * (f[order[K - 1]] - f[order[0]]);
    let (mut seen, mut values) = ([0.0; K], [0.0; K]);
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
    let (mut p, mut divisor) = (seen, [1.0; K]);
    let both = values.iter().any(|&v| v < 0.0) && values.iter().any(|&v| v > 0.0);
    if both {
        let pivot;
        (divisor, pivot) = divisors(&seen, &values);
        for (p, divisor) in p.iter_mut().zip(divisor).filter(|(p, _)| **p > 0.0) {
            *p /= divisor;
        }
        if p[pivot] == 0.0 {
            p[pivot] = (1.0 - p.iter().sum::<f64>()).max(0.0);
        }
    }
    let mean = |p: &[f64; K], power| (0..K).map(|i| p[i] * values[i].powi(power)).sum::<f64>();
    let square = mean(&p, 2);
    [square, mean(&p, 3), lenient(square, mean(&seen, 1), &seen, &divisor)]
}

/// The divisors `1 + x f_i` with `Σ p_i f_i / (1 + x f_i) = 0`, none negative, and the cell with
/// the smallest divisor. The `f_i` must have both signs. The equation can have no root only if
/// that cell has `p = 0`; its divisor is 0 then.
pub(crate) fn divisors<const K: usize>(p: &[f64; K], f: &[f64; K]) -> ([f64; K], usize) {
    let sum: f64 = (0..K).map(|i| p[i] * f[i]).sum();
    // A negative sum needs a negative x, which gives more weight to large f.
    let sign = if sum < 0.0 { 1.0 } else { -1.0 };
    let pivot = (1..K).fold(0, |best, i| if sign * f[i] > sign * f[best] { i } else { best });
    let ratio = f.map(|v| v / f[pivot]);
    let w = smallest_divisor(p, &ratio, pivot);
    let mut divisor = ratio.map(|r| 1.0 - (1.0 - w) * r);
    divisor[pivot] = w;
    (divisor, pivot)
}

/// The divisor `w` of the pivot in `[0, 1]`. All other divisors are `1 - (1 - w) r_i` with
/// `r_i = f_i / f_pivot <= 1`. `w` is the root of the decreasing function
/// `h(w) = Σ p_i r_i / (1 - (1 - w) r_i)`.
///
/// Solving for `w` instead of `x` keeps the precision of a divisor close to 0.
fn smallest_divisor<const K: usize>(p: &[f64; K], r: &[f64; K], pivot: usize) -> f64 {
    let top = p[pivot];
    // h and its derivative, both without the pivot term, which is top / w.
    let rest = |w: f64| {
        let (mut h, mut slope) = (0.0, 0.0);
        for i in (0..K).filter(|&i| i != pivot && p[i] > 0.0) {
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
        let law = Constrained::with_mean(&[0.75, 0.0, 0.25], 0.6);
        assert!((law.probability[0] - 0.4).abs() < 1e-14);
        assert!((law.probability[2] - 0.6).abs() < 1e-14);
        assert!((law.variance() - 0.24).abs() < 1e-14);
    }

    #[test]
    fn an_unseen_extreme_takes_the_missing_mass() {
        let law = Constrained::with_mean(&[0.0, 1.0, 0.0], 0.6);
        for (got, want) in law.probability.iter().zip([0.0, 0.8, 0.2]) {
            assert!((got - want).abs() < 1e-14);
        }
    }

    #[test]
    fn at_the_observed_mean_nothing_changes() {
        let p = [0.1, 0.2, 0.3, 0.15, 0.25];
        let mean: f64 = (0..5).map(|i| p[i] * i as f64 / 4.0).sum();
        let law = Constrained::with_mean(&p, mean);
        for (got, want) in law.probability.iter().zip(p) {
            assert!((got - want).abs() < 1e-12);
        }
    }

    #[test]
    fn the_scatter_of_scores_is_that_of_their_law() {
        let p = [0.1, 0.0, 0.3, 0.6, 0.0];
        for mean in [0.01, 0.3, 0.5, 0.7, 0.999] {
            let want = Constrained::with_mean(&p, mean).scatter(&p);
            let got = scatter(&p, &std::array::from_fn(|i| i as f64 / 4.0 - mean));
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
            let law = Constrained::with_mean(&counts.map(|c| c as f64 / n as f64), mean);
            let total: f64 = law.probability.iter().sum();
            let got: f64 = (0..5).map(|i| law.probability[i] * i as f64 / 4.0).sum();
            prop_assert!(law.probability.iter().all(|p| (0.0..=1.0 + 1e-12).contains(p)));
            prop_assert!((total - 1.0).abs() < 1e-9, "sum {total}");
            prop_assert!((got - mean).abs() < 1e-9, "mean {got}");
        }
    }
}
