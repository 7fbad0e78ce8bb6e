//! Scores without luck: means, intervals, and what the adjustment is worth.
//!
//! The luck of a sample has mean 0, so the score minus the luck estimates the same expected score. It
//! is a real number that may be outside `[0, 1]`, so the exact intervals for scores do not apply.

use super::confidence_level::Confidence;
use super::score_interval::Interval;
use super::students_t;

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

impl LuckAdjusted {
    /// Adds a sample: its score from 0 to 1 and its luck, both means over its games.
    pub fn add(&mut self, score: f64, luck: f64) {
        self.samples += 1;
        self.raw.add(score);
        self.adjusted.add(score - luck);
    }

    /// Number of samples.
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
    /// scores are skewed, one end is too near. It is moved by the skewness correction of N. J.
    /// Johnson, "Modified t tests and confidence intervals for asymmetrical populations", JASA 73,
    /// 1978; the other end stays. `None` if the adjusted scores do not vary.
    pub fn interval(&self, confidence: Confidence) -> Option<Interval> {
        let (n, mean) = (self.samples as f64, self.mean()?);
        let (error, t) = (self.spread()? / n.sqrt(), students_t::quantile(confidence, n - 1.0));
        let skewness = self.adjusted.skewness(self.samples);
        let shift = error * skewness * (1.0 + 2.0 * t * t) / (6.0 * n.sqrt());
        let (low, high) = (mean - t * error + shift.min(0.0), mean + t * error + shift.max(0.0));
        Some(Interval::within_unit(low, high))
    }

    /// The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas
    /// (Annals of Statistics 52, 2024, theorem 2.2): an interval for any stopping time, valid in
    /// the limit of many samples. `None` below 20 samples, and if the adjusted scores do not vary.
    pub fn asymptotic_interval(&self, confidence: Confidence) -> Option<Interval> {
        let (n, alpha) = (self.samples as f64, confidence.alpha());
        // Their choice for a sequence that is narrowest at a given number of samples.
        let rho = (-2.0 * alpha.ln() + (-2.0 * alpha.ln()).ln() + 1.0) / NARROWEST;
        let more = n * rho + 1.0;
        let reach = (2.0 * more / (n * n * rho) * (more.sqrt() / alpha).ln()).sqrt();
        let reach = self.spread().filter(|_| self.samples >= FEWEST)? * reach;
        let mean = self.mean()?;
        Some(Interval::within_unit(mean - reach, mean + reach))
    }

    /// The number of samples that the t interval needs, because the adjusted scores are skewed:
    /// 25 times the squared skewness (Cochran, Sampling Techniques, 3rd edition, 1977, 2.15).
    /// `None` if there are enough samples.
    pub fn samples_for_skewness(&self) -> Option<u64> {
        self.spread()?;
        let needed = 25.0 * self.adjusted.skewness(self.samples).powi(2);
        (needed > self.samples as f64).then(|| needed.ceil() as u64)
    }

    /// The standard deviation of the adjusted scores, if they vary.
    fn spread(&self) -> Option<f64> {
        self.variance().map(f64::sqrt).filter(|sigma| *sigma > ROUNDING)
    }
}

impl Moments {
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
        // Student's quantile t is 3.182446305, and 0.01 · 2/√3 · (1 + 2t²) / 12 is 0.020453527.
        near(right.lo, 0.51 - 0.031_824_463_053);
        near(right.hi, 0.51 + 0.031_824_463_053 + 0.020_453_527_190);
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
    fn equal_scores_have_no_interval_and_rare_ones_are_skewed() {
        let equal = of(&[(1.0, 0.5 + 1e-10), (0.0, -0.5)]);
        assert_eq!((equal.interval(Confidence::P95), equal.worth()), (None, None));
        assert!(equal.removed().is_some_and(|removed| removed > 0.999_999));
        let mut rare = LuckAdjusted::default();
        (0..1000).for_each(|i| rare.add(0.5, if i < 5 { 0.1 } else { 0.0 }));
        assert!(rare.samples_for_skewness().is_some_and(|needed| (4_500..5_500).contains(&needed)));
        assert_eq!(of(&[(1.0, 0.0), (0.0, 0.0)]).samples_for_skewness(), None);
        let none = LuckAdjusted::default();
        assert_eq!((none.mean(), none.removed(), none.samples()), (None, None, 0));
    }
}
