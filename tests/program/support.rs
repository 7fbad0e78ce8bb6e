//! What tests of the program share.

use std::path::Path;
use std::process::{Command, Output};

/// Runs the program.
pub fn agon(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_agon")).args(arguments).output().expect("the program runs")
}

/// What it wrote to stdout.
pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What it wrote to stderr.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Writes a file and returns its path as text.
pub fn write(dir: &Path, name: &str, text: &str) -> String {
    let path = dir.join(name);
    std::fs::write(&path, text).expect("a writable folder");
    path.to_str().expect("a path in plain text").to_owned()
}

/// `games.csv` without the columns that hold times.
pub fn games_without_times(folder: &Path) -> String {
    rows_without_times(&folder.join("games.csv"))
}

/// A file of rows without the columns that hold times.
pub fn rows_without_times(path: &Path) -> String {
    let mut reader = csv::Reader::from_path(path).expect("a file of rows");
    let head = reader.headers().expect("a header").clone();
    let kept: Vec<usize> = (0..head.len()).filter(|&i| !head[i].ends_with("_ns")).collect();
    let line = |row: &csv::StringRecord| {
        kept.iter().map(|&i| &row[i]).collect::<Vec<_>>().join(",") + "\n"
    };
    let rows = reader.records().map(|row| line(&row.expect("a row")));
    line(&head) + &rows.collect::<String>()
}

/// Plays a config from a folder of its own; the results folder lies in it.
pub fn play(dir: &Path, config: &str, more: &[&str]) -> Output {
    let config = write(dir, "c.toml", config);
    let out = dir.join("out");
    let mut arguments =
        vec!["--config", &config, "--out", out.to_str().expect("text"), "--fresh", "-q"];
    arguments.extend(more);
    agon(&arguments)
}

/// The rows of a table of a results folder, by column.
pub fn rows(path: &Path) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).expect("a table");
    let head = reader.headers().expect("a header").clone();
    let rows = reader.records().map(|row| {
        let row = row.expect("CSV");
        head.iter().zip(row.iter()).map(|(h, v)| (h.to_owned(), v.to_owned())).collect()
    });
    rows.collect()
}
