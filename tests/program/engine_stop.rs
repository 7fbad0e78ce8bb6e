//! Signals to a run with engines: running games are finished within the grace period.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::endure::wait_for;
use crate::engines::{AGON, processes_left};
use crate::support::{rows, stderr, write};

/// Starts a run of games of one move in a process group of its own, as a terminal does. `thinking`
/// is what the engine does for a move. Returns when the engine thinks.
fn start(dir: &Path, name: &str, thinking: &str, grace: &str) -> Child {
    let schedule = "[schedule]\ngames = 50\nallow_duplicates = true\n";
    let child = start_with(dir, name, thinking, schedule, &format!("grace_seconds = {grace}\n"));
    wait_for(|| dir.join(format!("{name}.thinks")).exists());
    child
}

/// Starts such a run with this schedule and these keys of `[output]`.
fn start_with(dir: &Path, name: &str, thinking: &str, schedule: &str, keys: &str) -> Child {
    let thinks = dir.join(format!("{name}.thinks"));
    let script = format!(
        "while read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; \
         go) : >{}; {thinking}; echo bestmove 8;; quit) exit;; esac; done",
        thinks.display()
    );
    let out = dir.join(name);
    let script = write(dir, &format!("{name}.sh"), &script);
    let text = format!(
        "[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"e\"\nkind = \"engine\"\n\
         command = [\"sh\", \"{script}\"]\nenv = {{ AGON_STOP = \"{}\" }}\nnodes = 1\n\
         hang_timeout = 600\nstartup_timeout = 20\n[[agents]]\nname = \"r\"\nkind = \"random\"\n\
         [openings]\nkind = \"list\"\nlist = [\"0 1 2 4 7 5 3 6\"]\n\
         {schedule}[output]\nreport = false\n{keys}",
        out.display()
    );
    let config = write(dir, &format!("{name}.toml"), &text);
    Command::new(AGON)
        .args(["run", &config, "-j1", "--out"])
        .arg(&out)
        .process_group(0)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("agon")
}

/// What the environment of the engines has.
fn mark(dir: &Path, name: &str) -> String {
    format!("AGON_STOP={}", dir.join(name).display())
}

fn signal_group(child: &Child, signal: Signal) {
    kill_process_group(Pid::from_child(child), signal).expect("a group");
}

#[test]
fn a_game_of_an_engine_is_finished_after_a_signal() {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, signal, code) in
        [("int", Signal::INT, 130), ("term", Signal::TERM, 143), ("hup", Signal::HUP, 129)]
    {
        let child = start(dir.path(), name, "sleep 1", "60");
        signal_group(&child, signal);
        let output = child.wait_with_output().expect("an end");
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains("finishing the current games (at most 60 s)"), "{said}");
        assert!(!said.contains("dropped"), "{said}");
        let games = rows(&dir.path().join(name).join("games.csv"));
        assert!(!games.is_empty() && games.len() < 50, "{} games: {said}", games.len());
        assert!(games.iter().all(|game| game["reason"] == "board full"), "{games:?}");
        assert_eq!(processes_left(&mark(dir.path(), name)), [""; 0]);
    }
}

#[test]
fn a_game_of_an_engine_is_dropped_after_the_grace_period_or_a_second_signal() {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, grace, signals) in [("grace", "0.5", 1), ("second", "500", 2)] {
        let child = start(dir.path(), name, "sleep 400", grace);
        let begin = Instant::now();
        for _ in 0..signals {
            signal_group(&child, Signal::INT);
            // The message follows the first signal.
            std::thread::sleep(Duration::from_millis(300));
        }
        let output = child.wait_with_output().expect("an end");
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(130), "{said}");
        assert!(said.contains("a second signal stops at once"), "{said}");
        assert_eq!(said.contains("are dropped"), signals == 1, "{said}");
        assert!(begin.elapsed() < Duration::from_secs(100), "{:?}", begin.elapsed());
        // An engine that agon has killed has not lost its game.
        assert_eq!(rows(&dir.path().join(name).join("games.csv")), []);
        assert_eq!(processes_left(&mark(dir.path(), name)), [""; 0]);
    }
}

/// The tables were those of a tournament before its first round.
#[test]
fn tables_of_dropped_games_are_those_that_report_writes() {
    let dir = tempfile::tempdir().expect("a folder");
    // The engine moves in the first round, and hangs in the second.
    let [once, hangs] = ["once", "hangs"].map(|name| dir.path().join(name));
    let thinking = format!(
        "if [ -e {0} ]; then : >{1}; sleep 400; fi; : >{0}",
        once.display(),
        hangs.display()
    );
    let schedule = "[[agents]]\nname = \"r2\"\nkind = \"random\"\n[[agents]]\nname = \"r3\"\n\
         kind = \"random\"\n[schedule]\nformat = \"swiss\"\nrounds = 3\ngames = 2\n\
         allow_duplicates = true\n";
    let child = start_with(dir.path(), "swiss", &thinking, schedule, "grace_seconds = 0.5\n");
    wait_for(|| hangs.exists());
    signal_group(&child, Signal::INT);
    let said = stderr(&child.wait_with_output().expect("an end"));
    assert!(said.contains("are dropped") && said.contains(" of 8 games"), "{said}");
    let folder = dir.path().join("swiss");
    let tables = || {
        ["standings.csv", "summary.txt", "agents.csv"]
            .map(|name| std::fs::read_to_string(folder.join(name)).expect(name))
    };
    let written = tables();
    let standings = rows(&folder.join("standings.csv"));
    assert!(standings.iter().any(|row| row["points"] != "0"), "{written:?}");
    let report = Command::new(AGON).arg("report").arg(&folder).output().expect("agon");
    assert!(report.status.success(), "{}", stderr(&report));
    assert_eq!(tables(), written);
}

/// Guards the processes of an engine that stayed when a signal ended one of these commands.
#[test]
fn no_process_of_an_engine_outlives_an_interrupted_command() {
    let dir = tempfile::tempdir().expect("a folder");
    for name in ["check-engine", "watch", "serve", "play"] {
        let thinks = dir.path().join(format!("{name}.thinks"));
        let script = format!(
            "while read -r word rest; do case $word in ugi) echo ugiok;; isready) echo readyok;; \
             go) sleep 600 & : >{}; wait;; quit) exit;; esac; done",
            thinks.display()
        );
        let script = write(dir.path(), &format!("{name}.sh"), &script);
        let mark = mark(dir.path(), name);
        let config = format!(
            "[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"e\"\nkind = \"engine\"\n\
             protocol = \"ugi\"\ncommand = [\"sh\", \"{script}\"]\nnodes = 1\n\
             [[agents]]\nname = \"r\"\nkind = \"random\"\n[schedule]\ngames = 2\n\
             allow_duplicates = true\n"
        );
        let config = write(dir.path(), &format!("{name}.toml"), &config);
        let agent = format!("engine:command=\"sh {script}\",protocol=ugi,nodes=1");
        let (arguments, input): (&[&str], &str) = match name {
            "check-engine" => (&["check-engine", "--config", &config], ""),
            "watch" => (&["watch", &config], ""),
            "serve" => (
                &["serve", "--game", "tictactoe", "--protocol", "ugi", "--agent", &agent],
                "ugi\nisready\nposition startpos\ngo nodes 1\n",
            ),
            _ => (&["play", "--game", "tictactoe", "--agent", &agent, "--side", "second"], ""),
        };
        let (variable, value) = mark.split_once('=').expect("a variable");
        let mut child = Command::new(AGON)
            .args(arguments)
            .env(variable, value)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("agon");
        let mut input_pipe = child.stdin.take().expect("a pipe");
        input_pipe.write_all(input.as_bytes()).expect("written");
        wait_for(|| thinks.exists());
        signal_group(&child, Signal::TERM);
        assert_eq!(child.wait().expect("an end").code(), Some(143), "{name}");
        wait_for(|| processes_left(&mark).is_empty());
    }
}
