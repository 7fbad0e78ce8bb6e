//! Tests of docs/protocol.md: its example engine works as the page describes.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{agon, ok, rows, write};

/// The fenced block of the page in this language.
fn block(language: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/protocol.md");
    let text = fs::read_to_string(path).expect("docs/protocol.md");
    let (_, rest) = text.split_once(&format!("```{language}\n")).expect("a block");
    rest.split("```").next().unwrap_or_default().to_owned()
}

#[test]
fn the_engine_has_22_lines() {
    assert_eq!(block("python").lines().count(), 22);
}

#[test]
#[ignore = "needs python3: run by .ci/run"]
fn the_engine_of_the_page_answers() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = write(dir.path(), "anywhere.py", &block("python"));
    let mut child = Command::new("python3")
        .arg(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python runs");
    let mut input = child.stdin.take().expect("a pipe");
    let said = "ugi\nsetoption name Params value m=2,n=2,k=2,exact=false\nisready\nuginewgame\n\
                position startpos moves 0 3 2\ngo movetime 5\nquit\n";
    input.write_all(said.as_bytes()).expect("a reader");
    let output = child.wait_with_output().expect("an end");
    let text = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[lines.len() - 3..], ["ugiok", "readyok", "bestmove 1"], "{text}");
    assert!(output.status.success());
}

#[test]
#[ignore = "needs python3: run by .ci/run"]
fn the_engine_of_the_page_plays_its_match() {
    let dir = tempfile::tempdir().expect("a folder");
    let script = write(dir.path(), "anywhere.py", &block("python"));
    let config = block("toml").replace("anywhere.py", &script).replace("games = 20", "games = 6");
    let config = write(dir.path(), "c.toml", &config);
    let out = dir.path().join("out");
    ok(agon(&["--config", &config, "--out", out.to_str().expect("text"), "-q"]));
    let games = rows(&out.join("games.csv"));
    assert_eq!(games.len(), 6);
    assert!(games.iter().all(|game| ["line", "board full"].contains(&game["reason"].as_str())));
}

/// An engine that a student writes with `examples/agon_engine.py`.
const STUDENT: &str = r#"
import random, sys
sys.path.insert(0, "EXAMPLES")
from agon_engine import Engine

class Columns(Engine):
    name = "Random columns"

    def choose(self, position):
        columns, rows = int(position.params["columns"]), int(position.params["rows"])
        numbers = [str(column) for column in range(1, columns + 1)]
        return random.choice([c for c in numbers if position.moves.count(c) < rows])

Columns().run()
"#;

#[test]
fn the_helper_for_python_engines_is_one_file_of_the_standard_library() {
    let helper = include_str!("../../examples/agon_engine.py");
    assert!(helper.lines().count() <= 200);
    let imports = helper.lines().filter_map(|line| line.strip_prefix("import "));
    let standard = ["json", "os", "shutil", "subprocess", "sys", "threading"];
    assert_eq!(imports.collect::<Vec<_>>(), standard);
}

#[test]
#[ignore = "needs python3: run by .ci/run"]
fn an_engine_with_the_helper_plays_any_board() {
    let dir = tempfile::tempdir().expect("a folder");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let text = STUDENT.replace("EXAMPLES", examples.to_str().expect("text"));
    let script = write(dir.path(), "student.py", &text);
    ok(agon(&[
        "check-engine",
        "--game",
        "connect4",
        "--protocol",
        "ugi",
        "--",
        "python3",
        &script,
    ]));
    let config = format!(
        "game = {{ kind = \"connect4\", columns = 5, rows = 4 }}\n\
         agents = [{{ kind = \"engine\", command = [\"python3\", {script:?}], protocol = \"ugi\", \
         movetime = 1000, name = \"student\" }}, {{ kind = \"random\" }}]\nschedule = {{ games = 6 }}\n"
    );
    let config = write(dir.path(), "c.toml", &config);
    let out = dir.path().join("out");
    ok(agon(&["--config", &config, "--out", out.to_str().expect("text"), "-q"]));
    let games = rows(&out.join("games.csv"));
    assert_eq!(games.len(), 6);
    assert!(games.iter().all(|game| ["line", "board full"].contains(&game["reason"].as_str())));
}
