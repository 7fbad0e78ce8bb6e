//! Tests of shards and merging: the result has the same bytes as a run on one machine.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::endure::{Dice, FORMATS, content, experiment, same, signal, start};
use crate::engines::ROGUE;
use crate::support::{agon, ok, resealed, stderr, stdout, write};

/// Plays with these environment variables, separated by spaces.
fn within(variables: &str, arguments: &[&str]) -> Output {
    let set = variables.split(' ').filter_map(|one| one.split_once('='));
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.envs(set).args(arguments).output().expect("the program")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("text")
}

#[test]
fn merged_shards_are_the_run_of_one_machine() {
    let dir = tempfile::tempdir().expect("a folder");
    for (format, games, count) in FORMATS.map(|format| (format, 14, 3)).into_iter().chain([
        // More shards than pairs.
        ("match", 4, 5),
    ]) {
        let config = write(dir.path(), "c.toml", &experiment(format, games));
        let whole = dir.path().join("whole");
        let code = agon(&["--config", &config, "--out", text(&whole), "--fresh"]).status.code();
        let out = dir.path().join(format!("{format}-{count}"));
        // In any order.
        for index in (1..=count).rev() {
            let shard = format!("{index}/{count}");
            let output = ok(agon(&["--config", &config, "--out", text(&out), "--shard", &shard]));
            assert_eq!(stdout(&output), "");
        }
        let output = agon(&["merge", text(&out)]);
        assert_eq!(output.status.code(), code, "{}", stderr(&output));
        same(&out, &content(&whole));
        // A different folder, and shards named one by one, one of them twice.
        let other = dir.path().join(format!("{format}-{count}-other"));
        let mut named: Vec<String> =
            (1..=count).map(|index| format!("{}/shard-{index}-of-{count}", text(&out))).collect();
        named.push(named[0].clone());
        let named: Vec<&str> = named.iter().map(String::as_str).collect();
        let output = agon(&[&["merge", text(&other)][..], &named].concat());
        assert_eq!(output.status.code(), code, "{}", stderr(&output));
        same(&other, &content(&whole));
        // The main command also accepts the merged run as complete.
        let output = agon(&["--config", &config, "--out", text(&out)]);
        assert!(stderr(&output).contains("nothing is played"), "{}", stderr(&output));
    }
}

#[test]
fn missing_shards_are_named_as_batch_systems_read_them() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", &experiment("match", 20));
    let out = dir.path().join("out");
    for index in [1, 4, 8] {
        let shard = format!("{index}/10");
        agon(&["--config", &config, "--out", text(&out), "--shard", &shard]);
    }
    // An incomplete shard does not count.
    fs::rename(out.join("shard-08-of-10"), out.join("shard-08-of-10.part")).expect("renamed");
    let output = agon(&["merge", text(&out)]);
    assert_eq!(output.status.code(), Some(8));
    assert_eq!(stdout(&output), "2-3,5-10\n");
    assert!(!out.join("games.csv").exists());
    // Played again as part of an array.
    for index in [2, 3, 5, 6, 7, 8, 9, 10] {
        let variables = format!(
            "SLURM_ARRAY_TASK_ID={index} SLURM_ARRAY_TASK_MIN=2 SLURM_ARRAY_TASK_MAX=10 \
             SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=8"
        );
        let arguments =
            ["--config", &config, "--out", text(&out), "--shard", "auto", "--shards", "10"];
        let output = ok(within(&variables, &arguments));
        assert!(stderr(&output).contains("SLURM_ARRAY_TASK_ID"), "{}", stderr(&output));
    }
    // Existing shards are not played again.
    let before = fs::read(out.join("shard-03-of-10/games.csv")).expect("games.csv");
    let output = agon(&["--config", &config, "--out", text(&out), "--shard", "3/10"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("complete already"), "{}", stderr(&output));
    assert_eq!(fs::read(out.join("shard-03-of-10/games.csv")).expect("games.csv"), before);
    assert_eq!(agon(&["merge", text(&out)]).status.code(), Some(0));
    assert_eq!(fs::read_to_string(out.join("games.csv")).expect("games").lines().count(), 21);
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", &experiment("match", 20));
    let out = |name: &str| dir.path().join(name);
    let shard = |name: &str, shard: &str, more: &[&str]| {
        let out = out(name);
        let arguments = ["--config", &config, "--out", text(&out), "--shard", shard];
        agon(&[&arguments, more].concat())
    };
    let refused = |output: &Output, words: &str| {
        assert_eq!(output.status.code(), Some(2), "{}", stderr(output));
        assert!(stderr(output).contains(words), "{words}: {}", stderr(output));
    };
    shard("a", "1/2", &[]);
    shard("b", "2/2", &["--seed", "5"]);
    let (one, two) = (out("a").join("shard-1-of-2"), out("b").join("shard-2-of-2"));
    refused(&agon(&["merge", text(&out("m")), text(&one), text(&two)]), "seed: now 9, there 5");
    // A different number of shards or a different experiment is detected before the first game.
    refused(&shard("a", "1/3", &[]), "has shards of 2");
    refused(&shard("a", "2/2", &["--seed", "5"]), "seed: now 5, there 9");
    shard("c", "1/3", &[]);
    let three = out("c").join("shard-1-of-3");
    refused(&agon(&["merge", text(&out("m")), text(&one), text(&three)]), "one division only");
    // The same shard with a different result.
    shard("a", "2/2", &[]);
    shard("d", "1/2", &[]);
    let twin = out("d").join("shard-1-of-2");
    let rows = fs::read_to_string(twin.join("games.csv")).expect("games.csv");
    let mut lines: Vec<String> = rows.lines().map(str::to_owned).collect();
    lines[3] = lines[3].replacen(",line,", ",crash,", 1).replacen(",board full,", ",crash,", 1);
    fs::write(twin.join("games.csv"), resealed(&lines.join("\n"))).expect("writable");
    let output = agon(&["merge", text(&out("m")), text(&out("a")), text(&twin)]);
    refused(&output, "differ in game 3");
    refused(&agon(&["merge", text(&out("nothing"))]), "no shards");
    refused(&agon(&["merge", text(&out("m")), text(dir.path())]), "contains none");
    assert!(!out("m").join("games.csv").exists());
    refused(
        &within("", &["--config", &config, "--shard", "auto"]),
        "Slurm did not start this process",
    );
    refused(
        &within("SLURM_ARRAY_TASK_ID=1", &["--config", &config, "--shard", "auto"]),
        "--shards N",
    );
    let output = shard("e", "3/2", &[]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_test_ends_at_the_pair_where_one_machine_ends_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = "seed = 5\n[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"new\"\n\
                  kind = \"minimax\"\ndepth = 2\nties = \"random\"\n[[agents]]\nname = \"old\"\n\
                  kind = \"random\"\n[output]\nmoves = true\n[sprt]\nelo1 = 50\nmax_games = 2000\n";
    let config = write(dir.path(), "c.toml", config);
    let (whole, out) = (dir.path().join("whole"), dir.path().join("out"));
    agon(&["--config", &config, "--out", text(&whole)]);
    let play = |index: u64| {
        let shard = format!("{index}/100");
        let output = ok(agon(&["--config", &config, "--out", text(&out), "--shard", &shard]));
        stderr(&output)
    };
    for index in [2, 3, 4, 5] {
        play(index);
        assert!(!out.join("STOP").exists(), "the run of shards is broken");
    }
    assert!(play(1).contains("H1 accepted at game"));
    assert!(fs::read_to_string(out.join("STOP")).expect("STOP").contains("H1 accepted at game"));
    assert!(play(6).contains("is not needed"));
    assert!(!out.join("shard-006-of-100").exists());
    ok(agon(&["merge", text(&out)]));
    same(&out, &content(&whole));
}

#[test]
fn no_run_is_sharded_silently() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", &experiment("match", 4));
    let out = dir.path().join("out");
    let output = within("SLURM_ARRAY_TASK_ID=2", &["--config", &config, "--out", text(&out)]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("each plays everything"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(out.join("games.csv")).expect("games").lines().count(), 5);
}

#[test]
fn a_merge_that_was_killed_is_merged_by_the_same_command() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", &experiment("gauntlet", 200));
    let [whole, out] = ["whole", "out"].map(|name| dir.path().join(name));
    agon(&["--config", &config, "--out", text(&whole), "-q"]);
    for shard in ["1/2", "2/2"] {
        agon(&["--config", &config, "--out", text(&out), "--shard", shard, "-q"]);
    }
    let begin = Instant::now();
    agon(&["merge", text(&dir.path().join("probe")), text(&out)]);
    let time = begin.elapsed().as_micros() as u64;
    let mut dice = Dice::new();
    let mut killed = 0;
    for hit in ["-KILL", "-TERM", "-KILL", "-TERM", "-KILL", "-INT"] {
        let child = start(&["merge", text(&out)]);
        std::thread::sleep(Duration::from_micros(dice.below(time)));
        signal(&child, hit);
        killed += u64::from(!child.wait_with_output().expect("an end").status.success());
    }
    ok(agon(&["merge", text(&out)]));
    let bytes = same(&out, &content(&whole));
    println!("{killed} merges killed, {bytes} bytes compared");
    // As after a kill between the first file and the last.
    fs::remove_file(out.join("games.csv")).expect("there");
    let manifest = fs::read_to_string(out.join("manifest.json")).expect("manifest.json");
    fs::write(out.join("manifest.json"), manifest.replace("\"complete\"", "\"running\""))
        .expect("writable");
    assert_eq!(agon(&["merge", text(&out)]).status.code(), Some(0));
    same(&out, &content(&whole));
}

#[test]
fn logs_of_engines_that_failed_come_along() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = format!(
        "[game]\nkind = \"connect4\"\n[[agents]]\nname = \"rogue\"\nkind = \"engine\"\n\
         command = [\"{ROGUE}\", \"exit\"]\nprotocol = \"ugi\"\n\
         movetime = 5000\n[[agents]]\nkind = \"random\"\n[schedule]\ngames = 6\n\
         [openings]\nkind = \"random\"\nplies = 2\n"
    );
    let config = write(dir.path(), "c.toml", &config);
    let out = dir.path().join("out");
    for shard in ["1/2", "2/2"] {
        ok(agon(&["--config", &config, "--out", text(&out), "--shard", shard]));
    }
    let logs = |folder: &Path| -> BTreeMap<String, Vec<u8>> {
        let there = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
        let named = there.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry));
        let logs = named.filter(|(name, _)| name.starts_with("engine-rogue-game-"));
        logs.map(|(name, entry)| (name, fs::read(entry.path()).expect("a log"))).collect()
    };
    let mut expected = logs(&out.join("shard-1-of-2"));
    expected.extend(logs(&out.join("shard-2-of-2")));
    assert_eq!(expected.len(), 6, "{:?}", expected.keys());
    let output = agon(&["merge", text(&out)]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    assert!(logs(&out) == expected, "{:?}", logs(&out).keys());
    // The report links to the logs.
    let page = fs::read_to_string(out.join("report.html")).expect("a page");
    assert!(page.contains("engine-rogue-game-1.log"));
}

#[test]
fn a_damaged_shard_is_named_with_the_way_out() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", &experiment("match", 20));
    let out = dir.path().join("out");
    let play = |shard| agon(&["--config", &config, "--out", text(&out), "--shard", shard]);
    let (one, two) = (play("1/2"), play("2/2"));
    assert_eq!((one.status.code(), two.status.code()), (Some(0), Some(0)));
    let shard = out.join("shard-2-of-2");
    let rows = fs::read_to_string(shard.join("games.csv")).expect("games.csv");
    let row = rows.lines().nth(3).expect("a row");
    let cut: String = rows.lines().take(8).map(|line| format!("{line}\n")).collect();
    for (name, content, words) in [
        ("games.csv", cut, "games.csv ends before game 18"),
        ("games.csv", String::new(), "shard-2-of-2 is damaged: games.csv"),
        ("games.csv", rows.replace(row, "what is this?"), "games.csv: line 4 is damaged"),
        (
            "games.csv",
            rows.replace(&format!("{row}\n"), ""),
            "is game 14 of pairing 1 and not game 13",
        ),
    ] {
        let before = fs::read(shard.join(name)).expect(name);
        fs::write(shard.join(name), content).expect("writable");
        let output = agon(&["merge", text(&out)]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        let said = stderr(&output);
        assert!(said.contains(words) && said.contains("remove that folder"), "{words}: {said}");
        assert!(!out.join("manifest.json").exists(), "nothing is merged");
        fs::write(shard.join(name), before).expect("writable");
    }
    // A lost manifest is created again.
    fs::write(shard.join("manifest.json"), "{").expect("writable");
    assert_eq!(play("2/2").status.code(), Some(0));
    fs::remove_file(shard.join("manifest.json")).expect("there");
    let merged = dir.path().join("merged");
    ok(agon(&["merge", text(&merged), text(&out)]));
    fs::remove_dir_all(&shard).expect("there");
    // Deleting the shard and playing it again solves the problem.
    assert_eq!(play("2/2").status.code(), Some(0));
    assert_eq!(agon(&["merge", text(&out)]).status.code(), Some(0));
}
