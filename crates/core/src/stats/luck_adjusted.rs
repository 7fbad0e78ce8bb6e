//! Scores without luck: means, intervals, and what the adjustment is worth.
//!
//! The luck of a sample has mean 0, so the score minus the luck estimates the same expected score. It
//! is a real number that may be outside `[0, 1]`, so the exact intervals for scores do not apply.

use std::f64::consts::LN_2;

use super::asymptotic_sequence;
use super::score_interval::Interval;
use crate::stats::numerics::confidence_level::Confidence;
use crate::stats::numerics::students_t;

/// Scores of one agent with and without luck, over the same samples: opening pairs, or games if the
/// seats are fixed. The memory does not grow with the number of samples.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LuckAdjusted {
    samples: u64,
    raw: Moments,
    adjusted: Moments,
}

/// Sums of powers of the distances from ½.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Moments([f64; 3]);

/// Standard deviations below this are rounding errors of the nine digits in `games.csv`.
const ROUNDING: f64 = 1e-8;
/// The asymptotic confidence sequence is narrowest at about this number of samples.
const NARROWEST: f64 = 500.0;
/// The asymptotic confidence sequence begins with this number of samples.
const FEWEST: u64 = 20;
/// An asymptotic e-value begins with this number of samples: with fewer, rare and large mistakes of
/// an agent may be missing, and then the standard deviation is too small.
const FEWEST_FOR_E_VALUE: u64 = 50;

impl LuckAdjusted {
    /// Adds a sample: its score from 0 to 1 and its luck, both means over its games.
    pub fn add(&mut self, score: f64, luck: f64) {
        self.samples += 1;
        self.raw.add(score);
        self.adjusted.add(score - luck);
    }

    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// The mean score without luck; it may be outside `[0, 1]`. `None` without samples.
    pub fn mean(&self) -> Option<f64> {
        self.adjusted.mean(self.samples)
    }

    /// The mean score with luck. `None` without samples.
    pub fn raw_mean(&self) -> Option<f64> {
        self.raw.mean(self.samples)
    }

    /// The variance of a sample without luck. `None` with fewer than two samples.
    pub fn variance(&self) -> Option<f64> {
        self.adjusted.variance(self.samples)
    }

    /// The share of the variance that the adjustment removes, at most 1 and negative if it adds
    /// variance. `None` if the scores with luck do not vary.
    pub fn removed(&self) -> Option<f64> {
        let raw = self.raw.variance(self.samples).filter(|raw| *raw > 0.0)?;
        Some(1.0 - self.variance()? / raw)
    }

    /// The number of games with luck that give the precision of one game without it. `None` if the
    /// adjusted scores do not vary.
    pub fn worth(&self) -> Option<f64> {
        Some(self.raw.variance(self.samples)? / self.spread().map(|sigma| sigma * sigma)?)
    }

    /// Student's t interval of the expected score, for a number of samples fixed in advance. If the
    /// scores are skewed, one end is too near. Hall's transformation moves it; the other end stays.
    /// `None` if the adjusted scores do not vary.
    pub fn interval(&self, confidence: Confidence) -> Option<Interval> {
        self.spread()?;
        self.ends(students_t::quantile(confidence, self.samples as f64 - 1.0))
    }

    /// The mean with an interval of this number of standard errors to both sides. Hall's transformation moves the end on
    /// the side to which the scores are skewed.
    fn ends(&self, errors: f64) -> Option<Interval> {
        let (mean, error) = (self.mean()?, self.spread()? / (self.samples as f64).sqrt());
        let skewness = self.skewness();
        let [below, above] = [errors, -errors].map(|t| t.abs().max(skewness.inverse(t).abs()));
        Some(Interval::within_unit(mean - below * error, mean + above * error))
    }

    /// The asymptotic confidence sequence. If the scores are skewed, one end is moved as in
    /// [`LuckAdjusted::interval`]. `None` below 20 samples, and if the adjusted scores do not vary.
    pub fn asymptotic_interval(&self, confidence: Confidence) -> Option<Interval> {
        let n = self.samples as f64;
        let errors = asymptotic_sequence::errors(n, confidence.alpha(), NARROWEST);
        self.spread().filter(|_| self.samples >= FEWEST)?;
        self.ends(errors)
    }

    /// The natural logarithm of the asymptotic e-value against "the expected score is at most
    /// `mean`". It is the largest `ln(1/alpha)` for which the one-sided asymptotic confidence
    /// sequence of the same paper is above `mean`:
    /// `mean score - σ sqrt(2 (tρ²+1) / (t²ρ²) ln(1 + sqrt(tρ²+1) / (2 alpha)))`. The distance from
    /// `mean` is reduced by Hall's transformation, never increased.
    ///
    /// `None` below 50 samples, if the adjusted scores do not vary, and if their mean is not above
    /// `mean`.
    pub fn ln_asymptotic_e_above(&self, mean: f64) -> Option<f64> {
        let n = self.samples as f64;
        let rho = asymptotic_sequence::rho_squared(Confidence::P95.alpha(), NARROWEST);
        let error = self.spread().filter(|_| self.samples >= FEWEST_FOR_E_VALUE)? / n.sqrt();
        let t = (self.mean()? - mean) / error;
        let t = t.min(self.skewness().transformed(t));
        let more = n * rho + 1.0;
        let exponent = n * rho * t * t / (2.0 * more);
        // ln(2 (exp(exponent) - 1) / sqrt(more)), without overflow.
        let ln_e = || LN_2 + exponent + (-(-exponent).exp_m1()).ln() - more.ln() / 2.0;
        (t > 0.0 && exponent > 0.0).then(ln_e)
    }

    /// The same against "the expected score is at least `mean`".
    pub fn ln_asymptotic_e_below(&self, mean: f64) -> Option<f64> {
        self.flipped().ln_asymptotic_e_above(1.0 - mean)
    }

    /// Adds samples of other games.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.samples += other.samples;
        self.raw = self.raw.plus(other.raw, 1.0);
        self.adjusted = self.adjusted.plus(other.adjusted, 1.0);
    }

    /// The samples that were added after `before`.
    pub(crate) fn since(&self, before: &Self) -> Self {
        LuckAdjusted {
            samples: self.samples - before.samples,
            raw: self.raw.plus(before.raw, -1.0),
            adjusted: self.adjusted.plus(before.adjusted, -1.0),
        }
    }

    /// The scores of the opponent.
    pub fn flipped(&self) -> Self {
        let [raw, adjusted] = [self.raw, self.adjusted].map(Moments::flipped);
        LuckAdjusted { raw, adjusted, ..*self }
    }

    /// The number of samples that the t interval needs, because the adjusted scores are skewed:
    /// 25 times the squared skewness (Cochran, Sampling Techniques, 3rd edition, 1977, 2.15).
    /// `None` if there are enough samples.
    pub fn samples_for_skewness(&self) -> Option<u64> {
        self.spread()?;
        let needed = 25.0 * self.adjusted.skewness(self.samples).powi(2);
        (needed > self.samples as f64).then(|| needed.ceil() as u64)
    }

    fn skewness(&self) -> Skewness {
        Skewness(self.adjusted.skewness(self.samples) / (self.samples as f64).sqrt())
    }

    /// The standard deviation of the adjusted scores, if they vary.
    fn spread(&self) -> Option<f64> {
        self.variance().map(f64::sqrt).filter(|sigma| *sigma > ROUNDING)
    }
}

/// The skewness of samples, divided by the square root of their number. It moves the studentized
/// mean, which is nearly normal after the transformation of P. Hall, "On the removal of skewness by
/// transformation", Journal of the Royal Statistical Society B 54, 1992.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Skewness(f64);

impl Skewness {
    /// `t + a t² + a² t³ / 3 + a / 2` with a third of the skewness `a`. It increases with `t`.
    fn transformed(self, t: f64) -> f64 {
        let a = self.0 / 3.0;
        t + a * t * t + a * a * t * t * t / 3.0 + a / 2.0
    }

    /// The value that is transformed to `t`.
    fn inverse(self, t: f64) -> f64 {
        let a = self.0 / 3.0;
        if a.abs() < 1e-9 {
            return t;
        }
        ((1.0 + 3.0 * a * (t - a / 2.0)).cbrt() - 1.0) / a
    }
}

impl Moments {
    fn plus(self, Moments(other): Self, sign: f64) -> Self {
        let [sum, squares, cubes] = self.0;
        Moments([sum + sign * other[0], squares + sign * other[1], cubes + sign * other[2]])
    }

    fn flipped(self) -> Self {
        let [sum, squares, cubes] = self.0;
        Moments([-sum, squares, -cubes])
    }

    fn add(&mut self, score: f64) {
        let from = score - 0.5;
        for (sum, power) in self.0.iter_mut().zip([from, from * from, from * from * from]) {
            *sum += power;
        }
    }

    fn mean(&self, n: u64) -> Option<f64> {
        (n > 0).then(|| 0.5 + self.0[0] / n as f64)
    }

    fn variance(&self, n: u64) -> Option<f64> {
        let (count, [sum, squares, _]) = (n as f64, self.0);
        (n > 1).then(|| ((squares - sum * sum / count) / (count - 1.0)).max(0.0))
    }

    /// The third central moment in units of the standard deviation of these samples, which must vary.
    fn skewness(&self, n: u64) -> f64 {
        let [mean, square, cube] = self.0.map(|sum| sum / n as f64);
        let variance = square - mean * mean;
        (cube - 3.0 * mean * square + 2.0 * mean * mean * mean) / (variance * variance.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(samples: &[(f64, f64)]) -> LuckAdjusted {
        let mut all = LuckAdjusted::default();
        samples.iter().for_each(|&(score, luck)| all.add(score, luck));
        all
    }

    #[test]
    fn a_sample_of_four_by_hand() {
        // Adjusted: 0.6, 0.4, 0.7, 0.5, with mean 0.55 and variance 1/60.
        let four = of(&[(1.0, 0.4), (0.0, -0.4), (1.0, 0.3), (0.5, 0.0)]);
        let near = |a: Option<f64>, b: f64| assert!((a.expect("a value") - b).abs() < 1e-12);
        near(four.mean(), 0.55);
        near(four.raw_mean(), 0.625);
        near(four.variance(), 1.0 / 60.0);
        // The scores 1, 0, 1 and ½ have the variance 0.6875 / 3.
        near(four.removed(), 1.0 - 3.0 / 60.0 / 0.6875);
        near(four.worth(), 0.6875 / 3.0 * 60.0);
        let t = four.interval(Confidence::P95).expect("an interval");
        // Student's quantile for three degrees of freedom is 3.182446305.
        near(Some(t.lo), 0.55 - 3.182_446_305_284_263 * (1.0_f64 / 240.0).sqrt());
        assert_eq!(four.asymptotic_interval(Confidence::P95), None);
    }

    #[test]
    fn the_end_on_the_side_of_the_skewness_is_moved() {
        // Adjusted: 0.5, 0.5, 0.5 and 0.54, with mean 0.51, standard error 0.01 and skewness 2/√3.
        let samples = [(0.5, 0.0), (0.5, 0.0), (0.5, 0.0), (0.5, -0.04)];
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} and {b}");
        let right = of(&samples).interval(Confidence::P95).expect("an interval");
        // Student's quantile is 3.182446305. Hall's transformation of -10.199833232 is -3.182446305.
        near(right.lo, 0.51 - 0.031_824_463_053);
        near(right.hi, 0.51 + 0.101_998_332_317);
        let mirrored = of(&samples.map(|(score, luck)| (score, -luck)));
        let left = mirrored.interval(Confidence::P95).expect("an interval");
        near(left.lo, 1.0 - right.hi);
        near(left.hi, 1.0 - right.lo);
    }

    #[test]
    fn the_asymptotic_sequence_has_its_formula() {
        let mut many = LuckAdjusted::default();
        (0..400).for_each(|i| many.add(f64::from(i % 2), 0.0));
        let sigma = (100.0_f64 / 399.0).sqrt();
        // rho² = (2 ln 20 + ln(2 ln 20) + 1) / 500 = 0.017563.
        let rho = (5.991_464_547_107_98 + 1.790_336_086_8 + 1.0) / 500.0;
        let reach = (2.0 * (400.0 * rho + 1.0) / (160_000.0 * rho)
            * ((400.0 * rho + 1.0_f64).sqrt() / 0.05).ln())
        .sqrt();
        let found = many.asymptotic_interval(Confidence::P95).expect("an interval");
        assert!((found.hi - (0.5 + sigma * reach)).abs() < 1e-9, "{found:?}");
        assert!(found.width() > many.interval(Confidence::P95).expect("an interval").width());
    }

    #[test]
    fn the_asymptotic_e_value_is_the_largest_level_of_the_one_sided_sequence() {
        let mut many = LuckAdjusted::default();
        (0..400).for_each(|i| many.add(f64::from(i % 2), 0.0));
        let ln_e = many.ln_asymptotic_e_above(0.42).expect("above 0.42");
        assert!((ln_e - 4.111_158_808_7).abs() < 1e-9, "{ln_e}");
        let below = many.ln_asymptotic_e_below(0.58).expect("below 0.58");
        assert!((below - ln_e).abs() < 1e-9, "{below}");
        assert_eq!(many.ln_asymptotic_e_above(0.5), None);
        assert_eq!(many.ln_asymptotic_e_below(0.42), None);
        assert!(many.ln_asymptotic_e_above(-1e9).is_some_and(f64::is_finite));
        let mut few = LuckAdjusted::default();
        (0..49).for_each(|i| few.add(f64::from(i % 2), 0.0));
        assert_eq!(few.ln_asymptotic_e_above(0.1), None);
    }

    #[test]
    fn skewness_reduces_the_evidence_on_one_side_only() {
        // 40 scores of 0.1 and 360 of 0.5: mean 0.46, skewness -8/3.
        let mut rare = LuckAdjusted::default();
        (0..400).for_each(|i| rare.add(if i % 10 == 0 { 0.1 } else { 0.5 }, 0.0));
        let near = |a: Option<f64>, b: f64| assert!((a.expect("a value") - b).abs() < 1e-6);
        // The distance from 0.44 is 3.329164 standard errors; transformed, it is 2.838644.
        near(rare.ln_asymptotic_e_above(0.44), 3.148_931_693);
        // Without the reduction, which the other side does not have.
        near(rare.ln_asymptotic_e_below(0.48), 4.495_143_029);
    }

    #[test]
    fn equal_scores_have_no_interval_and_rare_ones_are_skewed() {
        let equal = of(&[(1.0, 0.5 + 1e-10), (0.0, -0.5)]);
        assert_eq!((equal.interval(Confidence::P95), equal.worth()), (None, None));
        assert_eq!(of(&[(1.0, 0.2)]).interval(Confidence::P95), None);
        assert!(equal.removed().is_some_and(|removed| removed > 0.999_999));
        let mut rare = LuckAdjusted::default();
        (0..1000).for_each(|i| rare.add(0.5, if i < 5 { 0.1 } else { 0.0 }));
        assert!(rare.samples_for_skewness().is_some_and(|needed| (4_500..5_500).contains(&needed)));
        assert_eq!(of(&[(1.0, 0.0), (0.0, 0.0)]).samples_for_skewness(), None);
        let none = LuckAdjusted::default();
        assert_eq!((none.mean(), none.removed(), none.samples()), (None, None, 0));
    }
}
