//! The default interval has the coverage of docs/formulas.md, and sequential tests
//! with `overshoot` have the error rates of docs/sequential.md.

use std::fs;
use std::path::Path;

use crate::support::coverage::{GAMES, Law, PAIRS, exact, games, pairs, players, row};
use agon::stats::sprt::{Sprt, SprtSettings, SprtVerdict, Unit, bayes_elo};
use agon::stats::{Confidence, GameScore, Trinomial, elo};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    fs::read_to_string(path).expect("a page")
}

fn holds<const K: usize>(laws: &[Law<K>], groups: &[(u64, u64)]) {
    let page = page("formulas.md");
    for &(first, last) in groups {
        let (row, least) = row(laws, first..=last);
        println!("{row}");
        assert!(least >= 0.94, "{row}");
        assert!(page.lines().any(|line| line == row), "not on the page: {row}");
    }
}

#[test]
fn few_games_and_few_pairs_cover_what_the_page_says() {
    holds(&games(), &GAMES[..1]);
    holds(&pairs(), &PAIRS[..1]);
}

#[test]
#[ignore = "a minute; `cargo test --release --test library statistics_coverage -- --include-ignored`"]
fn every_number_of_games_and_pairs_covers_what_the_page_says() {
    holds(&games(), &GAMES);
    holds(&pairs(), &PAIRS);
}

#[test]
fn the_worst_cases_of_gen_wilson_cover() {
    let binomial = |score: f64| ([1.0 - score, 0.0, score], score);
    // Games and score: 140 Elo, equality, 99 %, and one lost game of thirty.
    for (n, score) in [(10, 0.6912), (21, 0.5), (10, 0.99), (30, 0.9944), (72, 0.507)] {
        let covered = exact(n, &[binomial(score)], |c: &Trinomial| c.interval(Confidence::P95));
        assert!(covered[0][0] >= 0.94, "{n} games at {score}: {covered:?}");
    }
}

/// The share of 6 000 tests of agents `gain` Elo apart that end with this verdict, and the mean
/// number of games.
fn ends(settings: SprtSettings, draw_rate: f64, gain: f64, verdict: SprtVerdict) -> [f64; 2] {
    const RUNS: u64 = 6000;
    let (e, d) = players(draw_rate, 0.0, elo::to_score(gain));
    let [loss, draw, _] = bayes_elo::chances(e, d);
    let design = settings.check().expect("a design");
    let ends: Vec<(bool, u64)> = (0..RUNS)
        .into_par_iter()
        .map(|run| {
            let mut rng = ChaCha8Rng::seed_from_u64(15);
            rng.set_stream(run);
            let mut game = || match rng.random::<f64>() {
                u if u < loss => GameScore::Loss,
                u if u < loss + draw => GameScore::Draw,
                _ => GameScore::Win,
            };
            let mut sprt = Sprt::new(design);
            let end = loop {
                let (first, second) = (game(), game());
                if let Some(end) = sprt.push_pair(first, second) {
                    break end;
                }
            };
            (end == verdict, sprt.evidence().games().n())
        })
        .collect();
    let hits = ends.iter().filter(|end| end.0).count() as f64;
    [hits / RUNS as f64, ends.iter().map(|end| end.1).sum::<u64>() as f64 / RUNS as f64]
}

/// Hypotheses, unit and draw rate, from the shortest tests to the longest.
const FAR: [(f64, f64, Unit, f64); 5] = [
    (0.0, 300.0, Unit::Games, 0.9),
    (0.0, 300.0, Unit::Pairs, 0.0),
    (0.0, 200.0, Unit::Pairs, 0.0),
    (-50.0, 50.0, Unit::Pairs, 0.0),
    (0.0, 100.0, Unit::Pairs, 0.0),
];

fn overshoot_errs_as_stated(cells: &[(f64, f64, Unit, f64)]) {
    let page = page("sequential.md");
    for &(elo0, elo1, unit, draws) in cells {
        let name = if unit == Unit::Games { "games" } else { "pairs" };
        let mut row = format!("| {elo0}, {elo1} | {name}, {:.0} % draws |", 100.0 * draws);
        for overshoot in [false, true] {
            let settings = SprtSettings { elo0, elo1, unit, overshoot, ..SprtSettings::default() };
            let h1 = ends(settings, draws, elo0, SprtVerdict::AcceptH1);
            let h0 = ends(settings, draws, elo1, SprtVerdict::AcceptH0);
            let games = f64::midpoint(h1[1], h0[1]);
            row += &format!(" {:.1} % | {:.1} % | {games:.0} |", 100.0 * h1[0], 100.0 * h0[0]);
            assert!(h1[0].max(h0[0]) < if overshoot { 0.11 } else { 0.055 }, "{row}");
        }
        println!("{row}");
        assert!(page.lines().any(|line| line == row), "not on the page: {row}");
    }
}

#[test]
fn overshoot_errs_more_than_it_is_asked_to_and_the_page_says_so() {
    overshoot_errs_as_stated(&FAR[..1]);
}

#[test]
#[ignore = "seconds; `cargo test --release --test library statistics_coverage -- --include-ignored`"]
fn overshoot_errs_as_the_page_says_for_all_its_hypotheses() {
    overshoot_errs_as_stated(&FAR);
}
