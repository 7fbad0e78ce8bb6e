//! Tests of `agon bench`: the committed signature, and the report of differences.

use std::fs;
use std::path::Path;

use crate::support::{agon, ok, stderr, stdout, write};

fn committed() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/signature.txt");
    path.to_str().expect("text").to_owned()
}

#[test]
fn this_program_has_the_committed_signature() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("signature.txt");
    let output = ok(agon(&["bench", "--save", path.to_str().expect("text")]));
    let text = fs::read_to_string(committed()).expect("the signature");
    assert_eq!(fs::read_to_string(&path).expect("saved"), text);
    // A published value: sequences of 7 plies in Connect Four.
    assert!(text.contains("perft | connect4 | 7 | 823536\n"), "{text}");
    let said = stdout(&output);
    assert!(said.contains("node signature "), "{said}");
    assert!(said.contains("only one pass"), "counts need no second pass: {said}");
}

#[test]
fn a_difference_is_named() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = fs::read_to_string(committed()).expect("the signature");
    let changed = text.replace("perft | connect4 | 7 | 823536", "perft | connect4 | 7 | 823537");
    let path = write(dir.path(), "signature.txt", &changed);
    let output = agon(&["bench", "--check", &path, "--format", "benchmark"]);
    assert_eq!(output.status.code(), Some(6), "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("connect4 · 7 plies: 823536 move sequences, were 823537"), "{said}");
    assert!(said.contains("1 figure differs") && said.contains("--save"), "{said}");
    // A JSON array of metrics, each with a name, a unit and a value.
    let entries: Vec<serde_json::Value> = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(entries.len() > 50, "{}", entries.len());
    for entry in entries {
        assert!(entry["name"].is_string() && entry["unit"].is_string(), "{entry}");
        assert!(entry["value"].as_f64().expect("a number") > 0.0, "{entry}");
    }
}

#[test]
fn files_that_are_no_signature_are_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = write(dir.path(), "signature.txt", "signature 12\nnodes | pig | random | 8\n");
    let missing = dir.path().join("none.txt");
    for (path, words) in [
        (path.as_str(), "line 2: neither `signature`, nor `perft`, nor `nodes`"),
        (missing.to_str().expect("text"), "cannot read"),
    ] {
        let output = agon(&["bench", "--check", path]);
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(said.contains(words) && said.contains("help: `agon bench --save"), "{said}");
    }
    let output = agon(&["bench", "--save", "/nowhere/at/all.txt"]);
    assert_eq!(output.status.code(), Some(2));
    // Nothing was measured.
    assert_eq!(stdout(&output), "");
    let output = agon(&["list", "--format", "benchmark"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("`agon bench`, `agon compare` and `agon gate`"),
        "{}",
        stderr(&output)
    );
}
