//! Helpers for tests that run the program.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the program.
pub fn agon(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_agon")).args(arguments).output().expect("the program runs")
}

/// The output of `agon play` for these input lines.
pub fn played(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .arg("play")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    // After the program ends, nothing reads the input.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

/// The output of a run that must succeed.
#[track_caller]
pub fn ok(output: Output) -> Output {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    output
}

/// The standard output as text.
pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The standard error output as text.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Writes a file and returns its path as text.
pub fn write(dir: &Path, name: &str, text: &str) -> String {
    let path = dir.join(name);
    std::fs::write(&path, text).expect("a writable folder");
    path.to_str().expect("a path in plain text").to_owned()
}

/// `games.csv` without its time columns.
pub fn games_without_times(folder: &Path) -> String {
    rows_without_times(&folder.join("games.csv"))
}

/// A file of rows without its time columns.
pub fn rows_without_times(path: &Path) -> String {
    let mut reader = csv::Reader::from_path(path).expect("a file of rows");
    let head = reader.headers().expect("a header").clone();
    // A row's checksum includes its times, so it is removed too.
    let timed =
        |name: &str| name.contains("_ns") || name == "nodes_per_second" || name == "checksum";
    let kept: Vec<usize> = (0..head.len()).filter(|&i| !timed(&head[i])).collect();
    let line = |row: &csv::StringRecord| {
        kept.iter().map(|&i| &row[i]).collect::<Vec<_>>().join(",") + "\n"
    };
    let rows = reader.records().map(|row| line(&row.expect("a row")));
    line(&head) + &rows.collect::<String>()
}

/// Rows that a test has changed, each with its new checksum.
pub fn resealed(text: &str) -> String {
    let (header, rows) = text.split_once('\n').expect("a header");
    let seal = |row: &str| {
        let row = row.rsplit_once(',').map_or(row, |(row, _)| row);
        format!("{row},{:08x}\n", crc32fast::hash(format!("{header}\n{row},").as_bytes()))
    };
    rows.lines().fold(format!("{header}\n"), |text, row| text + &seal(row))
}

/// Plays a config in its own folder, which also contains the results folder. No page is written,
/// because that often takes longer than the games.
pub fn play(dir: &Path, config: &str, more: &[&str]) -> Output {
    play_with_page(dir, config, &[&["--set", "output.report=false"], more].concat())
}

/// As [`play`], with the page.
pub fn play_with_page(dir: &Path, config: &str, more: &[&str]) -> Output {
    let config = write(dir, "c.toml", config);
    let out = dir.join("out");
    let mut arguments = vec!["--config", &config, "--out", out.to_str().expect("text"), "--fresh"];
    arguments.extend(more);
    // `-v` prints all tables.
    arguments.extend(Some("-q").filter(|_| !more.contains(&"-v")));
    agon(&arguments)
}

/// The rows of a CSV file in a results folder, by column.
pub fn rows(path: &Path) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).expect("a table");
    let head = reader.headers().expect("a header").clone();
    let rows = reader.records().map(|row| {
        let row = row.expect("CSV");
        head.iter().zip(row.iter()).map(|(h, v)| (h.to_owned(), v.to_owned())).collect()
    });
    rows.collect()
}

/// A game of an artificial `games.csv`: pairing, opening, first player, second player, result.
pub type Made = (u32, u64, &'static str, &'static str, &'static str);

/// Opening pairs of `a` against `b`, by `a`'s results as first and as second player (0 loss, 1
/// draw, 2 win). The openings are numbered after `before`.
pub fn pairs(
    (pairing, a, b): (u32, &'static str, &'static str),
    table: [[u64; 3]; 3],
    before: u64,
) -> Vec<Made> {
    let words = ["second", "draw", "first"];
    let mut games = Vec::new();
    for (i, row) in table.iter().enumerate() {
        for (j, &count) in row.iter().enumerate() {
            for _ in 0..count {
                let opening = before + games.len() as u64 / 2 + 1;
                games.push((pairing, opening, a, b, words[i]));
                games.push((pairing, opening, b, a, words[2 - j]));
            }
        }
    }
    games
}

/// Writes games to a new folder; each game has drawn `rng_draws` random numbers.
pub fn made(dir: &Path, name: &str, games: &[Made], rng_draws: u64) -> std::path::PathBuf {
    let folder = dir.join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut text = String::from(
        "game,pairing,opening,first,second,result,reason,plies,opening_moves,moves,nodes_first,\
         nodes_second,time_first_ns,time_second_ns,moves_first,moves_second,depth_sum_first,\
         depth_sum_second,max_move_time_first_ns,max_move_time_second_ns,rng_draws\n",
    );
    for (i, (pairing, opening, first, second, result)) in games.iter().enumerate() {
        text += &format!(
            "{},{pairing},{opening},{first},{second},{result},line,20,{opening} 1,1 2 3 {opening},\
             100,100,1000,1000,8,8,40,40,200,200,{rng_draws}\n",
            i + 1
        );
    }
    std::fs::write(folder.join("games.csv"), text).expect("written");
    folder
}

/// All tables of `agon report` for a folder.
pub fn reported(folder: &Path, more: &[&str]) -> String {
    let verbose: &[&str] = if more.contains(&"-v") { &[] } else { &["-v"] };
    stdout(&ok(agon(&[&["report", folder.to_str().expect("text")], more, verbose].concat())))
}
