//! A sequential test of samples between 0 and 1, such as the mean scores of groups of games.
//!
//! Two capitals bet: one against "the mean is at most `s0`", which each sample `x` multiplies by
//! `1 + b (x - s0)`, and one against "the mean is at least `s1`", by `1 + b (s1 - x)`. If its hypothesis
//! is true, a capital ever reaches `1/alpha` with probability at most `alpha` (Ville), whatever the
//! distribution of the samples is. The bet `b = (s1 - s0) / v`, with the variance `v` of the samples before,
//! makes a capital grow as fast as the likelihood ratio of the SPRT.

use super::super::elo;
use super::running_sprt::SprtVerdict;
use super::sprt_design::Design;

/// A running test.
#[derive(Clone, Debug, PartialEq)]
pub struct BettingTest {
    /// The mean scores of both hypotheses.
    scores: [f64; 2],
    ln_bounds: [f64; 2],
    /// The logarithms of the capitals against H0 and against H1.
    ln_capitals: [f64; 2],
    samples: u64,
    sum: f64,
    sum_of_squares: f64,
    verdict: Option<SprtVerdict>,
    /// The samples after the verdict.
    overrun: u64,
}

/// The samples of the expected variance that are counted before the first sample.
const EXPECTED: f64 = 4.0;
/// The largest share of a capital that a sample can lose.
const LARGEST_LOSS: f64 = 0.9;

impl BettingTest {
    /// A test of the hypotheses of this design, in logistic Elo, with its error rates.
    pub fn new(design: Design) -> Self {
        let settings = design.settings();
        Self {
            scores: [settings.elo0, settings.elo1].map(elo::to_score),
            ln_bounds: [settings.alpha, settings.beta].map(|error| -error.ln()),
            ln_capitals: [0.0; 2],
            samples: 0,
            sum: 0.0,
            sum_of_squares: 0.0,
            verdict: None,
            overrun: 0,
        }
    }

    /// Adds the next sample, in [0, 1]. Samples after the verdict are only counted.
    pub fn add(&mut self, score: f64) {
        if self.verdict.is_some() {
            self.overrun += 1;
            return;
        }
        let [s0, s1] = self.scores;
        let bet = (s1 - s0) / self.variance();
        self.ln_capitals[0] += (bet.min(LARGEST_LOSS / s0) * (score - s0)).ln_1p();
        self.ln_capitals[1] += (bet.min(LARGEST_LOSS / (1.0 - s1)) * (s1 - score)).ln_1p();
        self.samples += 1;
        self.sum += score;
        self.sum_of_squares += score * score;
        self.verdict = if self.ln_capitals[0] >= self.ln_bounds[0] {
            Some(SprtVerdict::AcceptH1)
        } else if self.ln_capitals[1] >= self.ln_bounds[1] {
            Some(SprtVerdict::AcceptH0)
        } else {
            None
        };
    }

    /// The variance of the samples so far and of those that were expected.
    fn variance(&self) -> f64 {
        let [s0, s1] = self.scores;
        let middle = f64::midpoint(s0, s1);
        let n = self.samples as f64;
        let squares = (self.sum_of_squares - self.sum * self.sum / n.max(1.0)).max(0.0);
        (EXPECTED * middle * (1.0 - middle) + squares) / (EXPECTED + n)
    }

    /// The verdict; `None` if no hypothesis is accepted so far.
    pub fn verdict(&self) -> Option<SprtVerdict> {
        self.verdict
    }

    /// The e-values against H0 and against H1.
    pub fn e_values(&self) -> [f64; 2] {
        self.ln_capitals.map(f64::exp)
    }

    /// The number of samples up to the verdict, and of those after it.
    pub fn samples(&self) -> [u64; 2] {
        [self.samples, self.overrun]
    }
}

#[cfg(test)]
mod tests {
    use super::super::SprtSettings;
    use super::*;
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    /// The share of tests that accept H1, and the mean number of samples, for groups of this many games
    /// with this mean score.
    fn tests(score: f64, games: u32, runs: u64) -> (f64, f64) {
        let design = SprtSettings { elo0: 0.0, elo1: 50.0, ..SprtSettings::default() };
        let design = design.check().expect("a design");
        let (mut accepted, mut samples) = (0, 0);
        for seed in 0..runs {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut test = BettingTest::new(design);
            while test.verdict().is_none() {
                let won = (0..games).filter(|_| rng.random::<f64>() < score).count();
                test.add(won as f64 / f64::from(games));
            }
            accepted += u64::from(test.verdict() == Some(SprtVerdict::AcceptH1));
            samples += test.samples()[0];
        }
        (accepted as f64 / runs as f64, samples as f64 / runs as f64)
    }

    #[test]
    fn errors_are_kept_and_groups_need_fewer_samples() {
        let [s0, s1] = [0.0, 50.0].map(elo::to_score);
        let (wrong, games) = tests(s0, 1, 1_000);
        assert!(wrong <= 0.05, "{wrong}");
        let (right, _) = tests(s1, 1, 1_000);
        assert!(right >= 0.95, "{right}");
        // The SPRT needs 253 games on average: ((1 - α) B + α A) 2v / (s1 - s0)².
        assert!((200.0..320.0).contains(&games), "{games}");
        let (wrong, groups) = tests(s0, 8, 1_000);
        assert!(wrong <= 0.05, "{wrong}");
        assert!(groups < games / 5.0, "{groups} groups of 8, {games} games");
    }

    #[test]
    fn the_first_verdict_stays() {
        let design = SprtSettings { elo0: 0.0, elo1: 100.0, ..SprtSettings::default() };
        let mut test = BettingTest::new(design.check().expect("a design"));
        (0..100).for_each(|_| test.add(1.0));
        assert_eq!(test.verdict(), Some(SprtVerdict::AcceptH1));
        let [samples, after] = test.samples();
        assert!(samples < 12 && samples + after == 100, "{samples}");
        (0..1_000).for_each(|_| test.add(0.0));
        assert_eq!(test.verdict(), Some(SprtVerdict::AcceptH1));
    }
}
