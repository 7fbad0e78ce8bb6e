//! Tests of `agon gate`: what both sides are, verdicts, folders and errors. No test asserts a time.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::support::{agon, stderr, stdout, write};

const AGON: &str = env!("CARGO_BIN_EXE_agon");

pub const CONFIG: &str = "seed = 1\n[game]\nkind = \"connect4\"\n[[agents]]\nname = \"ab\"\n\
    kind = \"alphabeta\"\ndepth = 3\n[[agents]]\nname = \"mm\"\nkind = \"minimax\"\ndepth = 2\n\
    [schedule]\ngames = 20\n[openings]\nkind = \"random\"\nplies = 4\n";

fn gate(dir: &Path, words: &[&str]) -> Output {
    let out = dir.join("out").display().to_string();
    agon(&[&["gate"], words, &["--out", &out, "-q"]].concat())
}

/// A program that runs agon and does this before it. Another process writes it: a file that this process has
/// open for writing cannot be run while another test starts a program.
pub fn build(dir: &Path, name: &str, before: &str) -> String {
    let path = dir.join(name).display().to_string();
    let text = format!("#!/bin/sh\n{before}\nexec {AGON} \"$@\"\n");
    let write = "printf %s \"$1\" > \"$2\" && chmod 755 \"$2\"";
    let status = Command::new("sh").args(["-c", write, "sh", &text, &path]).status();
    assert!(status.expect("a shell").success());
    path
}

pub fn figure<'a>(json: &'a Value, metric: &str) -> &'a Value {
    let gates = json["gates"].as_array().expect("gates");
    gates.iter().find(|gate| gate["metric"] == metric).unwrap_or_else(|| panic!("{metric}: {json}"))
}

#[test]
fn a_build_plays_the_same_games_as_itself_interleaved() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "gate.toml", CONFIG);
    let words = [AGON, AGON, &config, "--budget", "1s", "--format", "json"];
    let output = gate(dir.path(), &words);
    let json: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    for metric in ["strength", "work"] {
        assert_eq!(figure(&json, metric)["verdict"], "the same", "{json}");
    }
    let time = figure(&json, "time");
    assert_eq!((&time["anytime"], &time["limit"]), (&Value::from(true), &Value::from(1.01)));
    let instructions = &figure(&json, "instructions")["verdict"];
    assert!(
        ["not compared", "the same", "not worse", "better"].iter().any(|word| instructions == word)
    );
    let out = dir.path().join("out");
    let slices = fs::read_to_string(out.join("slices.csv")).expect("slices");
    assert!(slices.lines().count() > 2, "{slices}");
    let began = |side: &str| slices.lines().any(|line| line.split(',').nth(2) == Some(side));
    assert!(began("old") && began("new"), "the order is random: {slices}");
    // Both folders are complete results, and are compared again with the same times.
    let [old, new] = ["old", "new"].map(|side| out.join(side).display().to_string());
    assert!(stdout(&agon(&["report", &old])).contains("20 games"));
    let again = agon(&["compare", &old, &new, "--interleaved", "--format", "json"]);
    let again: Value =
        serde_json::from_slice(&again.stdout).unwrap_or_else(|_| panic!("{}", stderr(&again)));
    assert_eq!(again["gates"], json["gates"]);
    let alone = agon(&["compare", &old, &new, "--format", "json"]);
    let alone: Value = serde_json::from_slice(&alone.stdout).expect("JSON");
    assert_eq!(figure(&alone, "time")["verdict"], "not judged");
    // A second gate in the folder needs a word.
    let output = gate(dir.path(), &words);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("has an earlier gate") && stderr(&output).contains("--fresh"));
}

#[test]
fn a_side_that_needs_three_times_as_long_is_worse() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "gate.toml", CONFIG);
    let slow = build(dir.path(), "slow", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done");
    let output = gate(dir.path(), &[AGON, &slow, &config]);
    assert_eq!(output.status.code(), Some(3), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).ends_with("\nworse: processor time per move\n"), "{}", stdout(&output));
    // Without the question of the time, each game is played once.
    let output = gate(dir.path(), &[AGON, &slow, &config, "--limit", "time=off", "--fresh"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    assert!(!stdout(&output).contains("processor time"), "{}", stdout(&output));
}

#[test]
fn two_configs_and_two_engines_are_sides_too() {
    let dir = tempfile::tempdir().expect("a folder");
    let old = write(dir.path(), "old.toml", CONFIG);
    let weak = CONFIG.replace("depth = 3\n", "depth = 3\nevaluator = \"zero\"\n");
    let new = write(dir.path(), "new.toml", &weak);
    let output = gate(dir.path(), &[&old, &new, "--budget", "1s", "--format", "json"]);
    let json: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    assert_eq!(figure(&json, "strength")["agent"], "ab", "{json}");
    let basis = figure(&json, "time")["basis"].as_str().expect("a text");
    assert!(basis.contains("different games"), "{basis}");

    let config = "seed = 1\n[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"engine\"\n\
        kind = \"engine\"\ncommand = \"none\"\nprotocol = \"ugi\"\ndepth = 1\n[[agents]]\n\
        name = \"other\"\nkind = \"random\"\n[schedule]\ngames = 8\n[openings]\nkind = \"random\"\nplies = 2\n";
    let config = write(dir.path(), "engines.toml", config);
    let engine = |agent: &str| format!("{AGON} serve --game tictactoe --agent {agent}");
    let (old, new) = (engine("alphabeta:depth=1"), engine("random"));
    let words = [&old, &new, &config, "--budget", "1s", "--fresh", "--format", "json"];
    let output = gate(dir.path(), &words);
    let json: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    assert_eq!(figure(&json, "strength")["agent"], "engine", "{json}");
}

/// `--fresh` deleted folders called `old` and `new` that were not from a gate.
#[test]
fn files_of_others_are_never_deleted() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "gate.toml", CONFIG);
    let out = dir.path().join("out");
    fs::create_dir_all(out.join("old")).expect("a folder");
    write(&out.join("old"), "source.c", "precious");
    for foreign in [None, Some(("slices.csv", "mine\n")), Some(("manifest.json", "{}"))] {
        if let Some((name, text)) = foreign {
            write(&out, name, text);
        }
        let output = gate(dir.path(), &[AGON, AGON, &config, "--fresh"]);
        assert_eq!(output.status.code(), Some(2), "{foreign:?}");
        assert!(stderr(&output).contains("has files that are not from a gate"), "{foreign:?}");
        assert_eq!(fs::read_to_string(out.join("old/source.c")).expect("kept"), "precious");
    }
    assert_eq!(fs::read_to_string(out.join("slices.csv")).expect("kept"), "mine\n");
}

#[test]
fn mistakes_have_one_clear_error() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "gate.toml", CONFIG);
    let sprt = write(dir.path(), "sprt.toml", &format!("{CONFIG}[sprt]\nelo0 = 0\nelo1 = 9\n"));
    let seed = write(dir.path(), "seed.toml", &CONFIG.replace("seed = 1", "seed = 2"));
    let budget = write(dir.path(), "budget.toml", &CONFIG.replace("depth = 3", "depth = 4"));
    let slow = write(dir.path(), "long.toml", &CONFIG.replace("depth = 3", "depth = 7"));
    let broken =
        build(dir.path(), "broken", "[ \"$1\" = --version ] || { echo ouch >&2; exit 9; }");
    let loud = "head -c 9000000 /dev/zero | tr '\\0' x >&2; echo ouch >&2; exit 9;";
    let loud = build(dir.path(), "loud", &format!("[ \"$1\" = --version ] || {{ {loud} }}"));
    let cases: [(&[&str], u8, &[&str]); 15] = [
        (&[AGON, &config], 2, &["OLD is a build of agon, and NEW is a config"]),
        (&[AGON, AGON], 2, &["need a config that both play"]),
        (&[&config, &config, &config], 2, &["CONFIG has no meaning"]),
        (
            &[&config, &seed],
            2,
            &["different settings", "seed: 1 in the baseline, 2 in the candidate"],
        ),
        (&[&config, &budget], 2, &["budgets of agents differ", "depth of ab: 3 against 4"]),
        (&[AGON, AGON, &sprt], 2, &["follow from results"]),
        (&[AGON, AGON, "nothing.toml"], 2, &["cannot read the config `nothing.toml`"]),
        (&["./nothing", "./nothing"], 2, &["there is no program ./nothing"]),
        (&[AGON, "./nothing", &config], 2, &["there is no program ./nothing"]),
        (&["no-such", AGON, &config], 2, &["there is no program `no-such` on PATH"]),
        (&["cat", "cat", &config], 2, &["no agent", "`kind = \"engine\"`"]),
        (&[AGON, "cat", &config], 2, &["NEW is an engine (`--version` ended with exit status"]),
        (&[AGON, &broken, &config], 1, &["the new side failed: exit status 9", "ouch"]),
        (&[AGON, &loud, &config], 1, &["the new side failed: exit status 9", "ouch"]),
        (&[AGON, AGON, &slow, "--budget", "1ms"], 2, &["too short", "--budget"]),
    ];
    for (words, code, says) in cases {
        let output = gate(dir.path(), &[words, &["--fresh"]].concat());
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(i32::from(code)), "{words:?}: {text}");
        assert!(says.iter().all(|word| text.contains(word)), "{words:?}: {text}");
        assert!(stdout(&output).is_empty(), "{words:?}");
        assert!(text.len() < 4000, "{words:?}: {} bytes", text.len());
    }
    let output = gate(dir.path(), &[AGON, AGON, &config, "--limit", "ab.time=2"]);
    assert!(stderr(&output).contains("leave the agent out"), "{}", stderr(&output));
    let path = dir.path().display().to_string();
    let output = agon(&["compare", &path, &path, "--interleaved"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("slices.csv"), "{}", stderr(&output));
}

/// Test runs choose the length of a slice. They grew until they took eight times as long as one pair of games:
/// a budget of 60 s became 260 s for engines with long games.
#[test]
fn test_runs_before_the_first_block_stay_short() {
    let dir = tempfile::tempdir().expect("a folder");
    let long = CONFIG.replace("depth = 3", "depth = 11").replace("games = 20", "games = 200");
    let config = write(dir.path(), "gate.toml", &long);
    let log = dir.path().join("log");
    let side = build(dir.path(), "side", &format!("echo \"$@\" >> {}", log.display()));
    let output =
        gate(dir.path(), &[&side, &side, &config, "--budget", "3s", "--limit", "time=off"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let log = fs::read_to_string(log).expect("the log");
    let of = |part: &str| log.lines().filter(|line| line.contains(part)).count();
    // One pair of games, and eight pairs.
    assert_eq!([of("/again/old "), of("--shard 1/100"), of("--shard 1/13")], [2, 1, 1], "{log}");
}

/// A short budget made the number of games follow from the measured time. Then an agent met itself from other
/// openings in each gate.
#[test]
fn a_short_budget_plays_the_first_games_of_the_config() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = CONFIG.replace("depth = 3", "depth = 7").replace("games = 20", "games = 500");
    let text = text.replace("[schedule]", "[schedule]\ninclude_self = true");
    let config = write(dir.path(), "gate.toml", &text);
    let out = dir.path().join("out").display().to_string();
    let output = agon(&["gate", AGON, AGON, &config, "--budget", "1s", "--out", &out]);
    assert!(stderr(&output).contains("the budget allows the first"), "{}", stderr(&output));
    let [old, new] = ["old", "new"].map(|side| {
        let games = fs::read_to_string(format!("{out}/{side}/games.csv")).expect("games");
        let opening =
            |row: &str| -> Vec<String> { row.split(',').take(5).map(str::to_owned).collect() };
        games.lines().skip(1).map(opening).collect::<Vec<_>>()
    });
    assert!(old.len() > 6 && old == new, "{} and {} games", old.len(), new.len());
    // The agents have 500 games against themselves, each from an opening of its own.
    assert_eq!(old[0], ["1", "1", "1", "ab", "ab"]);
    assert_eq!(old[1], ["2", "1", "251", "ab", "ab"]);
    // Nothing but the last part is missing, and both sides are compared again.
    assert!(old.iter().enumerate().all(|(i, game)| game[0] == (i + 1).to_string()));
    let again = agon(&["compare", &format!("{out}/old"), &format!("{out}/new"), "--interleaved"]);
    assert_eq!(stdout(&again), stdout(&output), "{}", stderr(&again));
}
