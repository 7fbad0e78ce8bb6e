//! Tests of docs/ci.md: its configs are valid, and its script works as the page describes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::{agon, stderr, stdout, write};

/// The fenced blocks of the page in this language.
fn blocks(language: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ci.md");
    let text = fs::read_to_string(path).expect("docs/ci.md");
    let fence = format!("```{language}\n");
    (text.split(&fence).skip(1))
        .map(|rest| rest.split("```").next().unwrap_or_default().to_owned())
        .collect()
}

/// Runs the script of the page in the folder.
fn gate(dir: &Path, old: &str, new: &str) -> Output {
    Command::new("sh")
        .args(["gate.sh", old, new])
        .current_dir(dir)
        .env("AGON", AGON)
        .output()
        .expect("a shell")
}

const AGON: &str = env!("CARGO_BIN_EXE_agon");

#[test]
fn the_script_passes_what_is_the_same_and_stops_what_is_weaker() {
    let dir = tempfile::tempdir().expect("a folder");
    let scripts = blocks("sh");
    let script = scripts.iter().find(|block| block.starts_with("#!/bin/sh")).expect("gate.sh");
    // The time of a minute has no part in this test.
    let script = script.replace("--limit time=1.05", "--limit time=off");
    write(dir.path(), "gate.sh", &script);
    fs::create_dir(dir.path().join("out")).expect("a folder");
    let config = &blocks("toml")[0];
    write(dir.path(), "gate.toml", config);
    let output = gate(dir.path(), AGON, AGON);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).starts_with("## not worse\n"), "{}", stdout(&output));
    let [old, new] = ["old", "new"].map(|side| dir.path().join("out/gate").join(side));
    let folders = [old, new].map(|folder| folder.display().to_string());
    let words = ["compare", &folders[0], &folders[1], "--interleaved", "--format", "benchmark"];
    let figures: Vec<serde_json::Value> =
        serde_json::from_slice(&agon(&words).stdout).expect("JSON");
    assert!(figures.iter().any(|figure| figure["name"] == "strength of engine"), "{figures:?}");

    let weaker = config.replacen("depth = 5\n", "depth = 5\nevaluator = \"zero\"\n", 1);
    write(dir.path(), "weaker.toml", &weaker);
    let output = gate(dir.path(), "gate.toml", "weaker.toml");
    assert_eq!(output.status.code(), Some(3), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).starts_with("## worse: strength of engine"), "{}", stdout(&output));

    write(dir.path(), "other.toml", &config.replace("seed = 1", "seed = 2"));
    let output = gate(dir.path(), "gate.toml", "other.toml");
    assert_eq!(output.status.code(), Some(2), "{}{}", stdout(&output), stderr(&output));
    assert!(stderr(&output).contains("seed: 1 in the baseline, 2 in the candidate"));
}

#[test]
fn the_sequential_test_of_the_page_is_decided() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = write(dir.path(), "gain.toml", &blocks("toml")[1]);
    let out = dir.path().join("gain");
    let test = ["sprt", "--config", &path, "--elo0", "-10", "--elo1", "10", "--quiet"];
    let output = agon(&[&test[..], &["--out", out.to_str().expect("text")]].concat());
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let commands = blocks("sh").into_iter().find(|block| block.contains("agon sprt"));
    assert!(
        commands.expect("the command").contains("sprt --config gain.toml --elo0 -10 --elo1 10")
    );
}
