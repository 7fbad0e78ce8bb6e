//! Tests of the main command: the program, its folder and its exit codes.

use std::fs;
use std::process::Command;

use crate::support::{agon, games_without_times, ok, stderr, stdout};

const CONFIG: &str = r#"
seed = 7
[game]
kind = "connect4"
[[agents]]
name = "random"
kind = "random"
[[agents]]
name = "mm{depth}"
kind = "minimax"
depth = [1, 2]
ties = "random"
[schedule]
format = "round-robin"
games = 60
include_self = true
[openings]
kind = "random"
plies = 3
"#;

/// The same without the page.
fn no_page() -> String {
    format!("{CONFIG}[output]\nreport = false\n")
}

#[test]
fn the_same_games_for_every_number_of_threads() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "c.toml", &no_page());
    let games = |jobs: &str| {
        let out = dir.path().join(jobs);
        ok(agon(&["--config", &config, "--out", out.to_str().expect("text"), "-j", jobs]));
        games_without_times(&out)
    };
    let one = games("1");
    assert_eq!(one.lines().count(), 1 + 6 * 60);
    assert_eq!(one, games("2"));
    assert_eq!(one, games("7"));
}

#[test]
fn another_seed_plays_other_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "c.toml", &no_page());
    let games = |seed: &str| {
        let out = dir.path().join(seed);
        agon(&["--config", &config, "--out", out.to_str().expect("text"), "--seed", seed]);
        games_without_times(&out)
    };
    assert_ne!(games("1"), games("2"));
}

#[test]
fn an_interrupted_run_goes_on_where_it_stopped() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "c.toml", &no_page());
    let out = dir.path().join("out");
    let arguments = ["--config", &config, "--out", out.to_str().expect("text")];
    agon(&arguments);
    let whole = games_without_times(&out);
    let tables = |name: &str| fs::read_to_string(out.join(name)).expect(name);
    let seats = tables("seats.csv");

    // As after a kill: some rows are missing, the last row is torn, and the status is old.
    let rows = fs::read_to_string(out.join("games.csv")).expect("games.csv");
    for keep in [rows.len() / 2, rows.len() / 3, 40, 3, 0] {
        fs::write(out.join("games.csv"), &rows[..keep]).expect("writable");
        let manifest = tables("manifest.json").replace("\"complete\"", "\"running\"");
        fs::write(out.join("manifest.json"), manifest).expect("writable");
        ok(agon(&arguments));
        assert_eq!(games_without_times(&out), whole);
        assert_eq!(tables("seats.csv"), seats);
    }
}

#[test]
fn a_complete_run_prints_its_tables_and_plays_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "c.toml", CONFIG);
    let out = dir.path().join("out");
    let arguments = ["--config", &config, "--out", out.to_str().expect("text")];
    let first = agon(&arguments);
    let rows = fs::read(out.join("games.csv")).expect("games.csv");
    let second = agon(&arguments);
    assert_eq!(stdout(&first), stdout(&second));
    assert!(stderr(&second).contains("complete"));
    assert_eq!(fs::read(out.join("games.csv")).expect("games.csv"), rows);
    let all = stdout(&agon(&[&arguments[..], &["-v"]].concat()));
    assert!(stdout(&first).lines().count() <= 8, "{}", stdout(&first));
    assert!(all.lines().count() > 8 && out.join("summary.txt").exists(), "{all}");
}

#[test]
fn resolved_toml_plays_the_same_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "c.toml", &no_page());
    let (one, two) = (dir.path().join("one"), dir.path().join("two"));
    agon(&["--config", &config, "--out", one.to_str().expect("text"), "--games", "20"]);
    let resolved = one.join("resolved.toml");
    let output =
        agon(&["--config", resolved.to_str().expect("text"), "--out", two.to_str().expect("text")]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(games_without_times(&one), games_without_times(&two));
}

#[test]
fn another_experiment_in_the_folder_is_refused_with_the_keys_that_differ() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "c.toml", &no_page());
    let out = dir.path().join("out");
    let arguments = ["--config", &config, "--out", out.to_str().expect("text")];
    agon(&arguments);
    let output = agon(&[&arguments[..], &["--seed", "8"]].concat());
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(text.contains("seed") && text.contains("--fresh") && text.contains("--out"), "{text}");
    ok(agon(&[&arguments[..], &["--seed", "8", "--fresh"]].concat()));
}

#[test]
fn a_time_needs_its_unit() {
    let output = agon(&["watch", "--config", "mine.toml", "--pace", "soon"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("write a time such as 2s or 200ms"), "{}", stderr(&output));
}

#[test]
fn slips_on_the_command_line_get_one_error_with_help() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "c.toml", CONFIG);
    for (words, error, help) in [
        (&["--config", &config, "--games", "-5"][..], "'-5'", "--help"),
        (&["--games", "-5"], "'-5'", "--help"),
        (&["--set", "game.columns=8"], "there is no config to play", "`agon run FILE`"),
        (&["-q"], "there is no config to play", "`agon run FILE`"),
        (&["-c", &config], "'-c'", "`agon run FILE`"),
        (&["check-engine", "./engine", "--hash", "5"], "'--hash'", "own options after `--`"),
    ] {
        let output = agon(words);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        let lines: Vec<&str> = said.lines().collect();
        assert!(lines.len() == 2 && lines[0].starts_with("error: "), "{words:?}: {said}");
        assert!(lines[0].contains(error) && !said.contains("9223372036854775807"), "{said}");
        assert!(lines[1].starts_with("help: ") && lines[1].contains(help), "{said}");
    }
}

#[test]
fn two_deterministic_agents_need_no_openings_in_the_config() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = "[game]\nkind = \"connect4\"\n[[agents]]\nname = \"mm{depth}\"\n\
                kind = \"minimax\"\ndepth = [1, 2]\n[schedule]\ngames = 20\n";
    let output = ok(crate::support::play(dir.path(), text, &[]));
    let said = stdout(&output);
    assert!(said.contains("random openings of 4 plies"), "{said}");
    assert!(said.contains("20 games (20 distinct)"), "{said}");
}

#[test]
fn a_file_in_place_of_the_folder_is_one_error_and_exit_code_2() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "c.toml", CONFIG);
    let blocked = crate::support::write(dir.path(), "blocked", "a file, not a folder");
    let output = agon(&["--config", &config, "--out", &blocked]);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(text.contains("blocked"), "{text}");
    assert!(!text.contains("panicked"), "{text}");
}

#[test]
fn files_of_other_programs_are_not_touched() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "c.toml", CONFIG);
    let out = dir.path().join("out");
    fs::create_dir(&out).expect("a folder");
    crate::support::write(&out, "summary.txt", "my own notes");
    for more in [&[][..], &["--fresh"]] {
        let arguments = ["--config", &config, "--out", out.to_str().expect("text")];
        let output = agon(&[&arguments[..], more].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("summary.txt"), "{}", stderr(&output));
    }
    let notes = fs::read_to_string(out.join("summary.txt")).expect("still there");
    assert_eq!(notes, "my own notes");
    assert_eq!(fs::read_dir(&out).expect("a folder").count(), 1);
}

#[test]
fn a_config_in_its_own_results_folder_survives_fresh() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "c.toml", CONFIG);
    let out = dir.path().join("out");
    let out = out.to_str().expect("text");
    agon(&["--config", &config, "--out", out, "--games", "4"]);
    let resolved = format!("{out}/resolved.toml");
    ok(agon(&["--config", &resolved, "--out", out, "--fresh"]));
    assert_eq!(games_without_times(out.as_ref()).lines().count(), 1 + 6 * 4);
}

#[test]
fn two_processes_do_not_share_a_folder() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "c.toml", CONFIG);
    let out = dir.path().join("out");
    let arguments = ["--config", &config, "--out", out.to_str().expect("text"), "--games", "20"];
    agon(&arguments);
    // A complete folder is only read; an incomplete folder is written to.
    let manifest = out.join("manifest.json");
    let text = fs::read_to_string(&manifest).expect("manifest.json");
    fs::write(&manifest, text.replace("\"complete\"", "\"running\"")).expect("writable");
    let held = fs::File::create(out.join(".lock")).expect("a lock file");
    held.lock().expect("a lock");
    let output = agon(&arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("another agon"), "{}", stderr(&output));
    drop(held);
    assert_eq!(agon(&arguments).status.code(), Some(0));
}

#[test]
fn results_whose_config_is_lost_are_no_other_experiment() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "c.toml", CONFIG);
    let out = dir.path().join("out");
    let arguments = ["--config", &config, "--out", out.to_str().expect("text"), "--games", "4"];
    agon(&arguments);
    fs::remove_file(out.join("resolved.toml")).expect("removed");
    let output = agon(&[&arguments[..], &["--seed", "9"]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn a_dry_run_writes_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "c.toml", CONFIG);
    let out = dir.path().join("out");
    let output = agon(&["--config", &config, "--out", out.to_str().expect("text"), "--dry-run"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("360 games"), "{}", stdout(&output));
    assert!(!out.exists());
}

#[test]
fn signals_stop_cleanly_and_the_run_resumes() {
    use std::os::unix::process::ExitStatusExt;
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "c.toml", CONFIG);
    let config = ["--config", &config, "--set", "openings.plies=6"];
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        // On a busy machine, a run may end before the signal arrives.
        let stopped = ["2000", "8000", "8200"].iter().any(|games| {
            let out = dir.path().join(format!("{games}{signal}"));
            let out_text = out.to_str().expect("text");
            let arguments = [&config[..], &["--games", games, "--out", out_text]].concat();
            // The tests themselves may run with SIGHUP ignored, and child processes inherit that.
            let mut child = Command::new("env")
                .args(["--default-signal=HUP", env!("CARGO_BIN_EXE_agon")])
                .args(&arguments)
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::piped())
                .spawn()
                .expect("the program");
            while fs::read(out.join("games.csv")).map_or(0, |b| b.len()) < 10_000
                && child.try_wait().expect("a child").is_none()
            {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            let id = child.id().to_string();
            Command::new("kill").args([signal, &id]).status().expect("kill");
            let output = child.wait_with_output().expect("an end");
            assert_eq!(output.status.signal(), None);
            if output.status.code() == Some(0) {
                return false;
            }
            assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
            if !stderr(&output).contains("stopped after") {
                // All games were played, and only tables were missing.
                return false;
            }
            assert!(stderr(&output).contains("continues"), "{}", stderr(&output));
            let rows = fs::read_to_string(out.join("games.csv")).expect("games.csv");
            assert!(rows.ends_with('\n'));
            let manifest = fs::read_to_string(out.join("manifest.json")).expect("manifest.json");
            assert!(manifest.contains("\"interrupted\""));
            ok(agon(&arguments));
            assert!(fs::read_to_string(out.join("games.csv")).expect("csv").starts_with(&rows));
            true
        });
        assert!(stopped, "no run could be stopped by {signal}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nohup_keeps_a_run_alive() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "c.toml", CONFIG);
    let out = dir.path().join("out");
    let mut child = Command::new("sh")
        .args(["-c", "trap '' HUP; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_agon"), "-q"])
        .args(["--config", &config, "--set", "openings.plies=6", "--games", "1000", "--out"])
        .arg(&out)
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("the program");
    while fs::read(out.join("games.csv")).map_or(0, |bytes| bytes.len()) < 5_000 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    Command::new("kill").args(["-HUP", &child.id().to_string()]).status().expect("kill");
    assert_eq!(child.wait().expect("an end").code(), Some(0));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = crate::support::write(dir.path(), "c.toml", CONFIG);
    let out = dir.path().join("out");
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["--config", &config, "--quiet", "--out", out.to_str().expect("text")])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("an end");
    assert_eq!(stderr(&output), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn without_arguments_help_is_shown_and_the_code_is_2() {
    let output = agon(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("agon match"));
    let output = agon(&["run", "--help"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("130"), "exit codes are in the help");
}
