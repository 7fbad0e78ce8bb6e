//! A tournament of the programs of a class, one of each folder of `dir = "class/*"`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::engines::ROGUE;
use crate::support::{rows, stderr, stdout, write};

fn within(folder: &Path, arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_agon");
    Command::new(program).args(arguments).current_dir(folder).output().expect("the program runs")
}

/// A config whose programs are the mock engine.
fn config(dir: &str, more: &str) -> String {
    format!(
        "[game]\nkind = \"connect4\"\n[[agents]]\nkind = \"engine\"\nprotocol = \"ugi\"\n\
         readable = [\"{}\", \"{ROGUE}\"]\nnodes = 5\ndir = \"{dir}\"\ncommand = \"./run.sh\"\nmax_consecutive_forfeits = 0\n{more}\
         [schedule]\ngames = 2\non_start_failure = \"forfeit\"\n",
        env!("CARGO_BIN_EXE_agon"),
    )
}

/// A folder of a student whose program is a shell script.
fn student(dir: &Path, name: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    let folder = dir.join("class").join(name);
    fs::create_dir_all(&folder).expect("a folder");
    write(&folder, "run.sh", &format!("#!/bin/sh\n{script}\n"));
    let rights = fs::Permissions::from_mode(0o755);
    fs::set_permissions(folder.join("run.sh"), rights).expect("a program");
}

#[test]
fn each_folder_is_an_agent_and_a_bad_program_loses_only_its_own_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let engine = format!(
        "exec {} serve --game connect4 --agent random --protocol ugi",
        env!("CARGO_BIN_EXE_agon")
    );
    for name in ["bob", "al ice"] {
        student(dir.path(), name, &engine);
    }
    student(dir.path(), "carol", "echo broken >&2; exit 1");
    write(&dir.path().join("class"), "notes.txt", "no folder");
    let path = write(dir.path(), "c.toml", &config("class/*", ""));
    let output = within(dir.path(), &["run", &path, "--out", "out"]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    let games = rows(&dir.path().join("out/games.csv"));
    assert_eq!(games.len(), 6);
    for game in &games {
        let players = [game["first"].as_str(), game["second"].as_str()];
        let bad = players.contains(&"carol");
        assert_eq!(game["reason"] == "handshake failure", bad, "{game:?}");
        let winner = if players[0] == "carol" { "second" } else { "first" };
        assert!(!bad || game["result"] == winner, "{game:?}");
    }
    let agents = rows(&dir.path().join("out/agents.csv"));
    let mut names: Vec<&str> = agents.iter().map(|row| row["agent"].as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["al ice", "bob", "carol"]);
    let said = stdout(&output);
    let first = games.iter().find(|game| game["reason"] == "handshake failure").expect("a forfeit");
    let log = format!("engine-carol-game-{}.log", first["game"]);
    let line = said.lines().skip_while(|line| !line.contains("forfeited games")).take(3);
    let note = line.collect::<Vec<_>>().join(" ");
    assert!(note.contains("carol 4 (handshake failure)") && note.contains(&log), "{said}");
    let text = fs::read_to_string(dir.path().join("out").join(&log)).expect("the log");
    assert!(text.contains("# cd class/carol && ./run.sh\n"), "{text}");
    let warned = stderr(&output);
    assert!(
        warned.contains("warning: `carol` does not start") && !warned.contains("error:"),
        "{warned}"
    );
    let replayed = within(dir.path(), &["replay", "out", &first["game"]]);
    let ending =
        if first["first"] == "carol" { "carol (first) failed" } else { "carol (second) failed" };
    assert!(stdout(&replayed).contains(&format!("{ending} (handshake failure) after ")));
    let output = within(dir.path(), &["check-engine", "--config", &path]);
    assert_eq!(output.status.code(), Some(7));
    assert!(stdout(&output).contains("1 of 3 engines failed: carol (greeting)"));
}

#[test]
fn names_come_from_folders_and_from_other_lists() {
    let dir = tempfile::tempdir().expect("a folder");
    for name in ["bob", "eve{1}"] {
        student(dir.path(), name, "exit 1");
    }
    let names = |more: &str| {
        let text = config("class/*", more).replace("nodes = 5", "nodes = [5, 6]");
        let path = write(dir.path(), "c.toml", &text);
        let output = within(dir.path(), &["run", &path, "--out", "out", "--fresh", "-q"]);
        assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
        let agents = rows(&dir.path().join("out/agents.csv"));
        let mut names: Vec<String> = agents.iter().map(|row| row["agent"].clone()).collect();
        names.sort_unstable();
        names.join(" ")
    };
    assert_eq!(names(""), "bob-nodes5 bob-nodes6 eve{1}-nodes5 eve{1}-nodes6");
    assert_eq!(
        names("name = \"{dir}:{nodes}\"\n"),
        "class/bob:5 class/bob:6 class/eve{1}:5 class/eve{1}:6"
    );
}

/// Such a program could void each game that it loses.
#[test]
fn a_program_of_a_folder_cannot_blame_a_provider() {
    let dir = tempfile::tempdir().expect("a folder");
    student(dir.path(), "bob", &format!("exec {ROGUE} temp-fail --game connect4"));
    let more = "[[agents]]\nkind = \"random\"\n";
    let path = write(dir.path(), "c.toml", &config("class/*", more));
    let output = within(dir.path(), &["run", &path, "--out", "out"]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    for game in rows(&dir.path().join("out/games.csv")) {
        assert_eq!(game["reason"], "crash");
    }
    let resolved = fs::read_to_string(dir.path().join("out/resolved.toml")).expect("a config");
    assert!(resolved.contains("unavailable_wait = 0\n"), "{resolved}");
    // A teacher who trusts the programs can let them wait.
    let path =
        write(dir.path(), "c.toml", &config("class/*", &format!("unavailable_wait = 1\n{more}")));
    let output = within(dir.path(), &["run", &path, "--out", "trusted"]);
    assert_eq!(output.status.code(), Some(75), "{}", stderr(&output));
}

#[test]
fn a_pattern_without_folders_names_the_place() {
    let dir = tempfile::tempdir().expect("a folder");
    student(dir.path(), "bob", "exit 1");
    let more = "[[agents]]\nkind = \"random\"\n";
    for (pattern, message) in [
        ("class/x*", "no folder matches `class/x*` in "),
        ("klass/*", "there is no folder "),
        ("*/*", "`*/*` has more than one `*`"),
    ] {
        let path = write(dir.path(), "c.toml", &config(pattern, more));
        let output = within(dir.path(), &["run", &path]);
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        let said = stderr(&output);
        assert!(said.contains(message) && said.contains("help: "), "{said}");
        assert!(!said.contains("at least two agents"), "one mistake is reported once: {said}");
    }
    let path = write(dir.path(), "c.toml", &config("class/*", "name = \"same\"\n"));
    student(dir.path(), "eve", "exit 1");
    let said = stderr(&within(dir.path(), &["run", &path]));
    assert!(said.contains("put the swept keys into it: `same{dir}`"), "{said}");
}

/// The method `choose` of a program, and how its games are lost. The last six are hostile: they play
/// an illegal move if they reach something.
const BAD: [(&str, &str, &str); 11] = [
    ("syntax", "return [", "handshake failure"),
    ("illegal", "return '9'", "illegal move"),
    ("nothing", "pass", "illegal move"),
    ("endless", "while True: pass", "timeout"),
    ("crash", "return legal[0] if len(position.moves) < 12 else legal[99]", "crash"),
    ("memory", "x = bytearray(10 << 30); return '9'", "crash"),
    ("home", "open('SECRET').read(); return '9'", "crash"),
    ("neighbour", "open('../good_0/agent.py').read(); return '9'", "crash"),
    ("network", "import socket; socket.create_connection(('127.0.0.1', 9)); return '9'", "crash"),
    ("overwrite", "open('agent.py', 'w').write(''); return '9'", "crash"),
    (
        "ptrace",
        "import ctypes; ctypes.CDLL(None).ptrace(16, 1, 0, 0); return '9'",
        "sandbox violation",
    ),
];

#[test]
fn a_class_that_has_begun_gets_no_example() {
    let dir = tempfile::tempdir().expect("a folder");
    let init = |file: &str| {
        let output = within(dir.path(), &["init", "class", file]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let class = dir.path().join("class");
    assert!(init("first.toml").contains("class/example/agent.py is written"));
    assert!(init("second.toml").contains("class/example/agent.py is kept"));
    fs::rename(class.join("example"), class.join("alice")).expect("renamed");
    let said = init("third.toml");
    assert!(said.contains("class/example is left out"), "{said}");
    assert!(!class.join("example").exists() && dir.path().join("third.toml").exists());
}

#[test]
#[ignore = "needs python3: run by .ci/run"]
fn of_thirty_programs_in_python_the_bad_ones_lose_their_own_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let output = within(dir.path(), &["init", "class"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let class = dir.path().join("class");
    let program = |name: &str, choice: &str| {
        let text = format!(
            "from agon_engine import Engine\n\n\nclass Agent(Engine):\n    \
             def choose(self, position):\n        \
             legal = [c for c in '1234567' if position.moves.count(c) < 6]\n        \
             {choice}\n\n\nAgent().run()\n"
        );
        fs::create_dir_all(class.join(name)).expect("a folder");
        write(&class.join(name), "agent.py", &text);
    };
    write(dir.path(), "secret.txt", "secret");
    let secret = dir.path().join("secret.txt").display().to_string();
    for number in 0..17 {
        let choice = format!("return legal[(len(position.moves) * 3 + {number}) % len(legal)]");
        program(&format!("good_{number}"), &choice);
    }
    // Debug output is no answer, so these games are not lost.
    program("good_print", "print('debug', legal); return legal[-1]");
    for (name, choice, _) in BAD {
        program(&format!("bad_{name}"), &choice.replace("SECRET", &secret));
    }
    let output = within(dir.path(), &["run", "class.toml", "--games", "2", "--out", "out"]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    let games = rows(&dir.path().join("out/games.csv"));
    assert!(!stderr(&output).contains("no sandbox"), "{}", stderr(&output));
    assert_eq!(games.len(), 32 * 31, "30 programs and two agents, two games of each pairing");
    let mut lost = [0; BAD.len()];
    for game in &games {
        if ["line", "board full"].contains(&game["reason"].as_str()) {
            continue;
        }
        let loser = if game["result"] == "first" { &game["second"] } else { &game["first"] };
        let bad = BAD.iter().position(|(name, _, _)| *loser == format!("bad_{name}"));
        let bad = bad.unwrap_or_else(|| panic!("{loser} works: {game:?}"));
        assert_eq!(game["reason"], BAD[bad].2, "{game:?}");
        lost[bad] += 1;
    }
    // Of two bad programs, one loses each game.
    assert!(lost[..4].iter().all(|&lost| lost >= 42), "{lost:?}");
    assert!(lost[4..].iter().all(|&lost| lost > 0), "{lost:?}");
    let logs: Vec<String> = fs::read_dir(dir.path().join("out"))
        .expect("the results")
        .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
        .collect();
    for (name, _, _) in BAD {
        let begin = format!("engine-bad_{name}-game-");
        assert!(logs.iter().any(|log| log.starts_with(&begin)), "{name}: {logs:?}");
    }
    assert!(!logs.iter().any(|log| log.contains("good")), "{logs:?}");
}
