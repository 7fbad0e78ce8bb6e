//! How often the interval of "moving first" contains the truth if all pairings play the same openings: the table of
//! `docs/formulas.md`.
//!
//! `cargo bench --bench studies -- first_move`

use agon::stats::{Clusters, Confidence, elo};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

const RUNS: u64 = 2_000;
const DRAWS: f64 = 0.3;
/// The mean advantage of moving first, in Elo.
const ADVANTAGE: f64 = 60.0;

/// A number with mean 0 and standard deviation 1 (Box and Muller).
fn normal(rng: &mut ChaCha8Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.random::<f64>()).cos()
}

/// The first player's expected score from openings whose advantages have this spread, in Elo.
fn truth(spread: f64) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for step in -6_000..=6_000 {
        let z = f64::from(step) / 1_000.0;
        let weight = (-0.5 * z * z).exp();
        sum += weight * elo::to_score(ADVANTAGE + spread * z);
        weights += weight;
    }
    sum / weights
}

/// The points of the first player in one game, from 0 to 1.
fn game(expected: f64, rng: &mut ChaCha8Rng) -> f64 {
    let draws = DRAWS * 4.0 * expected * (1.0 - expected);
    match rng.random::<f64>() {
        p if p < draws => 0.5,
        p if p < expected + 0.5 * draws => 1.0,
        _ => 0.0,
    }
}

/// Whether the interval contains the truth: with clusters by opening, and with all pairs as independent samples.
fn covered(agents: u64, openings: u64, spread: f64, truth: f64, seed: u64) -> [bool; 2] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let pairings = agents * (agents - 1) / 2;
    let (mut clusters, mut sum, mut squares) = (Clusters::default(), 0.0, 0.0);
    for _ in 0..openings {
        let expected = elo::to_score(ADVANTAGE + spread * normal(&mut rng));
        let mut of_opening = 0.0;
        for _ in 0..pairings {
            let pair = 0.5 * (game(expected, &mut rng) + game(expected, &mut rng));
            of_opening += pair;
            squares += pair * pair;
        }
        sum += of_opening;
        clusters.add(of_opening / pairings as f64, 2 * pairings);
    }
    let pairs = (pairings * openings) as f64;
    let mean = sum / pairs;
    let reach = 1.96 * ((squares / pairs - mean * mean) / (pairs - 1.0)).sqrt();
    let interval = clusters.interval(Confidence::P95).expect("several openings");
    [interval.lo <= truth && truth <= interval.hi, (mean - truth).abs() <= reach]
}

pub fn run(_: &[String]) {
    println!(
        "| openings differ by | agents | openings | clusters by opening | all pairs as independent |"
    );
    println!("| --- | ---: | ---: | ---: | ---: |");
    for spread in [0.0, 100.0, 400.0, 1_000.0] {
        let truth = truth(spread);
        for agents in [2, 6, 20] {
            for openings in [10, 50, 200] {
                let both: Vec<[bool; 2]> = (0..RUNS)
                    .into_par_iter()
                    .map(|seed| covered(agents, openings, spread, truth, 7_000_000 + seed))
                    .collect();
                let share = |which: usize| {
                    100.0 * both.iter().filter(|run| run[which]).count() as f64 / RUNS as f64
                };
                println!(
                    "| {spread} Elo | {agents} | {openings} | {:.1} % | {:.1} % |",
                    share(0),
                    share(1)
                );
            }
        }
    }
}
