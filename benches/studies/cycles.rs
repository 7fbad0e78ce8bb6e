//! Simulates `best` and `ranking` where no agent is the best and no order exists: the second table of
//! `docs/formats.md`.
//!
//! `cargo bench --bench studies -- cycles`

use agon::rounds::adaptive_rounds::{Adaptive, AdaptiveQuestion, BestAnswer};
use rayon::prelude::*;

use crate::adaptive_support::cycle;

const RUNS: u64 = 200;
const MOST_GAMES: u64 = 20_000;

/// Each agent scores this against the next one. Of two others, the first scores the last figure.
const CYCLES: [(usize, f64, f64); 17] = [
    (3, 0.55, 0.5),
    (3, 0.6, 0.5),
    (3, 0.7, 0.5),
    (3, 0.85, 0.5),
    (3, 0.95, 0.5),
    (4, 0.55, 0.5),
    (4, 0.7, 0.5),
    (4, 0.55, 0.6),
    (4, 0.7, 0.6),
    (5, 0.55, 0.5),
    (5, 0.7, 0.5),
    (5, 0.55, 0.6),
    (5, 0.7, 0.6),
    (6, 0.55, 0.5),
    (6, 0.7, 0.5),
    (6, 0.55, 0.6),
    (6, 0.7, 0.6),
];

fn row(question: AdaptiveQuestion, (agents, chance, far): (usize, f64, f64)) {
    let ended: Vec<(Adaptive, u64)> = (0..RUNS)
        .into_par_iter()
        .map(|seed| cycle(question, agents, chance, far, MOST_GAMES, 9_000_000 + seed))
        .collect();
    let share = |is: &dyn Fn(&Adaptive) -> bool| {
        let count = ended.iter().filter(|(run, _)| is(run)).count();
        format!("{} %", 100.0 * count as f64 / RUNS as f64)
    };
    let (word, wrong, named) = match question {
        AdaptiveQuestion::Best => (
            "best",
            share(&|run| matches!(run.best_answer(), BestAnswer::Best(_))),
            share(&|run| matches!(run.best_answer(), BestAnswer::NoBest { .. })),
        ),
        _ => (
            "ranking",
            share(&|run| run.is_decided() && run.cycles().is_empty()),
            share(&|run| !run.cycles().is_empty()),
        ),
    };
    let games = ended.iter().map(|(_, games)| *games as f64).sum::<f64>() / RUNS as f64;
    let others = if agents == 3 { "—".to_owned() } else { format!("{far}") };
    println!("| {agents} | {chance} | {others} | {word} | {wrong} | {named} | {games:.0} |");
}

pub fn run(_: &[String]) {
    println!("| agents | next | others | question | wrong | cycle seen | mean games |");
    println!("| ---: | ---: | ---: | --- | ---: | ---: | ---: |");
    for field in CYCLES {
        row(AdaptiveQuestion::Best, field);
        row(AdaptiveQuestion::Ranking, field);
    }
}
