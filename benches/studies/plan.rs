//! Compares what `agon plan` promises for games with dice with what runs show: the table of
//! `docs/sequential.md`.
//!
//! `cargo bench --bench studies -- plan`

use std::process::Command;

use serde_json::Value;

const RUNS: u64 = 60;

const MATCHES: [[&str; 3]; 5] = [
    ["pig", "hold:at=20", "hold:at=25"],
    ["pig", "hold:at=20", "hold:at=15"],
    ["pig:goal=30", "hold:at=10", "hold:at=15"],
    ["einstein", "random:name=a", "random:name=b"],
    ["backgammon", "random:name=a", "random:name=b"],
];

/// What a command prints as JSON.
fn json(args: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_agon")).args(args).output().expect("agon runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code().is_some_and(|code| code < 5 && code != 2), "{args:?}: {text}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

pub fn run(_: &[String]) {
    println!("| game | agents | correlation | planned ± Elo | mean of the runs |");
    println!("| --- | --- | ---: | ---: | ---: |");
    let dir = tempfile::tempdir().expect("a folder");
    for [game, a, b] in MATCHES {
        let common = ["match", a, b, "--game", game, "--games", "400", "--format", "json"];
        let config = dir.path().join("plan.toml").display().to_string();
        let text = Command::new(env!("CARGO_BIN_EXE_agon"))
            .args(["match", a, b, "--game", game, "--games", "400", "--print-config"])
            .output()
            .expect("agon runs");
        std::fs::write(&config, text.stdout).expect("a config");
        let plan = json(&["plan", &config, "--format", "json"]);
        let planned = plan["pairings"][0]["resolution_elo"].as_f64().expect("a resolution");
        let correlation = plan["pair_correlation"].as_f64().expect("a correlation");
        let mut halves = Vec::new();
        for seed in 0..RUNS {
            let (seed, out) = (3_000_000 + seed, dir.path().join("out").display().to_string());
            let seed = seed.to_string();
            let more = ["--seed", &seed, "--out", &out, "--fresh", "-q"];
            let results = json(&[&common[..], &more].concat());
            let figure = |key: &str| results["pairings"][0][key].as_f64();
            if let (Some(low), Some(high)) = (figure("elo_low"), figure("elo_high")) {
                halves.push((high - low) / 2.0);
            }
        }
        let mean = halves.iter().sum::<f64>() / halves.len() as f64;
        println!("| {game} | {a} – {b} | {correlation:.2} | {planned:.1} | {mean:.1} |");
    }
}
