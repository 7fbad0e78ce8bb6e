//! Simulates tournaments in rounds and prints their games and errors: the tables of
//! `docs/formats.md`.
//!
//! `cargo bench --bench studies -- adaptive`
//!
//! `cargo bench --bench studies -- adaptive pool` is the table of runs that start from a pool.
//! `cargo bench --bench studies -- adaptive 1000` measures the time that the choice of the games of
//! this number of agents takes.

use std::time::{Duration, Instant};

use agon::rounds::adaptive_rounds::{AdaptiveDesign, AdaptiveQuestion, AdaptiveWeight};
use agon::rounds::simulated_rounds::{Simulated, Strengths};
use rayon::prelude::*;

use crate::adaptive_support::{FIELDS, tournament, tournament_after};

fn runs(
    question: AdaptiveQuestion,
    strengths: &[f64],
    max_games: u64,
    runs: u64,
) -> Vec<Simulated> {
    (0..runs)
        .into_par_iter()
        .map(|seed| tournament(question, strengths, max_games, 1_000_000 + seed))
        .collect()
}

fn row(name: &str, question: AdaptiveQuestion, mut ended: Vec<Simulated>) {
    ended.sort_by_key(|run| run.games);
    let n = ended.len();
    let mean = ended.iter().map(|run| run.games as f64).sum::<f64>() / n as f64;
    let rounds = ended.iter().map(|run| run.rounds as f64).sum::<f64>() / n as f64;
    let wrong = ended.iter().filter(|run| run.wrong).count();
    let decided = ended.iter().filter(|run| run.decided).count();
    println!(
        "| {name} | {} | {mean:.0} | {} to {} | {rounds:.0} | {decided} of {n} | {wrong} of {n} |",
        if question == AdaptiveQuestion::Best { "best" } else { "ranking" },
        ended[n / 20].games,
        ended[n - 1 - n / 20].games,
    );
}

/// Prints how long the choice of the next games takes, in all rounds together.
fn measure(agents: usize) {
    let strengths: Vec<f64> = (0..agents).map(|agent| -(agent as f64)).collect();
    println!("| question | games | rounds | seconds of choice | share at 1 ms a game |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    for (name, question) in
        [("best", AdaptiveQuestion::Best), ("ranking", AdaptiveQuestion::Ranking)]
    {
        let design = AdaptiveDesign {
            weight: AdaptiveWeight::Games,
            question,
            alpha: 0.05,
            epsilon_elo: None,
            max_games: 1_000_000,
            adjusted: false,
        };
        let field = Strengths {
            strengths: strengths.clone(),
            draws: 0.3,
            correlation: 0.0,
            earlier_games: 0,
        };
        let mut choice = Duration::ZERO;
        let ended = field.simulate_with(design, 1, &mut |adaptive, games, state| {
            let begin = Instant::now();
            let round = adaptive.step(games, state);
            choice += begin.elapsed();
            round
        });
        let seconds = choice.as_secs_f64();
        println!(
            "| {name} | {} | {} | {seconds:.2} | {:.2} % |",
            ended.games,
            ended.rounds,
            100_000.0 * seconds / ended.games as f64
        );
    }
}

/// Prints the games of runs that start from a pool.
fn from_pools() {
    println!("| field | 0 earlier games | 10 | 40 | 200 | wrong |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    for (name, strengths) in &FIELDS[..5] {
        let mut wrong = 0;
        let means = [0, 10, 40, 200].map(|earlier| {
            let one = |seed: u64| {
                let best = AdaptiveQuestion::Best;
                tournament_after(earlier, best, strengths, 10_000_000, 1_000_000 + seed)
            };
            let ended: Vec<Simulated> = (0..400).into_par_iter().map(one).collect();
            wrong += ended.iter().filter(|run| run.wrong).count();
            let games = ended.iter().map(|run| run.games as f64).sum::<f64>();
            format!("{:.0}", games / ended.len() as f64)
        });
        println!("| {name} | {} | {wrong} of 1600 |", means.join(" | "));
    }
}

pub fn run(args: &[String]) {
    if args.first().is_some_and(|arg| arg == "pool") {
        return from_pools();
    }
    if let Some(agents) = args.first() {
        return measure(agents.parse().expect("a number of agents"));
    }
    println!("| field | question | mean games | 90 % of runs | rounds | decided | wrong |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
    for (name, strengths) in &FIELDS[..5] {
        row(name, AdaptiveQuestion::Best, runs(AdaptiveQuestion::Best, strengths, 10_000_000, 200));
    }
    for field in [0, 3, 4] {
        let (name, strengths) = FIELDS[field];
        row(
            name,
            AdaptiveQuestion::Ranking,
            runs(AdaptiveQuestion::Ranking, strengths, 10_000_000, 200),
        );
    }
    let (name, strengths) = FIELDS[5];
    row(name, AdaptiveQuestion::Best, runs(AdaptiveQuestion::Best, strengths, 60_000, 2_000));
    row(
        "10 equal agents",
        AdaptiveQuestion::Ranking,
        runs(AdaptiveQuestion::Ranking, &[0.0; 10], 60_000, 1_000),
    );
}
