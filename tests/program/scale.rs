//! Tests of many agents: the effect of a signal while tables are written.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::support::{agon, ok};

/// A config of `agents` agents with two games per pairing.
fn field(agents: u32) -> String {
    let mut text = "[game]\nkind = \"tictactoe\"\n[openings]\nkind = \"random\"\nplies = 2\n\
                    [schedule]\ngames = 2\n"
        .to_owned();
    for agent in 0..agents {
        text += &format!("[[agents]]\nkind = \"random\"\nname = \"r{agent}\"\n");
    }
    text
}

fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program")
}

/// Sends SIGTERM when the condition is true, and waits for the end, which must come soon.
fn terminate(mut child: Child, when: impl Fn() -> bool) -> ExitStatus {
    while !when() && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill");
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status;
        }
        assert!(begin.elapsed() < Duration::from_secs(5), "SIGTERM is not heard");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn half_written(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(".agon-")).count()
}

#[test]
fn a_signal_ends_the_making_of_tables_and_nothing_is_lost() {
    let dir = tempfile::tempdir().expect("a folder");
    // On a fast machine, tables of fewer agents are finished before the signal.
    let stopped = [120_u32, 240, 480].into_iter().any(|agents| {
        let config = crate::support::write(dir.path(), "c.toml", &field(agents));
        let out = dir.path().join(agents.to_string());
        let folder = out.to_str().expect("text");
        let run = ["--config", &config, "--out", folder, "-q"];
        let games = u64::from(agents * (agents - 1));
        let there = |name: &str| fs::read(out.join(name)).unwrap_or_default();
        let lines = || there("games.csv").iter().filter(|&&byte| byte == b'\n').count() as u64;
        let status = terminate(start(&run), || lines() > games);
        assert!(matches!(status.code(), Some(0 | 143)), "{status}");
        if status.code() == Some(0) {
            return false;
        }
        assert_eq!(half_written(&out), 0);
        ok(agon(&run));
        let (pairings, seats) = (there("pairings.csv"), there("seats.csv"));
        assert_eq!(pairings.iter().filter(|&&b| b == b'\n').count() as u64, 1 + games / 2);

        // The same for a report: the old tables stay until the new tables are complete.
        fs::remove_file(out.join("agents.csv")).expect("removed");
        let status =
            terminate(start(&["report", folder, "-q"]), || out.join("agents.csv").exists());
        assert!(matches!(status.code(), Some(0 | 143)), "{status}");
        assert!(there("pairings.csv") == pairings && there("seats.csv") == seats);
        assert_eq!(half_written(&out), 0);
        status.code() == Some(143)
    });
    assert!(stopped, "no tables could be interrupted");
}
