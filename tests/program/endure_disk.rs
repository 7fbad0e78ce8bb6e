//! Tests of disk errors and deleted folders during a run.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::endure::{content, experiment, finished, same, start, wait_for};
use crate::support::{agon, ok, stderr, write};

/// Exactly one error and no panic.
fn one_error(output: &std::process::Output, words: &str) {
    let text = stderr(output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_eq!(text.matches("error: ").count(), 1, "{text}");
    assert!(text.contains(words) && !text.contains("panicked"), "{text}");
}

/// Plays an experiment on a disk that is too small, then with more space, and compares.
fn too_small(out: &Path, play: impl Fn(&[&str]) -> std::process::Output, make_room: impl FnOnce()) {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", &experiment("round-robin", 400));
    let whole = dir.path().join("whole");
    agon(&["--config", &config, "--out", whole.to_str().expect("text"), "-q"]);
    let arguments = ["--config", &config, "--out", out.to_str().expect("text"), "-q", "-j", "3"];
    one_error(&play(&arguments), "cannot write");
    let names = ["random, 1", "random 2", "mm1"].map(str::to_owned);
    let there = finished(out, &names);
    assert!(there.len() > 10, "what there was room for is there");
    make_room();
    ok(agon(&arguments));
    same(out, &content(&whole));
    let rows = finished(out, &names);
    for (game, row) in &there {
        assert_eq!(rows.get(game), Some(row), "what was on the disk was not played again");
    }
}

#[test]
fn a_file_that_may_not_grow_is_one_error_and_the_run_goes_on_later() {
    let dir = tempfile::tempdir().expect("a folder");
    let limited = |arguments: &[&str]| {
        let script = "ulimit -f 100 && exec \"$0\" \"$@\"";
        let program = env!("CARGO_BIN_EXE_agon");
        let mut command = Command::new("bash");
        command.args(["-c", script, program]).args(arguments).output().expect("bash")
    };
    too_small(&dir.path().join("out"), limited, || {});
}

/// A separate file system, until dropped.
struct Mounted<'a>(&'a Path);

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
#[cfg(target_os = "linux")]
#[ignore = "needs the right to mount a file system: run by .ci/run"]
fn a_full_disk_is_one_error_and_the_run_goes_on_later() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().to_str().expect("text");
    let mount = |options: &str| {
        let mut command = Command::new("mount");
        let output = command.args(["-t", "tmpfs", "-o", options, "tmpfs", path]).output();
        let output = output.expect("a program `mount`");
        assert!(output.status.success(), "mount: {}", stderr(&output));
    };
    mount("size=128k");
    let _mounted = Mounted(dir.path());
    too_small(&dir.path().join("out"), agon, || mount("remount,size=16m"));
}

#[test]
fn a_folder_that_vanishes_is_one_error() {
    let dir = tempfile::tempdir().expect("a folder");
    // The run does not end by itself.
    let endless =
        experiment("match", 100_000_000).replace("[openings]\nkind = \"random\"\nplies = 6\n", "");
    let config = write(dir.path(), "c.toml", &endless);
    let out = dir.path().join("out");
    let child = start(&["--config", &config, "--out", out.to_str().expect("text"), "-q"]);
    wait_for(|| fs::metadata(out.join("games.csv")).is_ok_and(|data| data.len() > 5000));
    fs::rename(&out, dir.path().join("gone")).expect("renamed");
    let output = child.wait_with_output().expect("an end");
    one_error(&output, "removed or replaced");
    // The moved folder has complete rows, and the run resumes there.
    let rows = fs::read_to_string(dir.path().join("gone/games.csv")).expect("games.csv");
    assert!(rows.lines().count() > 10);
}

#[test]
fn a_folder_that_may_not_be_written_any_more_is_one_error_and_keeps_its_games() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().expect("a folder");
    let many = experiment("match", 20_000).replace("plies = 6", "plies = 8");
    let config = write(dir.path(), "c.toml", &many);
    let out = dir.path().join("out");
    let allow = |mode| fs::set_permissions(&out, fs::Permissions::from_mode(mode)).expect("mine");
    fs::create_dir(&out).expect("writable");
    allow(0o555);
    let privileged = fs::write(out.join("probe"), "").is_ok();
    allow(0o755);
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    if privileged {
        fs::remove_file(out.join("probe")).expect("removed");
        // The superuser may write everywhere; a program without this capability may not.
        command = Command::new("setpriv");
        command.args(["--bounding-set=-dac_override", env!("CARGO_BIN_EXE_agon")]);
    }
    command.args(["--config", &config, "--out", out.to_str().expect("text"), "-q"]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    wait_for(|| fs::metadata(out.join("games.csv")).is_ok_and(|data| data.len() > 500));
    allow(0o555);
    let output = child.wait_with_output().expect("an end");
    allow(0o755);
    one_error(&output, "cannot write");
    let names = ["random, 1", "random 2"].map(str::to_owned);
    let there = finished(&out, &names);
    assert!(there.len() > 3, "what was allowed is there");
    ok(agon(&["--config", &config, "--out", out.to_str().expect("text"), "-q"]));
    let rows = finished(&out, &names);
    assert_eq!(rows.len(), 20_000);
    assert!(there.iter().all(|(game, row)| rows.get(game) == Some(row)), "nothing is lost");
}
