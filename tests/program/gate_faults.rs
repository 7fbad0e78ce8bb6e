//! Tests of `agon gate` with sides that crash, hang or forfeit, and of signals. No test asserts a time.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

use crate::endure::{signal, wait_for};
use crate::engines::{AGON, ROGUE, processes_left, processes_with};
use crate::gate::{CONFIG, build, figure};
use crate::support::{agon, ok, stderr, stdout, write};

/// A folder with a config, and the folder of its gate.
struct Place {
    dir: tempfile::TempDir,
    config: String,
    out: String,
}

impl Place {
    fn new(config: &str) -> Place {
        let dir = tempfile::tempdir().expect("a folder");
        let config = write(dir.path(), "gate.toml", config);
        let out = dir.path().join("out").display().to_string();
        Place { dir, config, out }
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn start(&self, old: &str, new: &str, more: &[&str]) -> Child {
        Command::new(AGON)
            .args(["gate", old, new, &self.config, "--out", &self.out])
            .args(more)
            .env("AGON_GATE_TEST", self.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("agon starts")
    }

    fn gate(&self, old: &str, new: &str, more: &[&str]) -> Output {
        self.start(old, new, more).wait_with_output().expect("an end")
    }

    /// What the environment of all processes of the gate has.
    fn mark(&self) -> String {
        format!("AGON_GATE_TEST={}", self.path().display())
    }

    fn blocks(&self) -> usize {
        let slices = fs::read_to_string(Path::new(&self.out).join("slices.csv"));
        slices.unwrap_or_default().lines().count().saturating_sub(1)
    }

    fn report(&self, side: &str) -> String {
        stdout(&ok(agon(&["report", &format!("{}/{side}", self.out)])))
    }

    /// A build of agon that does this in slice `number` that it plays, from 1.
    fn faulty(&self, number: u32, fault: &str) -> String {
        let count = self.path().join("count").display().to_string();
        let before = format!(
            "case \"$*\" in *--shard*) echo >> {count}; \
             [ $(wc -l < {count}) -lt {number} ] || {{ {fault}; }};; esac"
        );
        build(self.path(), "faulty", &before)
    }
}

/// Exactly one error with these words, and this exit code.
#[track_caller]
fn one_error(output: &Output, code: i32, words: &[&str]) {
    let text = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{text}");
    assert_eq!(text.matches("error: ").count(), 1, "{text}");
    assert!(words.iter().all(|word| text.contains(word)), "{text}");
    assert!(stdout(output).is_empty(), "{}", stdout(output));
}

/// The blocks before a crash were lost, and no command could read the games.
#[test]
fn a_crash_is_one_error_and_keeps_what_was_played() {
    let place = Place::new(CONFIG);
    // The config has two slices, so the seventh is played for its time.
    let crashes = place.faulty(7, "kill -SEGV $$");
    let output = place.gate(AGON, &crashes, &["--budget", "600s"]);
    one_error(&output, 1, &["the new side failed: signal 11, SIGSEGV", "the command was `"]);
    assert_eq!(place.blocks(), 6);
    assert!(stderr(&output).contains("kept: 2 slices of the new side"), "{}", stderr(&output));
    for side in ["old", "new"] {
        assert!(place.report(side).starts_with("20 games"), "{}", place.report(side));
    }

    // In the first pass: the games of one slice are those of an interrupted run, which goes on.
    let place = Place::new(CONFIG);
    let crashes = place.faulty(2, "echo ouch >&2; exit 9");
    let output = place.gate(AGON, &crashes, &["--budget", "600s"]);
    one_error(&output, 1, &["the new side failed: exit status 9", "ouch"]);
    let new = format!("{}/new", place.out);
    assert!(place.report("new").starts_with("10 games"), "{}", place.report("new"));
    ok(agon(&["run", "--config", &place.config, "--out", &new, "-q"]));
    assert!(place.report("new").starts_with("20 games"), "{}", place.report("new"));
    // A gate that has played nothing does not need `--fresh` the next time.
    let place = Place::new(CONFIG);
    let crashes = build(place.path(), "faulty", "[ $1 = --version ] || kill -SEGV $$");
    for _ in 0..2 {
        one_error(&place.gate(AGON, &crashes, &[]), 1, &["the new side failed: signal 11"]);
    }
}

/// A hung side was waited for much longer than the budget, and its processes stayed.
#[test]
fn a_side_that_hangs_is_ended_with_its_processes() {
    let place = Place::new(CONFIG);
    let hangs = place.faulty(3, "sleep 600 & sleep 600");
    let output = place.gate(AGON, &hangs, &["--budget", "1s"]);
    one_error(&output, 1, &["the new side hangs: it did not end within", "`--budget`"]);
    assert_eq!(place.blocks(), 2);
    assert!(place.report("new").starts_with("20 games"));
    assert_eq!(processes_left(&place.mark()), [""; 0]);
}

#[test]
fn a_program_that_does_not_tell_its_version_is_not_waited_for() {
    let place = Place::new(CONFIG);
    let hangs = build(place.path(), "hangs", "sleep 600");
    let output = place.gate(AGON, &hangs, &[]);
    one_error(&output, 2, &["NEW is an engine (`--version` did not end within"]);
    assert_eq!(processes_left(&place.mark()), [""; 0]);
}

const ENGINES: &str = "seed = 1\n[game]\nkind = \"connect4\"\n[[agents]]\nname = \"engine\"\n\
    kind = \"engine\"\nprotocol = \"ugi\"\ncommand = \"none\"\ndepth = 1\n[[agents]]\n\
    name = \"other\"\nkind = \"random\"\n[schedule]\ngames = 20\n[openings]\n\
    kind = \"random\"\nplies = 2\n";

#[test]
fn forfeited_games_count_and_too_many_in_a_row_end_the_gate() {
    let place = Place::new(ENGINES);
    let [good, bad, worst] =
        ["instant", "exit --after 30", "exit"].map(|fault| format!("{ROGUE} {fault}"));
    // One process plays several games, so not each of them is forfeited.
    let output = place.gate(&good, &bad, &["--budget", "1s", "-q"]);
    assert!(stdout(&output).contains("games that engine forfeited"), "{}", stdout(&output));
    let output = place.gate(&good, &worst, &["--budget", "1s", "-q", "--fresh"]);
    one_error(&output, 5, &["the new side ended early: an agent forfeited"]);
    let text = stderr(&output);
    let folder = text.split("`agon report ").nth(1).and_then(|rest| rest.split('`').next());
    let report = stdout(&agon(&["report", folder.expect("a command")]));
    assert!(report.contains("engine"), "{report}");
}

#[test]
fn other_games_and_budgets_in_time_are_said_once() {
    let place = Place::new(CONFIG);
    let weak = build(
        place.path(),
        "weak",
        "case \"$*\" in *--config*) set -- \"$@\" --set agents.ab.evaluator=zero;; esac",
    );
    let output = place.gate(AGON, &weak, &["--budget", "1s", "--format", "json"]);
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let basis = figure(&json, "time")["basis"].as_str().expect("a text");
    assert!(basis.contains("the times are of different positions"), "{basis}");
    let fewer =
        build(place.path(), "fewer", "case \"$*\" in *--config*) set -- \"$@\" --games 10;; esac");
    let output = place.gate(AGON, &fewer, &["--fresh"]);
    one_error(&output, 2, &["20 in all for the old one, 10 for the new one"]);

    let place = Place::new(&CONFIG.replace("depth = 3", "movetime = 1"));
    let output = place.gate(AGON, AGON, &["--budget", "1s"]);
    let text = stdout(&output);
    assert_eq!(text.matches("its budget is time").count(), 1, "{text}");
    assert!(text.contains("nodes per move of ab: its budget is time"), "{text}");
}

#[test]
fn after_ctrl_c_everything_known_is_printed() {
    let place = Place::new(CONFIG);
    // The time is never decided at this limit: a build has an interval on both sides of 1.
    let gate = place.start(AGON, AGON, &["--budget", "600s", "--limit", "time=1.0"]);
    wait_for(|| place.blocks() > 2);
    signal(&gate, "-INT");
    let output = gate.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains("stopped after"), "{}", stderr(&output));
    for row in ["strength", "nodes per move", "processor time per move", "peak memory"] {
        assert!(stdout(&output).contains(row), "{}", stdout(&output));
    }
    assert!(place.report("new").starts_with("20 games"), "{}", place.report("new"));

    // A side that hangs is ended at once, also by two signals.
    for signals in [1, 2] {
        let place = Place::new(CONFIG);
        let waits = place.path().join("waits");
        let hangs = place.faulty(2, &format!("sleep 600 & : > {}; wait", waits.display()));
        let gate = place.start(AGON, &hangs, &["--budget", "600s"]);
        wait_for(|| waits.exists());
        for _ in 0..signals {
            signal(&gate, "-INT");
        }
        let output = gate.wait_with_output().expect("an end");
        assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
        assert_eq!(processes_left(&place.mark()), [""; 0]);
        if signals == 1 {
            assert!(stdout(&output).contains("nodes per move"), "{}", stdout(&output));
            assert!(stderr(&output).contains("stopped after 1 block"));
            assert!(place.report("new").starts_with("10 games"), "{}", place.report("new"));
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn no_process_of_a_side_outlives_a_killed_gate() {
    let place = Place::new(CONFIG);
    let waits = place.path().join("waits");
    let hangs = place.faulty(2, &format!(": > {}; exec sleep 600", waits.display()));
    let mut gate = place.start(AGON, &hangs, &["--budget", "600s"]);
    wait_for(|| waits.exists());
    assert!(processes_with(&place.mark()).len() > 1);
    gate.kill().expect("killed");
    gate.wait().expect("an end");
    assert_eq!(processes_left(&place.mark()), [""; 0]);
    // The games that were played are merged by hand.
    let old = format!("{}/old", place.out);
    ok(agon(&["merge", &old, "--incomplete", "-q"]));
    assert!(place.report("old").contains("games"));
}

#[test]
fn a_full_disk_is_one_error() {
    let place = Place::new(&CONFIG.replace("games = 20", "games = 400"));
    let script = "ulimit -f 8 && exec \"$0\" \"$@\"";
    let words = ["gate", AGON, AGON, &place.config, "--out", &place.out, "-q"];
    let output = Command::new("bash").args(["-c", script, AGON]).args(words).output();
    let output = output.expect("bash");
    one_error(&output, 1, &["cannot write", "the old side failed: exit status 1"]);
}

/// Denies counting in the way of containers: the system call is refused.
#[cfg(target_os = "linux")]
fn deny_counting(command: &mut Command) {
    use nix::libc;
    use std::os::unix::process::CommandExt;
    let step = |code: u32, jt, jf, k| libc::sock_filter { code: code as u16, jt, jf, k };
    let refused = libc::SECCOMP_RET_ERRNO | libc::EACCES.cast_unsigned();
    let call = libc::SYS_perf_event_open as u32;
    let filter = [
        // The number of the call is the first field of the data.
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        step(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 0, 1, call),
        step(libc::BPF_RET | libc::BPF_K, 0, 0, refused),
        step(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let install = move || {
        let program =
            libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut() };
        // SAFETY: the calls read `program` and the filter, which live until both have ended.
        let failed = unsafe {
            libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
                || libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &program) != 0
        };
        if failed { Err(std::io::Error::last_os_error()) } else { Ok(()) }
    };
    // SAFETY: only two system calls run between fork and exec.
    unsafe { command.pre_exec(install) };
}

#[test]
#[cfg(target_os = "linux")]
fn a_refusal_to_count_instructions_is_said_once() {
    let place = Place::new(CONFIG);
    let note = "does not let agon count instructions";
    for (limit, notes) in [("instructions=1.01", 1), ("instructions=off", 0)] {
        let mut command = Command::new(AGON);
        command.args(["gate", AGON, AGON, &place.config, "--out", &place.out, "--fresh"]);
        command.args(["--budget", "1s", "--limit", limit]);
        deny_counting(&mut command);
        let output = command.output().expect("agon");
        assert_eq!(stderr(&output).matches(note).count(), notes, "{}", stderr(&output));
        let rows = stdout(&output).lines().filter(|row| row.contains("not compared")).count();
        assert_eq!(rows > 0, notes > 0, "{}", stdout(&output));
    }
}
