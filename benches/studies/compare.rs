//! How often `agon compare` says that a run is better or worse than another one although nothing
//! changed: runs that were extended, and runs in rounds. The table of `docs/compare.md`.
//!
//! `cargo bench --bench studies -- compare`

use agon::rounds::adaptive_rounds::{
    Adaptive, AdaptiveDesign, AdaptiveQuestion, AdaptiveWeight, PairState,
};
use agon::stats::{Confidence, PairedScores, Pentanomial};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

const RUNS: u64 = 2_000;
const DRAWS: f64 = 0.3;

/// The half points of two games of equal agents, for each opponent and each opening pair.
type Results = Vec<Vec<usize>>;

fn pair(rng: &mut ChaCha8Rng) -> usize {
    let mut game = || match rng.random::<f64>() {
        p if p < DRAWS => 1,
        p if p < (1.0 + DRAWS) / 2.0 => 2,
        _ => 0,
    };
    game() + game()
}

/// Whether an interval excludes "no change", as the verdicts `better` and `worse` with a limit of 0.
fn excludes_zero(ends: Option<[Option<f64>; 2]>) -> bool {
    ends.is_some_and(|[low, high]| {
        low.is_some_and(|low| low > 0.0) || high.is_some_and(|high| high < 0.0)
    })
}

/// Whether the interval for a fixed length, and that for any time, contradict the truth.
fn wrong(samples: &PairedScores) -> [bool; 2] {
    let level = Confidence::P95;
    [samples.interval(level), samples.anytime_interval(level)].map(excludes_zero)
}

/// Two runs against one opponent, compared after each of five equal parts.
fn extended(pairs: u64, seed: u64) -> [bool; 2] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut samples, mut ever) = (PairedScores::default(), [false; 2]);
    for _ in 0..5 {
        (0..pairs / 5).for_each(|_| samples.add(pair(&mut rng), pair(&mut rng), 2));
        let now = wrong(&samples);
        ever = [ever[0] || now[0], ever[1] || now[1]];
    }
    ever
}

/// The results of the first agent against each other agent, in a run in rounds of equal agents.
fn in_rounds(question: AdaptiveQuestion, agents: usize, rng: &mut ChaCha8Rng) -> Results {
    let design = AdaptiveDesign {
        weight: AdaptiveWeight::Games,
        question,
        alpha: 0.05,
        epsilon_elo: None,
        max_games: 4_000,
        adjusted: false,
    };
    let pairings: Vec<(usize, usize)> =
        (0..agents).flat_map(|a| (a + 1..agents).map(move |b| (a, b))).collect();
    let mut adaptive = Adaptive::new(design, agents, pairings.clone());
    let mut counts = vec![Pentanomial::default(); pairings.len()];
    let (mut first, mut games) = (vec![Vec::new(); agents], 0);
    while let Some(round) = adaptive.step(games, &|pairing: u32| PairState {
        pairs: counts[pairing as usize],
        ..PairState::default()
    }) {
        for &pairing in &round.pairings {
            let (a, b) = pairings[pairing as usize];
            for _ in 0..round.pairs {
                let points = pair(rng);
                counts[pairing as usize].0[points] += 1;
                games += 2;
                if a == 0 {
                    first[b].push(points);
                }
            }
        }
    }
    first
}

/// Two runs in rounds, compared by the games that both have.
fn adaptive(question: AdaptiveQuestion, agents: usize, seed: u64) -> [bool; 2] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let [before, after] = [(); 2].map(|()| in_rounds(question, agents, &mut rng));
    let mut samples = PairedScores::default();
    for (before, after) in before.iter().zip(&after) {
        before.iter().zip(after).for_each(|(&old, &new)| samples.add(old, new, 2));
    }
    wrong(&samples)
}

fn row(name: &str, run: impl Fn(u64) -> [bool; 2] + Sync) {
    let all: Vec<[bool; 2]> = (0..RUNS).into_par_iter().map(|run_| run(7_000_000 + run_)).collect();
    let share = |i: usize| {
        let wrong = all.iter().filter(|wrong| wrong[i]).count();
        100.0 * wrong as f64 / RUNS as f64
    };
    println!("| {name} | {:.1} % | {:.1} % |", share(0), share(1));
}

pub fn run(_: &[String]) {
    println!("| {RUNS} comparisons of equal agents | fixed: false | at any time: false |");
    println!("| --- | ---: | ---: |");
    for pairs in [100, 500, 2_000] {
        row(&format!("extended, five looks, {pairs} pairs at the end"), |seed| {
            extended(pairs, seed)
        });
    }
    for agents in [3, 6] {
        for (name, question) in
            [("best", AdaptiveQuestion::Best), ("ranking", AdaptiveQuestion::Ranking)]
        {
            row(&format!("`{name}` of {agents}, at most 4 000 games"), |seed| {
                adaptive(question, agents, seed)
            });
        }
    }
}
