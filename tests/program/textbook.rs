//! Tests of `docs/search.md`: it shows the real output of the program.

use std::fs;
use std::path::Path;

use crate::support::{agon, ok, stdout};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The text blocks below a heading.
fn blocks(heading: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join("docs/search.md")).expect("the page");
    let section = text.split("\n## ").find(|part| part.starts_with(heading)).expect(heading);
    (section.split("```text\n").skip(1))
        .map(|rest| rest.split("```").next().unwrap_or_default().to_owned())
        .collect()
}

/// Plays an unchanged config and compares the page with the output, except for lines about time.
fn check(config: &str, heading: &str) {
    let dir = tempfile::tempdir().expect("a folder");
    let path = root().join("configs").join(config);
    let out = dir.path().to_str().expect("text");
    let output = ok(agon(&["--config", path.to_str().expect("text"), "--out", out, "-v", "-j2"]));
    let text = stdout(&output);
    let tables = blocks(heading).into_iter().filter(|block| !block.contains("time/move"));
    let mut lines = 0;
    for line in tables.flat_map(|block| block.lines().map(str::to_owned).collect::<Vec<_>>()) {
        if text.contains(&line) {
            lines += 1;
        } else {
            // The page shows several runs for trees.
            assert!(heading.starts_with("Small trees"), "not printed: {line}\n{text}");
        }
    }
    assert!(lines >= 7, "{lines} lines of {config} are on the page");
}

#[test]
fn experiments_print_what_the_page_shows() {
    check("pacman_trapped.toml", "Pacman, trapped");
    check("trees.toml", "Small trees");
    check("risk.toml", "Taste for risk");
}

#[test]
fn the_solved_tree_is_what_the_page_shows() {
    let path = root().join("configs/trees/minimax.toml");
    let text = stdout(&agon(&["solve", "--game", &format!("tree:file={}", path.display())]));
    for line in blocks("Small trees")[0].lines() {
        assert!(text.contains(line), "not printed: {line}\n{text}");
    }
}

#[test]
fn every_experiment_of_the_page_can_be_planned() {
    let page = fs::read_to_string(root().join("docs/search.md")).expect("the page");
    let configs: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("agon --config ")).collect();
    assert_eq!(configs.len(), 6);
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("out").display().to_string();
    for config in configs {
        let path = root().join(config);
        ok(agon(&["--config", path.to_str().expect("text"), "--out", &out, "--dry-run"]));
    }
}
