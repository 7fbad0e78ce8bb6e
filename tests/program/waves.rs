//! Tests of waves: formats in rounds over many machines give the bytes of one machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::endure::{signal, start, wait_for};
use crate::support::{agon, games_without_times, ok, rows_without_times, stderr, stdout, write};

/// Rules of thumb in Pig, and one player of random moves.
fn pig(format: &str, more: &str) -> String {
    format!(
        "seed = 11\n[game]\nkind = \"pig\"\n[[agents]]\nname = \"hold-{{at}}\"\nkind = \"hold\"\n\
         at = [5, 25, 10]\n[[agents]]\nkind = \"random\"\n[output]\nmoves = true\nreport = false\n\
         [schedule]\nformat = \"{format}\"\n{more}"
    )
}

fn text(path: &Path) -> &str {
    path.to_str().expect("text")
}

fn next(out: &Path, more: &[&str]) -> Output {
    agon(&[&["next", text(out)], more].concat())
}

fn shard(config: &str, out: &Path, shard: &str) -> Output {
    agon(&["--config", config, "--out", text(out), "--shard", shard, "-q"])
}

/// The numbers of an array specification, such as `1-3,7`.
fn numbers(list: &str) -> Vec<u64> {
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let parts = list.trim().split(',').map(|part| match part.split_once('-') {
        Some((first, last)) => number(first)..=number(last),
        None => number(part)..=number(part),
    });
    parts.flatten().collect()
}

/// Plays waves until there is an answer. Returns the number of waves.
fn play_waves(config: &str, out: &Path, shards: &str) -> u64 {
    let first = ok(agon(&["next", "--config", config, "--out", text(out), "--shards", shards]));
    let (mut list, mut waves) = (stdout(&first), 0);
    while !list.trim().is_empty() {
        let tasks = numbers(&list);
        for task in tasks.iter().rev() {
            let output = ok(shard(config, out, &format!("{task}/{}", tasks.len())));
            assert_eq!(stdout(&output), "");
        }
        let merged = agon(&["merge", text(out), "-q"]);
        assert!(matches!(merged.status.code(), Some(0 | 4)), "{}", stderr(&merged));
        list = stdout(&next(out, &[]));
        waves += 1;
    }
    waves
}

/// Everything that does not depend on a clock.
fn content(folder: &Path) -> Vec<String> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a file");
    vec![
        games_without_times(folder),
        rows_without_times(&folder.join("moves.csv")),
        rows_without_times(&folder.join("agents.csv")),
        read("pairings.csv"),
        read("decisions.csv"),
        read("resolved.toml"),
    ]
}

/// The files of a run on one machine, and its exit code.
fn whole(dir: &Path, config: &str) -> (Vec<String>, Option<i32>) {
    let out = dir.join("whole");
    let output = agon(&["--config", config, "--out", text(&out), "-q", "--fresh"]);
    (content(&out), output.status.code())
}

#[test]
fn waves_are_the_run_of_one_machine() {
    let dir = tempfile::tempdir().expect("a folder");
    // Scores without luck decide, also without the luck of the player of random moves.
    let adjusted = "[luck]\nvalue = \"linear\"\nweights = { sum = 7 }\nscale = 220\n\
        adjusted_verdicts = true\n[adaptive]\nmax_games = 700\n";
    for (format, shards, more) in [
        ("best", "3", adjusted),
        ("ranking", "2", adjusted),
        ("best", "1", ""),
        ("ranking", "7", "[adaptive]\nmax_games = 90\n"),
    ] {
        let config = write(dir.path(), "c.toml", &pig(format, more));
        let (expected, code) = whole(dir.path(), &config);
        let out = dir.path().join(format!("{format}-{shards}"));
        let waves = play_waves(&config, &out, shards);
        assert!(waves > 2, "{waves}");
        assert!(content(&out) == expected, "{format} in {shards} shards");
        let verdict = next(&out, &[]);
        assert_eq!(verdict.status.code(), code, "{}", stderr(&verdict));
        assert_eq!(stdout(&verdict), "");
        assert!(stderr(&verdict).contains(" after "), "{}", stderr(&verdict));
        assert_eq!(agon(&["merge", text(&out), "-q"]).status.code(), code);
        assert!(content(&out) == expected, "a merge after the last wave changes nothing");
        let again = agon(&["--config", &config, "--out", text(&out)]);
        assert!(stderr(&again).contains("nothing is played"), "{}", stderr(&again));
        let late = ok(shard(&config, &out, "1/1"));
        assert!(!out.join("wave-1").exists(), "{}", stderr(&late));
    }
}

/// The first wave of three shards, which are not played yet.
fn begun(dir: &Path, format: &str) -> (String, PathBuf) {
    let config = write(dir, "c.toml", &pig(format, "[adaptive]\nmax_games = 400\n"));
    let out = dir.join("out");
    let output = ok(agon(&["next", "--config", &config, "--out", text(&out), "--shards", "3"]));
    assert_eq!(stdout(&output), "1-3\n");
    (config, out)
}

#[test]
fn a_lost_node_costs_its_shard_only() {
    let dir = tempfile::tempdir().expect("a folder");
    let (config, out) = begun(dir.path(), "best");
    let (expected, _) = whole(dir.path(), &config);
    for index in ["1/3", "3/3"] {
        ok(shard(&config, &out, index));
    }
    let before = fs::read(out.join("games.csv")).expect("games");
    let merged = agon(&["merge", text(&out)]);
    assert_eq!((merged.status.code(), stdout(&merged)), (Some(8), "2\n".to_owned()));
    assert_eq!(fs::read(out.join("games.csv")).expect("games"), before, "nothing is merged");
    assert_eq!(stdout(&ok(next(&out, &[]))), "2\n");
    // The node dies inside its shard; the same task resumes there.
    let child = start(&["--config", &config, "--out", text(&out), "--shard", "2/3", "-q"]);
    let part = out.join("wave-1/shard-2-of-3.part/games.csv");
    wait_for(|| part.exists() || !part.parent().expect("a folder").exists() || child.id() == 0);
    signal(&child, "-KILL");
    child.wait_with_output().expect("an end");
    ok(shard(&config, &out, "2/3"));
    let complete = next(&out, &[]);
    assert_eq!(complete.status.code(), Some(2), "{}", stderr(&complete));
    assert!(stderr(&complete).contains("agon merge"), "{}", stderr(&complete));
    ok(agon(&["merge", text(&out), "-q"]));
    // One machine may play on, and a task of the merged wave that comes late does nothing.
    let late = ok(agon(&["--config", &config, "--out", text(&out), "--shard", "2/3"]));
    assert!(stderr(&late).contains("wave 1 is merged already"), "{}", stderr(&late));
    agon(&["--config", &config, "--out", text(&out), "-q"]);
    assert!(content(&out) == expected);
}

#[test]
fn batch_systems_give_the_number_of_the_shard() {
    let dir = tempfile::tempdir().expect("a folder");
    let (config, out) = begun(dir.path(), "best");
    let within = |index: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.env("SLURM_ARRAY_TASK_ID", index);
        command.args(["--config", &config, "--out", text(&out), "--shard", "auto"]).args(more);
        command.output().expect("the program")
    };
    let output = ok(within("1", &[]));
    assert!(stderr(&output).contains("wave 1, shard 1 of 3"), "{}", stderr(&output));
    ok(within("2", &[]));
    ok(within("3", &["--shards", "3"]));
    let output = within("4", &[]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    ok(agon(&["merge", text(&out), "-q"]));
    // A wave has no more shards than opening pairs; tasks without a shard end with success.
    assert_eq!(stdout(&ok(next(&out, &["--shards", "500"]))), "1-12\n");
    let output = ok(within("401", &[]));
    assert!(stderr(&output).contains("only 12 shards"), "{}", stderr(&output));
    ok(shard(&config, &out, "401/500"));
    ok(shard(&config, &out, "12/500"));
    let shards = fs::read_dir(out.join("wave-2")).expect("the second wave");
    let names: Vec<_> = shards.map(|shard| shard.expect("a shard").file_name()).collect();
    assert_eq!(names, ["shard-12-of-12"]);
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_is_lost() {
    let dir = tempfile::tempdir().expect("a folder");
    let (config, out) = begun(dir.path(), "ranking");
    let refused = |output: &Output, words: &str, help: &str| {
        let said = stderr(output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(words) && said.contains(help), "{words}: {said}");
    };
    let other = dir.path().join("other");
    refused(&shard(&config, &other, "1/3"), "there is no wave", "agon next");
    assert!(!other.exists());
    refused(&shard(&config, &out, "1/4"), "wave 1 has 3 shards", "agon next");
    refused(&next(&dir.path().join("nothing"), &[]), "does not exist", "--config");
    refused(&agon(&["next"]), "DIR", "agon next --help");
    let fixed = write(dir.path(), "fixed.toml", &pig("round-robin", ""));
    let output = agon(&["next", "--config", &fixed, "--out", text(&other), "--shards", "2"]);
    refused(&output, "plays in one round", "--shard K/N");
    let first = agon(&["next", "--config", &config, "--out", text(&other)]);
    refused(&first, "how many shards", "--shards N");
    assert!(!other.exists());
    let seeded = write(dir.path(), "seed.toml", &pig("ranking", "").replace("11", "12"));
    let output = agon(&["next", "--config", &seeded, "--out", text(&out)]);
    refused(&output, "seed: now 12, there 11", "--out DIR");
    refused(&shard(&seeded, &out, "1/3"), "seed: now 12, there 11", "--out DIR");
    for index in ["1/3", "2/3", "3/3"] {
        ok(shard(&config, &out, index));
    }
    refused(&next(&out, &["--shards", "4"]), "divided into 3 shards", "leave `--shards` out");
    // A copy of the first wave comes again, after the second wave began.
    let old = dir.path().join("old");
    assert!(
        Command::new("cp").args(["-r", text(&out), text(&old)]).status().expect("cp").success()
    );
    ok(agon(&["merge", text(&out), "-q"]));
    ok(next(&out, &[]));
    let games = fs::read_to_string(out.join("games.csv")).expect("games");
    let older = agon(&["merge", text(&out), text(&old.join("wave-1"))]);
    refused(&older, "is a shard of wave 1, and wave 2", "agon next");
    // A folder without waves gets no shard of one.
    let elsewhere = dir.path().join("elsewhere");
    let output = agon(&["merge", text(&elsewhere), text(&old.join("wave-1"))]);
    refused(&output, "there is no wave", "agon next");
    // The games do not follow from each other.
    let lines: Vec<&str> = games.lines().collect();
    for (broken, words) in [
        ([&lines[..3], &lines[4..]].concat(), "the schedule has another game there"),
        (lines[..lines.len() - 2].to_vec(), "games.csv ends in round 1"),
    ] {
        fs::write(out.join("games.csv"), broken.join("\n") + "\n").expect("writable");
        refused(&shard(&config, &out, "1/3"), words, "help: ");
        refused(&agon(&["merge", text(&out)]), words, "help: ");
    }
    fs::write(out.join("games.csv"), games).expect("writable");
    let all = numbers(&stdout(&ok(next(&out, &[])))).len();
    ok(shard(&config, &out, &format!("1/{all}")));
}

#[test]
fn a_merge_of_a_wave_that_was_killed_is_merged_by_the_same_command() {
    let dir = tempfile::tempdir().expect("a folder");
    let (config, out) = begun(dir.path(), "best");
    for index in ["1/3", "2/3", "3/3"] {
        ok(shard(&config, &out, index));
    }
    let copy = dir.path().join("copy");
    let copied = Command::new("cp").args(["-r", text(&out), text(&copy)]).status();
    assert!(copied.expect("cp").success());
    ok(agon(&["merge", text(&copy), "-q"]));
    for pause in [0, 3, 6, 12, 20, 30] {
        let child = start(&["merge", text(&out), "-q"]);
        std::thread::sleep(std::time::Duration::from_millis(pause));
        signal(&child, "-KILL");
        child.wait_with_output().expect("an end");
    }
    ok(agon(&["merge", text(&out), "-q"]));
    assert!(content(&out) == content(&copy));
    assert_eq!(stdout(&ok(next(&out, &[]))), stdout(&ok(next(&copy, &[]))));
}
