//! Engines whose provider fails: no game is lost, and a run whose provider stays unavailable resumes.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::engine_run::EngineRun;
use crate::engines::{AGON, ROGUE};
use crate::support::{games_without_times, write};

/// A run of an engine, named `bot`, against `random`.
fn run_of(command: &str, games: u64, keys: &str) -> EngineRun {
    let rest = format!(
        "[[agents]]\nkind = \"random\"\n[openings]\nkind = \"random\"\nplies = 6\n\
         [schedule]\ngames = {games}\nallow_duplicates = true\n[output]\nreport = false"
    );
    EngineRun::new(command, keys, &rest)
}

impl EngineRun {
    fn manifest(&self) -> serde_json::Value {
        let text = fs::read_to_string(self.out().join("manifest.json")).expect("a manifest");
        serde_json::from_str(&text).expect("JSON")
    }

    /// How often each reason ended a game.
    fn reasons(&self, reason: &str) -> usize {
        self.games().iter().filter(|row| row["reason"] == reason).count()
    }
}

/// The command of the faulty engine.
fn rogue(arguments: &str) -> String {
    format!("\"{ROGUE} {arguments} --game connect4\"")
}

/// The games of an engine whose provider never fails.
fn faultless(games: u64) -> String {
    let run = run_of(&rogue("instant"), games, "");
    let (code, said) = run.finish(2);
    assert_eq!(code, Some(0), "{said}");
    games_without_times(&run.out())
}

fn flaky(failures: &Path, games: u64) -> EngineRun {
    let keys = format!("env = {{ ROGUE_FAILURES = \"{}\" }}", failures.display());
    run_of(&rogue("flaky --one-in 120"), games, &keys)
}

fn lines(path: &Path) -> u64 {
    fs::read_to_string(path).map_or(0, |text| text.lines().count() as u64)
}

#[test]
fn games_are_played_again_while_a_provider_fails() {
    // 600 games have about 5000 moves of the engine.
    const GAMES: u64 = 600;
    let expected = faultless(GAMES);
    for jobs in [1, 4] {
        let dir = tempfile::tempdir().expect("a folder");
        let failures = dir.path().join("failures");
        let run = flaky(&failures, GAMES);
        let (code, said) = run.finish(jobs);
        assert_eq!(code, Some(0), "{said}");
        assert_eq!(games_without_times(&run.out()), expected, "{jobs} threads");
        let manifest = run.manifest();
        assert!(lines(&failures) > 0, "a failure in one of 120 moves");
        assert_eq!(manifest["unavailable"]["bot"], lines(&failures));
        assert_eq!(
            (manifest["voids"].as_u64(), &manifest["faults"]),
            (Some(0), &serde_json::json!({}))
        );
        let again = format!("the provider of `bot` was unavailable {} times", lines(&failures));
        let report = Command::new(AGON).arg("report").arg(run.out()).output().expect("agon runs");
        let report = String::from_utf8_lossy(&report.stdout).replace('\n', " ");
        assert!(report.contains(&again), "{report}");
        let logs = fs::read_dir(run.out()).expect("a folder").filter(|file| {
            let name = file.as_ref().expect("a file").file_name();
            name.to_string_lossy().starts_with("engine-bot-unavailable-game-")
        });
        assert_eq!(logs.count(), 1);
    }
}

#[test]
fn a_killed_run_resumes_while_a_provider_fails() {
    const GAMES: u64 = 600;
    let dir = tempfile::tempdir().expect("a folder");
    let run = flaky(&dir.path().join("failures"), GAMES);
    for wait in [200, 300, 400] {
        let mut child = run.command(4).spawn().expect("agon runs");
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().expect("it runs, or it has ended");
        let status = child.wait().expect("it ends");
        assert!(wait > 200 || status.signal() == Some(9), "it was killed: {status}");
    }
    let (code, said) = run.finish(4);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(games_without_times(&run.out()), faultless(GAMES));
}

/// An engine whose provider fails from its fourth move on, until there is a file.
fn down_until(file: &Path, fault: &str) -> String {
    format!(
        "[\"sh\", \"-c\", \"[ -e {0} ] && exec {ROGUE} instant --game connect4; \
         exec {ROGUE} {fault} --game connect4\"]",
        file.display()
    )
}

#[test]
fn a_run_whose_provider_stays_unavailable_ends_and_resumes() {
    for fault in ["temp-fail --after 3", "unavailable --after 3", "unavailable-only --after 3"] {
        let dir = tempfile::tempdir().expect("a folder");
        let up = dir.path().join("up");
        let run = run_of(&down_until(&up, fault), 40, "unavailable_wait = 1");
        let begin = Instant::now();
        let (code, said) = run.finish(2);
        assert_eq!(code, Some(75), "{fault}: {said}");
        assert!(begin.elapsed() >= Duration::from_secs(1), "{fault}: {said}");
        assert!(said.contains("cannot be played: `bot`: its provider is unavailable"), "{said}");
        assert!(said.contains("of 40 games; the same command continues"), "{said}");
        assert!(run.out().join("agents.csv").exists(), "{fault}: tables are written");
        assert_eq!(run.manifest()["status"], "interrupted");
        fs::write(&up, "").expect("a file");
        let (code, said) = run.finish(2);
        assert_eq!(code, Some(0), "{fault}: {said}");
        assert_eq!(games_without_times(&run.out()), faultless(40), "{fault}");
    }
}

/// The check before the first game used to call such an engine one that does not speak UGI.
#[test]
fn a_provider_that_is_unavailable_at_the_start_is_waited_for() {
    let dir = tempfile::tempdir().expect("a folder");
    let up = dir.path().join("up");
    let script = format!(
        "[ -e {0} ] && exec {ROGUE} instant --game connect4; echo no network >&2; exit 75",
        up.display()
    );
    let run = run_of(&format!("[\"sh\", \"-c\", \"{script}\"]"), 40, "unavailable_wait = 1");
    let (code, said) = run.finish(2);
    assert_eq!(code, Some(75), "{said}");
    assert!(said.contains("exit status 75") && said.contains("no network"), "{said}");
    assert!(said.contains("stopped after 0 of 40 games"), "{said}");
    fs::write(&up, "").expect("a file");
    let (code, said) = run.finish(2);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(games_without_times(&run.out()), faultless(40));
}

#[test]
fn without_a_wait_a_failure_of_the_provider_is_a_forfeit() {
    let keys = "unavailable_wait = 0\nmax_consecutive_forfeits = 0";
    for (fault, reason) in [
        ("temp-fail", "crash"),
        ("unavailable", "illegal move"),
        ("unavailable-only", "illegal move"),
    ] {
        let run = run_of(&rogue(fault), 2, keys);
        let (code, said) = run.finish(1);
        assert_eq!(code, Some(5), "{fault}: {said}");
        assert_eq!(run.reasons(reason), 2, "{fault}: {said}");
    }
}

#[test]
fn a_longer_wait_continues_the_same_run() {
    let dir = tempfile::tempdir().expect("a folder");
    let run = run_of(&down_until(&dir.path().join("up"), "temp-fail"), 4, "unavailable_wait = 1");
    assert_eq!(run.finish(1).0, Some(75));
    let mut command = run.command(1);
    command.args(["--set", "agents.bot.unavailable_wait=2"]);
    let output = command.output().expect("agon runs");
    assert_eq!(output.status.code(), Some(75), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn ctrl_c_ends_the_wait_for_a_provider() {
    let run = run_of(&rogue("temp-fail"), 4, "");
    let child = run.command(1).spawn().expect("agon runs");
    std::thread::sleep(Duration::from_secs(2));
    let begin = Instant::now();
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("it waits");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    assert!(begin.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_shard_whose_provider_stays_unavailable_resumes() {
    let dir = tempfile::tempdir().expect("a folder");
    let up = dir.path().join("up");
    let run = run_of(&down_until(&up, "temp-fail --after 3"), 40, "unavailable_wait = 1");
    let shard = |shard: &str| {
        let output = run.command(2).args(["--shard", shard]).output().expect("agon runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, said) = shard("1/2");
    assert_eq!(code, Some(75), "{said}");
    assert!(said.contains("of 20 games; the same command continues"), "{said}");
    fs::write(&up, "").expect("a file");
    for part in ["1/2", "2/2"] {
        let (code, said) = shard(part);
        assert_eq!(code, Some(0), "{said}");
    }
    let merged = Command::new(AGON).arg("merge").arg(run.out()).output().expect("agon runs");
    assert_eq!(merged.status.code(), Some(0), "{}", String::from_utf8_lossy(&merged.stderr));
    assert_eq!(games_without_times(&run.out()), faultless(40));
    let failures = run.manifest()["unavailable"]["bot"].as_u64();
    assert!(failures > Some(0), "the merged run counts them, too: {failures:?}");
}

#[test]
fn a_sweep_whose_provider_stays_unavailable_resumes() {
    let dir = tempfile::tempdir().expect("a folder");
    let up = dir.path().join("up");
    let mut run = run_of(&down_until(&up, "temp-fail --after 3"), 40, "unavailable_wait = 1");
    let text = fs::read_to_string(&run.config).expect("a config").replace("seed = 3\n", "");
    let text = text + "[sweep]\nseed = [3, 4]\n";
    run.config = write(run.dir.path(), "sweep.toml", &text);
    let (code, said) = run.finish(2);
    assert_eq!(code, Some(75), "{said}");
    assert!(!run.out().join("seed=4").exists(), "no other run begins: {said}");
    fs::write(&up, "").expect("a file");
    let (code, said) = run.finish(2);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(games_without_times(&run.out().join("seed=3")), faultless(40));
    assert!(run.out().join("seed=4/agents.csv").exists(), "{said}");
}
