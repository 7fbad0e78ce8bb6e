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

/// Runs the script of the page in the folder, with the same build as old and new version.
fn gate(dir: &Path, new_config: &str) -> Output {
    let agon = env!("CARGO_BIN_EXE_agon");
    Command::new("sh")
        .args(["gate.sh", agon, agon])
        .current_dir(dir)
        .env("NEW_CONFIG", new_config)
        .output()
        .expect("a shell")
}

#[test]
fn the_script_passes_what_is_the_same_and_stops_what_is_weaker() {
    let dir = tempfile::tempdir().expect("a folder");
    let scripts = blocks("sh");
    let script = scripts.iter().find(|block| block.starts_with("#!/bin/sh")).expect("gate.sh");
    write(dir.path(), "gate.sh", script);
    let config = &blocks("toml")[0];
    write(dir.path(), "gate.toml", config);
    let output = gate(dir.path(), "gate.toml");
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).starts_with("## not worse\n"), "{}", stdout(&output));
    let figures = fs::read(dir.path().join("out/figures.json")).expect("figures");
    let figures: Vec<serde_json::Value> = serde_json::from_slice(&figures).expect("JSON");
    assert!(figures.iter().any(|figure| figure["name"] == "strength of engine"), "{figures:?}");

    let weaker = config.replacen("depth = 5\n", "depth = 5\nevaluator = \"zero\"\n", 1);
    write(dir.path(), "weaker.toml", &weaker);
    let output = gate(dir.path(), "weaker.toml");
    assert_eq!(output.status.code(), Some(3), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).starts_with("## worse: strength of engine"), "{}", stdout(&output));

    write(dir.path(), "other.toml", &config.replace("seed = 1", "seed = 2"));
    let output = gate(dir.path(), "other.toml");
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
