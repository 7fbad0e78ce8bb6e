//! Tests of the examples in docs/reading-results.md and docs/configs.md: the program gives the same results.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::console::{blocks, root};
use crate::support::{agon, ok, stderr, stdout};

#[test]
fn the_output_shown_is_that_of_the_reference_run() {
    let dir = tempfile::tempdir().expect("a folder");
    for file in fs::read_dir(root().join("results/reference")).expect("the reference run") {
        let file = file.expect("a file").path();
        let name = file.file_name().expect("a name").to_owned();
        fs::copy(&file, dir.path().join(name)).expect("copied");
    }
    let config = root().join("configs/c4_depth.toml");
    let output = ok(agon(&[
        "--config",
        config.to_str().expect("text"),
        "--out",
        dir.path().to_str().expect("text"),
        "-v",
    ]));
    assert!(stderr(&output).contains("is complete"), "{}", stderr(&output));
    // Each line is printed, in this order; `…` leaves lines out.
    let printed = stdout(&output);
    let mut rest = printed.as_str();
    for line in blocks("docs/reading-results.md", "text")[0].lines().filter(|line| *line != "…") {
        let at = rest.find(line).unwrap_or_else(|| panic!("not printed there: {line}\n{printed}"));
        rest = &rest[at + line.len()..];
    }
}

/// The games of a folder by pairing, opening and seats, without times and numbers.
fn games(folder: &Path) -> BTreeMap<[String; 4], Vec<String>> {
    let mut reader = csv::Reader::from_path(folder.join("games.csv")).expect("games.csv");
    let head = reader.headers().expect("a header").clone();
    let column = |name: &str| head.iter().position(|h| h == name).expect(name);
    let key = ["pairing", "opening", "first", "second"].map(column);
    let kept = ["result", "reason", "opening_moves", "moves", "nodes_first", "nodes_second"];
    let kept = kept.map(column);
    (reader.records())
        .map(|row| {
            let row = row.expect("a row");
            let values = kept.iter().map(|&i| row[i].to_owned()).collect();
            (key.map(|i| row[i].to_owned()), values)
        })
        .collect()
}

#[test]
fn the_reference_run_is_what_this_program_plays() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = root().join("configs/c4_depth.toml");
    ok(agon(&[
        "--config",
        config.to_str().expect("text"),
        "--games",
        "4",
        "--quiet",
        "--out",
        dir.path().to_str().expect("text"),
    ]));
    let reference = games(&root().join("results/reference"));
    let random = |key: &[String; 4]| key[2] == "random" || key[3] == "random";
    let mut compared = 0;
    for (key, values) in games(dir.path()).iter().filter(|(key, _)| !random(key)) {
        // In a longer run, an agent against itself uses a different second opening.
        if let Some(there) = reference.get(key) {
            assert_eq!(values, there, "{key:?}");
            compared += 1;
        }
    }
    assert!(compared > 140, "{compared} games are in both runs");
}

#[test]
fn every_config_is_on_its_page_and_the_examples_are_valid() {
    let text = fs::read_to_string(root().join("docs/configs.md")).expect("the page");
    // A new folder has no results of an older config.
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("out").display().to_string();
    for entry in fs::read_dir(root().join("configs")).expect("configs") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            assert!(text.contains(&format!("`{name}`")), "{name} is not in docs/configs.md");
            let output =
                agon(&["--config", path.to_str().expect("text"), "--out", &out, "--dry-run"]);
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        }
    }
    let example = &blocks("docs/configs.md", "toml")[0];
    let example = crate::support::write(dir.path(), "example.toml", example);
    let output = agon(&["--config", &example, "--out", &out, "--dry-run"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn ten_agents_fit_on_one_screen() {
    let dir = tempfile::tempdir().expect("a folder");
    for file in fs::read_dir(root().join("results/reference")).expect("the reference run") {
        let file = file.expect("a file").path();
        fs::copy(&file, dir.path().join(file.file_name().expect("a name"))).expect("copied");
    }
    let text = stdout(&ok(agon(&["report", dir.path().to_str().expect("text")])));
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() <= 15, "{text}");
    assert!(lines[1].starts_with("ab8 is the strongest"), "{text}");
    let table = lines.iter().filter(|line| line.starts_with("   ") || line.starts_with("  10"));
    assert!(table.clone().count() == 11 && table.clone().all(|line| line.chars().count() <= 80));
    assert!(lines[13].starts_with("Moving first: 54.2 %"), "{text}");
    assert!(lines[14].starts_with("more: ") && lines[14].ends_with(".html"), "{text}");
}
