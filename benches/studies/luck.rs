//! Simulates how often verdicts and intervals of scores without luck are wrong at any time: the table
//! of `docs/luck.md`.
//!
//! `cargo bench --bench studies -- luck`

use agon::stats::{Confidence, LuckAdjusted};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

const RUNS: u64 = 4_000;
const MOST_PAIRS: u64 = 2_000;
const MEAN: f64 = 0.5;

/// How the scores of pairs vary around the mean.
#[derive(Clone, Copy)]
enum Law {
    Uniform,
    /// An exponential distribution: skewness 2, with the long end above the mean.
    Exponential,
    /// A share of the pairs loses this number of points by a mistake; the others vary little.
    RareMistake(f64, f64),
}

impl Law {
    fn name(self) -> String {
        match self {
            Law::Uniform => "uniform, skewness 0".to_owned(),
            Law::Exponential => "exponential, skewness 2".to_owned(),
            Law::RareMistake(pairs, points) => {
                format!("one pair in {pairs} loses {points} points, the others vary by 0.02")
            }
        }
    }

    /// A score with the mean [`MEAN`].
    fn score(self, rng: &mut ChaCha8Rng) -> f64 {
        let uniform: f64 = rng.random();
        match self {
            Law::Uniform => MEAN + 0.2 * (uniform - 0.5),
            Law::Exponential => MEAN + 0.1 * (-(1.0 - uniform).ln() - 1.0),
            Law::RareMistake(pairs, points) => {
                let noise = 0.07 * (rng.random::<f64>() - 0.5);
                let lost = if uniform < 1.0 / pairs { points } else { 0.0 };
                MEAN + points / pairs - lost + noise
            }
        }
    }

    /// Whether the interval at any time ever missed the mean, and whether an asymptotic e-value of a
    /// side whose hypothesis is true ever reached 20.
    fn errors(self, seed: u64) -> [bool; 2] {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut scores = LuckAdjusted::default();
        let mut wrong = [false; 2];
        for _ in 0..MOST_PAIRS {
            scores.add(self.score(&mut rng), 0.0);
            let interval = scores.asymptotic_interval(Confidence::P95);
            wrong[0] |= interval.is_some_and(|ends| ends.lo > MEAN || ends.hi < MEAN);
            let above = scores.ln_asymptotic_e_above(MEAN).unwrap_or(0.0);
            wrong[1] |= above >= 20.0_f64.ln();
        }
        wrong
    }
}

pub fn run(_: &[String]) {
    println!("| scores of pairs | interval at any time misses | wrong verdict at 5 % |");
    println!("| --- | ---: | ---: |");
    for law in [
        Law::Uniform,
        Law::Exponential,
        Law::RareMistake(20.0, 0.5),
        Law::RareMistake(100.0, 0.5),
        Law::RareMistake(200.0, 0.5),
        Law::RareMistake(500.0, 0.5),
    ] {
        let all: Vec<[bool; 2]> =
            (0..RUNS).into_par_iter().map(|seed| law.errors(11_000_000 + seed)).collect();
        let share = |i: usize| {
            let wrong = all.iter().filter(|errors| errors[i]).count();
            format!("{:.1} %", 100.0 * wrong as f64 / RUNS as f64)
        };
        println!("| {} | {} | {} |", law.name(), share(0), share(1));
    }
}
