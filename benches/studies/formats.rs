//! Simulates tournaments of about equal length and counts how often the best agent wins: the table of
//! `docs/formats.md`.
//!
//! `cargo bench --bench studies -- formats`

use agon::rounds::adaptive_rounds::AdaptiveQuestion;
use agon::rounds::knockout::Knockout;
use agon::rounds::simulated_rounds::Strengths;
use agon::rounds::swiss::Swiss;
use agon::rounds::tournament::TournamentDesign;
use rayon::prelude::*;

use crate::adaptive_support::FIELDS;

const RUNS: u64 = 2_000;

pub fn run(_: &[String]) {
    let seeds: Vec<usize> = (0..10).collect();
    let swiss =
        |rounds| TournamentDesign { rounds, ..TournamentDesign::new(&Swiss, 2, seeds.clone()) };
    let knockout =
        |alpha| TournamentDesign { alpha, ..TournamentDesign::new(&Knockout, 2, seeds.clone()) };
    println!("| field | format | mean games | the best agent wins |");
    println!("| --- | --- | ---: | ---: |");
    for (name, strengths) in [FIELDS[0], FIELDS[1], FIELDS[3]] {
        let field = Strengths {
            strengths: strengths.to_vec(),
            draws: 0.3,
            correlation: 0.0,
            earlier_games: 0,
        };
        for (format, design, games) in [
            ("round robin, 40 games each", None, 40),
            ("swiss, 4 rounds of 90 games", Some(swiss(4)), 90),
            ("swiss, 9 rounds of 40 games", Some(swiss(9)), 40),
            ("knockout, 200 games a match", Some(knockout(None)), 200),
            ("knockout, at most 400, alpha 0.05", Some(knockout(Some(0.05))), 400),
        ] {
            let ended: Vec<_> = (0..RUNS)
                .into_par_iter()
                .map(|seed| field.simulate_matches(design.as_ref(), games, 5_000_000 + seed))
                .collect();
            let mean = ended.iter().map(|run| run.games).sum::<u64>() / RUNS;
            let won = ended.iter().filter(|run| run.best_wins).count() as f64 / RUNS as f64;
            println!("| {name} | {format} | {mean} | {:.0} % |", 100.0 * won);
        }
        let ended: Vec<_> = (0..RUNS / 10)
            .into_par_iter()
            .map(|seed| {
                crate::adaptive_support::tournament(
                    AdaptiveQuestion::Best,
                    strengths,
                    10_000_000,
                    seed,
                )
            })
            .collect();
        let mean = ended.iter().map(|run| run.games).sum::<u64>() / ended.len() as u64;
        let right = ended.iter().filter(|run| !run.wrong).count() as f64 / ended.len() as f64;
        println!("| {name} | best, alpha 0.05 | {mean} | {:.0} % |", 100.0 * right);
    }
}
