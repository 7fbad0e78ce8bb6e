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
    let mut reader = csv::Reader::from_path(folder.join("games.csv")).expect("games.csv");
    let head = reader.headers().expect("a header").clone();
    let kept: Vec<usize> = (0..head.len()).filter(|&i| !head[i].ends_with("_ns")).collect();
    let line = |row: &csv::StringRecord| {
        kept.iter().map(|&i| &row[i]).collect::<Vec<_>>().join(",") + "\n"
    };
    let rows = reader.records().map(|row| line(&row.expect("a row")));
    line(&head) + &rows.collect::<String>()
}
