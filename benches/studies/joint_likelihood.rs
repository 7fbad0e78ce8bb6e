//! Compares the bets of `format = "best"` with the likelihood of all games in one Bradley-Terry
//! model: how many games each needs to eliminate all agents but the best. Both are e-values, so the
//! error is the same (`docs/formats.md`).
//!
//! `cargo bench --bench studies -- joint_likelihood`

use agon::rounds::adaptive_rounds::AdaptiveQuestion;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use crate::adaptive_support::{DRAWS, FIELDS, tournament};

const ALPHA: f64 = 0.05;
const RUNS: u64 = 100;
const MAX_GAMES: u64 = 200_000;

/// The probabilities of loss, draw and win with this difference in nats.
fn results(difference: f64) -> [f64; 3] {
    let score = 1.0 / (1.0 + (-difference).exp());
    let draw = 4.0 * DRAWS * score * (1.0 - score);
    [1.0 - score - draw / 2.0, draw, score - draw / 2.0]
}

/// All results so far: losses, draws and wins of each agent against each other.
struct Games(Vec<Vec<[f64; 3]>>);

impl Games {
    /// The greatest log likelihood if no agent is better than `best`. `strengths`, in nats, are the
    /// point from which the search starts, and its result.
    fn greatest_if_best(&self, best: usize, strengths: &mut [f64]) -> f64 {
        let mut before = f64::MIN;
        loop {
            for agent in (0..strengths.len()).filter(|&agent| agent != best) {
                let (mut slope, mut information) = (0.0, 1e-12);
                for (other, counts) in self.0[agent].iter().enumerate() {
                    let difference = strengths[agent] - strengths[other];
                    let p = results(difference);
                    for (result, count) in counts.iter().enumerate() {
                        let step = 1e-5;
                        let change = results(difference + step)[result].ln() - p[result].ln();
                        slope += count * change / step;
                        let all: f64 = counts.iter().sum();
                        information += all * p[result] * (change / step).powi(2);
                    }
                }
                let step = (slope / information).clamp(-1.0, 1.0);
                strengths[agent] = (strengths[agent] + step).clamp(-12.0, 0.0);
            }
            let now = self.ln_likelihood(strengths);
            if now - before < 1e-7 {
                return now.max(before);
            }
            before = now;
        }
    }

    fn ln_likelihood(&self, strengths: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (a, opponents) in self.0.iter().enumerate() {
            for (b, counts) in opponents.iter().enumerate().skip(a + 1) {
                let p = results(strengths[a] - strengths[b]);
                sum += counts.iter().zip(p).map(|(count, p)| count * p.ln()).sum::<f64>();
            }
        }
        sum
    }
}

/// A normal distribution of the strengths in nats, which predicts games and learns from them.
struct Belief {
    mean: Vec<f64>,
    covariance: Vec<Vec<f64>>,
}

impl Belief {
    /// The log probability of the result of a game, as predicted before it.
    fn learn(&mut self, a: usize, b: usize, result: usize) -> f64 {
        let gain: Vec<f64> = self.covariance.iter().map(|row| row[a] - row[b]).collect();
        let (mean, variance) = (self.mean[a] - self.mean[b], gain[a] - gain[b]);
        let (mut all, mut p, mut first, mut second) = (0.0, 0.0, 0.0, 0.0);
        for step in -20..=20 {
            let deviation = f64::from(step) / 4.0;
            let weight = (-deviation * deviation / 2.0).exp();
            let likely = weight * results(mean + variance.sqrt() * deviation)[result];
            all += weight;
            p += likely;
            first += likely * deviation;
            second += likely * deviation * deviation;
        }
        let (first, second) = (first / p, second / p);
        let narrower = (second - first * first - 1.0) / variance;
        for (i, row) in self.covariance.iter_mut().enumerate() {
            self.mean[i] += gain[i] * first / variance.sqrt();
            row.iter_mut().zip(&gain).for_each(|(cell, other)| *cell += gain[i] * other * narrower);
        }
        (p / all).ln()
    }
}

/// The number of games until the joint likelihood leaves one agent, and whether it eliminated the
/// best one.
fn simulate(strengths: &[f64], seed: u64) -> (u64, bool) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut strengths: Vec<f64> =
        strengths.iter().map(|elo| elo * std::f64::consts::LN_10 / 400.0).collect();
    let agents = strengths.len();
    (1..agents).for_each(|last| strengths.swap(last, rng.random_range(0..=last)));
    let diagonal = |a: usize| (0..agents).map(|b| f64::from(u8::from(a == b))).collect();
    let covariance = (0..agents).map(diagonal).collect();
    let mut belief = Belief { mean: vec![0.0; agents], covariance };
    let mut all = Games(vec![vec![[0.0; 3]; agents]; agents]);
    let mut nulls = vec![vec![0.0; agents]; agents];
    let mut survivors: Vec<usize> = (0..agents).collect();
    let (mut games, mut predicted, mut wrong) = (0_u64, 0.0, false);
    while survivors.len() > 1 && games < MAX_GAMES {
        let higher = |a: &&usize, b: &&usize| belief.mean[**a].total_cmp(&belief.mean[**b]);
        let leader = *survivors.iter().max_by(higher).expect("two survivors");
        let others: Vec<usize> = survivors.iter().copied().filter(|&one| one != leader).collect();
        let round = 2 * (games / 20).div_ceil(others.len() as u64).max(4);
        for &other in &others {
            let [loss, draw, _] = results(strengths[leader] - strengths[other]);
            for _ in 0..round {
                let lot: f64 = rng.random();
                let result = usize::from(lot >= loss) + usize::from(lot >= loss + draw);
                predicted += belief.learn(leader, other, result);
                all.0[leader][other][result] += 1.0;
                all.0[other][leader][2 - result] += 1.0;
            }
            games += round;
        }
        for &other in &others {
            let ln_e = predicted - all.greatest_if_best(other, &mut nulls[other]);
            if ln_e >= (1.0 / ALPHA).ln() {
                survivors.retain(|&one| one != other);
                wrong |= strengths.iter().all(|&one| one <= strengths[other]);
            }
        }
    }
    (games, wrong)
}

pub fn run(_: &[String]) {
    println!("| field | bets: mean games | joint likelihood: mean games | wrong |");
    println!("| --- | ---: | ---: | ---: |");
    for (name, strengths) in &FIELDS[..4] {
        let bets = |seed| tournament(AdaptiveQuestion::Best, strengths, MAX_GAMES, seed).games;
        let bets: Vec<u64> = (0..RUNS).into_par_iter().map(bets).collect();
        let joint: Vec<(u64, bool)> =
            (0..RUNS).into_par_iter().map(|seed| simulate(strengths, seed)).collect();
        println!(
            "| {name} | {:.0} | {:.0} | {} of {RUNS} |",
            bets.iter().sum::<u64>() as f64 / RUNS as f64,
            joint.iter().map(|run| run.0).sum::<u64>() as f64 / RUNS as f64,
            joint.iter().filter(|run| run.1).count(),
        );
    }
}
