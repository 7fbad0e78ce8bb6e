//! Tests of docs/ci.md: its configs are valid, and its commands work as the page describes. `.ci/workflows` runs its
//! workflows.

use std::path::Path;
use std::process::{Command, Output};

use crate::console::blocks;
use crate::support::{agon, stderr, stdout, write};

/// Runs the gate of the page, whose time has no part in this test.
fn gate(dir: &Path, words: &[&str]) -> Output {
    let command = Command::new(AGON)
        .arg("gate")
        .args(words)
        .args(["--out", "out/gate", "--limit", "time=off", "--fresh", "--quiet"])
        .args(["--format", "markdown"])
        .current_dir(dir)
        .output();
    command.expect("the program runs")
}

const AGON: &str = env!("CARGO_BIN_EXE_agon");

#[test]
fn the_gate_of_the_page_accepts_the_same_and_stops_the_weaker() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = &blocks("docs/ci.md", "toml")[0];
    write(dir.path(), "gate.toml", config);
    let output = gate(dir.path(), &[AGON, AGON, "gate.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).starts_with("## not worse\n"), "{}", stdout(&output));
    let [old, new] = ["old", "new"].map(|side| dir.path().join("out/gate").join(side));
    let folders = [old, new].map(|folder| folder.display().to_string());
    let words = ["compare", &folders[0], &folders[1], "--interleaved", "--format", "benchmark"];
    let figures: Vec<serde_json::Value> =
        serde_json::from_slice(&agon(&words).stdout).expect("JSON");
    assert!(figures.iter().any(|figure| figure["name"] == "strength of engine"), "{figures:?}");

    let weaker = config.replacen("depth = 5\n", "depth = 5\nevaluator = \"zero\"\n", 1);
    write(dir.path(), "changed.toml", &weaker);
    let output = gate(dir.path(), &["gate.toml", "changed.toml"]);
    assert_eq!(output.status.code(), Some(3), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).starts_with("## worse: strength of engine"), "{}", stdout(&output));

    write(dir.path(), "other.toml", &config.replace("seed = 1", "seed = 2"));
    let output = gate(dir.path(), &["gate.toml", "other.toml"]);
    assert_eq!(output.status.code(), Some(2), "{}{}", stdout(&output), stderr(&output));
    assert!(stderr(&output).contains("seed: 1 in the baseline, 2 in the candidate"));
}
