//! Compares what `agon plan` promises with what runs show, for the width of intervals and for power: the
//! tables of `docs/sequential.md`.
//!
//! `cargo bench --bench studies -- plan`; with the name of a game, only the power for this game

use std::process::Command;

use agon::stats::{Confidence, elo, games_for_precision};
use serde_json::Value;

const RUNS: u64 = 60;
/// Runs for the power: its standard error is at most 2.2 %.
const RUNS_FOR_POWER: u64 = 500;

const MATCHES: [[&str; 3]; 5] = [
    ["pig", "hold:at=20", "hold:at=25"],
    ["pig", "hold:at=20", "hold:at=15"],
    ["pig:goal=30", "hold:at=10", "hold:at=15"],
    ["einstein", "random:name=a", "random:name=b"],
    ["backgammon", "random:name=a", "random:name=b"],
];

/// Two agents whose difference the games may or may not show: game, agents, openings and games.
const DIFFERENT: [([&str; 3], u64); 5] = [
    (["pig", "hold:at=20", "hold:at=15"], 400),
    (["pig", "hold:at=20", "hold:at=15"], 1_200),
    (["pig:goal=30", "hold:at=10", "hold:at=15"], 400),
    (["tictactoe", "mcts:simulations=20", "mcts:simulations=12"], 200),
    (["connect4", "alphabeta:depth=2", "alphabeta:depth=1"], 60),
];

/// What a command prints as JSON.
fn json(args: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_agon")).args(args).output().expect("agon runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code().is_some_and(|code| code < 5 && code != 2), "{args:?}: {text}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The plan of a match.
fn plan([game, a, b]: [&str; 3], games: &str) -> Value {
    let dir = tempfile::tempdir().expect("a folder");
    let config = dir.path().join("plan.toml").display().to_string();
    let text = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["match", a, b, "--game", game, "--games", games, "--print-config"])
        .output()
        .expect("agon runs");
    std::fs::write(&config, text.stdout).expect("a config");
    json(&["plan", &config, "--format", "json"])
}

/// The row of `pairings` of matches with these seeds.
fn matches([game, a, b]: [&str; 3], games: &str, seeds: std::ops::Range<u64>) -> Vec<Value> {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("out").display().to_string();
    let play = |seed: u64| {
        let seed = seed.to_string();
        let common = ["match", a, b, "--game", game, "--games", games, "--format", "json"];
        let more = ["--seed", &seed, "--out", &out, "--fresh", "-q"];
        json(&[&common[..], &more].concat())["pairings"][0].clone()
    };
    seeds.map(play).collect()
}

fn widths() {
    println!("| game | agents | correlation | planned ± Elo | mean of the runs |");
    println!("| --- | --- | ---: | ---: | ---: |");
    for of in MATCHES {
        let [game, a, b] = of;
        let plan = plan(of, "400");
        let planned = plan["pairings"][0]["resolution_elo"].as_f64().expect("a resolution");
        let correlation = plan["pair_correlation"].as_f64().expect("a correlation");
        let half = |run: Value| Some((run["elo_high"].as_f64()? - run["elo_low"].as_f64()?) / 2.0);
        let runs = matches(of, "400", 3_000_000..3_000_000 + RUNS);
        let halves: Vec<f64> = runs.into_iter().filter_map(half).collect();
        let mean = halves.iter().sum::<f64>() / halves.len() as f64;
        println!("| {game} | {a} – {b} | {correlation:.2} | {planned:.1} | {mean:.1} |");
    }
}

/// The power at the true difference that follows from the planned width, and the share of the runs whose
/// difference is significant. The true difference is the mean of the runs: a longer run could have other
/// openings.
fn power(game_of_row: Option<&String>) {
    println!("| game | agents | games | true Elo | planned power | runs with p < 0.05 |");
    println!("| --- | --- | ---: | ---: | ---: | ---: |");
    for (of, games) in DIFFERENT {
        let [game, a, b] = of;
        if game_of_row.is_some_and(|wanted| wanted != game) {
            continue;
        }
        let text = games.to_string();
        let plan = plan(of, &text);
        let half = plan["pairings"][0]["resolution_elo"].as_f64().expect("a resolution");
        let level = Confidence::P95;
        // The half width at the variance 1 is proportional to the root of the variance.
        let unit = games_for_precision::half_width(games, 0.25, level).expect("games");
        let variance = 0.25 * (half / unit).powi(2);
        let runs = matches(of, &text, 4_000_000..4_000_000 + RUNS_FOR_POWER);
        let scores: Vec<f64> =
            runs.iter().map(|run| run["a_score"].as_f64().expect("a score")).collect();
        let truth = elo::from_score(scores.iter().sum::<f64>() / scores.len() as f64);
        let truth = truth.expect("a difference");
        let planned = games_for_precision::power(truth, variance, level, games).expect("games");
        let significant = |run: &&Value| run["p_value"].as_f64().is_some_and(|p| p < 0.05);
        let found = runs.iter().filter(significant).count();
        println!(
            "| {game} | {a} – {b} | {games} | {truth:+.1} | {:.0} % | {:.0} % |",
            100.0 * planned,
            100.0 * found as f64 / RUNS_FOR_POWER as f64,
        );
    }
}

pub fn run(args: &[String]) {
    let game = args.first();
    if game.is_none() {
        widths();
        println!();
    }
    power(game);
}
