//! Simulates tunes with a known optimum by SPSA and prints their regret, with the true loss as
//! assumed, half of it and double.
//!
//! `cargo bench --bench studies -- tune`

use agon::stats::spsa::expected_regret;
use rayon::prelude::*;

use crate::tune_support::{Tuned, published, tune};

const TUNES: u64 = 200;

pub fn run(_: &[String]) {
    println!("| tunes | loss | games | end within 0.5 | end | mean | intervals right | width |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let (ranges, design) = published(2.0);
    for (name, elo) in [("as assumed", 2.0), ("half", 1.0), ("double", 4.0)] {
        let tunes: Vec<Tuned> =
            (0..TUNES).into_par_iter().map(|seed| tune(&ranges, &design, elo, seed)).collect();
        let mean = |of: fn(&Tuned) -> f64| tunes.iter().map(of).sum::<f64>() / TUNES as f64;
        let within = tunes.iter().filter(|tuned| tuned.end <= 0.5).count() as f64 / TUNES as f64;
        println!(
            "| {TUNES} | {name} | {} | {:.1} % | {:.3} | {:.3} | {:.1} % | {:.1} |",
            design.games,
            100.0 * within,
            mean(|tuned| tuned.end),
            mean(|tuned| tuned.mean),
            100.0 * mean(|tuned| tuned.covered as f64) / ranges.len() as f64,
            mean(|tuned| tuned.width),
        );
    }
    let expected = expected_regret(&ranges, &design, 0.5);
    println!(
        "| theory | as assumed | {} | 95.0 % | {:.3} | {:.3} | 95.0 % | |",
        design.games, expected.end, expected.mean
    );
}
