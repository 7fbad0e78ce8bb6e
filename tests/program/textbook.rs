//! Tests of `docs/search.md`: it shows the real output of the program.

use std::fs;

use crate::console::root;
use crate::support::{agon, ok, stdout};

/// The text blocks below a heading.
fn blocks(heading: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join("docs/search.md")).expect("the page");
    let section = text.split("\n## ").find(|part| part.starts_with(heading)).expect(heading);
    (section.split("```text\n").skip(1))
        .map(|rest| rest.split("```").next().unwrap_or_default().to_owned())
        .collect()
}

/// Plays an unchanged config and returns its output.
fn play(config: &str) -> String {
    let dir = tempfile::tempdir().expect("a folder");
    let path = root().join("configs").join(config);
    let out = dir.path().to_str().expect("text");
    stdout(&ok(agon(&["--config", path.to_str().expect("text"), "--out", out, "-v", "-j2"])))
}

/// Finds this cell of the row with this name in the output of a config, and compares it with the page.
fn check(config: &str, cell: usize, rows: &[&str]) {
    let page = fs::read_to_string(root().join("docs/search.md")).expect("the page");
    let text = play(config);
    for name in rows {
        let row = text.lines().find(|line| line.contains(&format!("  {name}  "))).expect(name);
        let shown = row.split("  ").filter(|cell| !cell.is_empty()).nth(cell).expect("a cell");
        assert!(page.contains(&format!("{} %", shown.trim())), "the page lacks {shown}: {row}");
    }
}

#[test]
fn experiments_score_what_the_page_says() {
    let ghosts =
        ["random", "chasing"].map(|kind| format!("em 3r (first) vs {kind} ghosts (second)"));
    check("pacman_trapped.toml", 3, &ghosts.each_ref().map(String::as_str));
    check("risk.toml", 6, &["neutral", "risk 0.02", "risk 0.2", "risk -0.05"]);
}

#[test]
fn agents_play_trees_as_the_page_shows() {
    let text = play("trees.toml");
    for line in blocks("Small trees")[1].lines() {
        assert!(text.contains(line), "not printed: {line}\n{text}");
    }
}

#[test]
fn the_solved_tree_is_what_the_page_shows() {
    let path = root().join("configs/trees/minimax.toml");
    let text = stdout(&agon(&["solve", "--game", &format!("tree:file={}", path.display())]));
    for line in blocks("Small trees")[0].lines() {
        assert!(text.contains(line), "not printed: {line}\n{text}");
    }
}
