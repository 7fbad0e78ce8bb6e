//! Tests of `agon gate --history` and `agon plot history`: a line for each gate, files that do not fit, and
//! the marks of changes.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::{agon, stderr, stdout, write};

const AGON: &str = env!("CARGO_BIN_EXE_agon");

const CONFIG: &str = "seed = 1\n[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"ab\"\n\
    kind = \"alphabeta\"\ndepth = 3\n[[agents]]\nname = \"mm\"\nkind = \"minimax\"\ndepth = 2\n\
    [schedule]\ngames = 8\n[openings]\nkind = \"random\"\nplies = 2\n";

/// The words of a gate that plays each game once.
fn words(dir: &Path, out: &str, history: &str) -> Vec<String> {
    let config = write(dir, "gate.toml", CONFIG);
    let out = dir.join(out).display().to_string();
    let words =
        ["gate", AGON, AGON, &config, "--limit", "time=off", "--fresh", "-q", "--out", &out];
    words.iter().copied().chain(["--history", history]).map(str::to_owned).collect()
}

fn gate(dir: &Path, history: &str) -> Output {
    let words = words(dir, "out", history);
    agon(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The rows of a history, as fields by the names of their columns.
fn rows(path: &str) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).expect("a file");
    reader.deserialize().map(|row| row.expect("a whole row")).collect()
}

#[test]
fn each_gate_appends_its_verdict_and_its_figures() {
    let dir = tempfile::tempdir().expect("a folder");
    let history = dir.path().join("history.csv").display().to_string();
    for lines in 2..=3 {
        let output = gate(dir.path(), &history);
        assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
        let text = fs::read_to_string(&history).expect("a history");
        assert_eq!(text.lines().count(), lines, "{text}");
        assert_eq!(text.matches("date,").count(), 1, "the header is written once: {text}");
    }
    let rows = rows(&history);
    for row in &rows {
        assert_eq!((&*row["old"], &*row["agents"]), (AGON, "ab; mm"));
        assert_eq!(row["old_revision"], row["new_revision"]);
        assert_eq!((&*row["verdict"], &*row["exit_code"]), ("not worse", "0"));
        // The same games and the same work are known exactly.
        assert_eq!(["strength", "strength_low", "strength_high"].map(|name| &*row[name]), ["0"; 3]);
        assert_eq!(["work", "work_low", "work_high"].map(|name| &*row[name]), ["1"; 3]);
        assert_eq!(row["time"], "", "its limit is off");
        assert!(row["memory"].parse::<f64>().expect("a factor") > 0.5, "{row:?}");
    }
    // Every column is explained.
    for name in rows[0].keys() {
        assert!(agon(&["explain", name]).status.success(), "{name}");
    }
    let worse = CONFIG.replace("depth = 3\n", "depth = 3\nordering = \"none\"\n");
    let [old, new] = [("old.toml", CONFIG), ("new.toml", &worse)]
        .map(|(name, text)| write(dir.path(), name, text));
    let out = dir.path().join("out").display().to_string();
    let words = ["gate", &old, &new, "--limit", "time=off", "--fresh", "-q", "--out", &out];
    let output = agon(&[&words[..], &["--history", &history]].concat());
    assert_eq!(output.status.code(), Some(3), "{}{}", stdout(&output), stderr(&output));
    let row = self::rows(&history).pop().expect("a third row");
    assert_eq!((&*row["verdict"], &*row["exit_code"], &*row["agents"]), ("worse", "3", "ab"));
    assert!(row["work"].parse::<f64>().expect("a factor") > 1.002, "{row:?}");
    assert!(row["old_revision"] != row["new_revision"], "two configs: {row:?}");
}

/// A file that cannot take the line is refused before anything is played or removed.
#[test]
fn a_history_that_does_not_fit_is_refused_before_the_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let place = |name: &str| dir.path().join(name).display().to_string();
    let foreign = write(dir.path(), "foreign.csv", "date,speed\n2026-01-01,3\n");
    let folder = place("folder");
    fs::create_dir(&folder).expect("a folder");
    let fifo = place("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
    let link = place("link");
    std::os::unix::fs::symlink(place("target"), &link).expect("a link");
    let cases: [(&str, &str); 7] = [
        (&foreign, "its first line is not that of a history"),
        (&folder, "s a directory"),
        (&fifo, "not a regular file"),
        (&link, "symbolic link"),
        ("/dev/full", "not a regular file"),
        (&place("none/history.csv"), "No such file"),
        (&place("out/history.csv"), "in the folder of the gate"),
    ];
    for (history, says) in cases {
        let output = gate(dir.path(), history);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{history}: {text}");
        assert!(text.contains(says) && text.contains("help: "), "{history}: {text}");
        assert_eq!(text.matches("error: ").count(), 1, "{text}");
        assert!(!dir.path().join("out").exists(), "{history}: nothing was played");
    }
    assert_eq!(fs::read_to_string(&foreign).expect("kept"), "date,speed\n2026-01-01,3\n");
    assert!(!dir.path().join("target").exists());
}

/// Runs a gate whose files may have at most this many blocks.
fn limited(blocks: &str, words: &[String]) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks} && exec \"$0\" \"$@\"");
    Command::new("bash").args(["-c", &script, AGON]).args(words).output().expect("bash")
}

#[test]
fn a_full_disk_is_noticed_before_the_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let history = dir.path().join("history.csv").display().to_string();
    for _ in 0..2 {
        let output = limited("0", &words(dir.path(), "out", &history));
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("cannot write") && !dir.path().join("out").exists());
        assert_eq!(gate(dir.path(), &history).status.code(), Some(0));
        fs::remove_dir_all(dir.path().join("out")).expect("a folder");
    }
    assert_eq!(rows(&history).len(), 2, "no trace of the failures is left");
}

#[test]
fn a_line_that_a_kill_has_cut_is_removed_and_a_whole_one_is_kept() {
    let dir = tempfile::tempdir().expect("a folder");
    let history = dir.path().join("history.csv").display().to_string();
    gate(dir.path(), &history);
    let first = fs::read_to_string(&history).expect("a history");
    let line = first.lines().last().expect("a line").to_owned();
    for (end, rows_then) in [("2026-11-27T03:", 2), (&line[..line.len() - 1], 3), (&line, 5)] {
        let mut file = OpenOptions::new().append(true).open(&history).expect("a file");
        file.write_all(end.as_bytes()).expect("written");
        gate(dir.path(), &history);
        assert_eq!(rows(&history).len(), rows_then, "after `{end}`");
    }
    // A header that was cut has no lines after it.
    fs::write(&history, &first[..20]).expect("written");
    gate(dir.path(), &history);
    assert_eq!(rows(&history).len(), 1);
}

#[test]
fn gates_that_end_at_the_same_time_do_not_mix_their_lines() {
    let dir = tempfile::tempdir().expect("a folder");
    let history = dir.path().join("history.csv").display().to_string();
    let all: Vec<_> = (0..4).map(|i| words(dir.path(), &format!("out{i}"), &history)).collect();
    let begin = |words| {
        Command::new(AGON).args(words).stdout(std::process::Stdio::null()).spawn().expect("a gate")
    };
    let gates: Vec<_> = all.into_iter().map(begin).collect();
    for mut gate in gates {
        assert!(gate.wait().expect("an end").success());
    }
    assert_eq!(rows(&history).len(), 4);
}

const HEADER: &str = "date,old,old_revision,new,new_revision,agents,strength,strength_low,\
    strength_high,work,work_low,work_high,time,time_low,time_high,instructions,instructions_low,\
    instructions_high,memory,memory_low,memory_high,verdict,exit_code\n";

/// A history of gates with an interval of ±1 % around these factors of the time. The old side is the same
/// in all gates, or the new side of the gate before.
fn history_of(factors: &[f64], is_chain: bool) -> String {
    let line = |(i, factor): (usize, &f64)| {
        let old = if is_chain { i } else { 0 };
        let ends = [0.99, 1.01].map(|end| (factor * end).to_string()).join(",");
        format!(
            "2026-11-27T10:00:00Z,./old,r{old},./new,r{},ab,,,,,,,{factor},{ends},,,,,,,not worse,0\n",
            i + 1
        )
    };
    HEADER.to_owned() + &factors.iter().enumerate().map(line).collect::<String>()
}

/// The picture of a history.
fn picture(dir: &Path, history: &str) -> String {
    let path = write(dir, "history.csv", history);
    let output = agon(&["plot", "history", &path, "--out", "-"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // The lines of a note are broken.
    stdout(&output).replace("</text><text class=\"note\"", " <text class=\"note\"")
}

/// The words of the picture.
fn words_of(svg: &str) -> String {
    let parts = svg.split('<').filter_map(|part| part.split_once('>')).map(|(_, words)| words);
    parts.filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_known_change_is_marked_and_a_flat_series_is_not() {
    let dir = tempfile::tempdir().expect("a folder");
    // Noise of half a per cent, without a trend.
    let noise = |i: usize| 1.0 + 0.0005 * ((i * 37 % 21) as f64 - 10.0);
    let flat: Vec<f64> = (0..40).map(noise).collect();
    for is_chain in [false, true] {
        let words = words_of(&picture(dir.path(), &history_of(&flat, is_chain)));
        assert!(words.contains("no change point; no step"), "{words}");
        assert!(words.contains("Processor time per move") && !words.contains("Strength"));
    }
    // Against the same old side, all gates after the change are slower; in a chain only one is.
    let level: Vec<f64> = (0..40).map(|i| noise(i) * if i < 25 { 1.0 } else { 1.012 }).collect();
    let words = words_of(&picture(dir.path(), &history_of(&level, false)));
    assert!(words.contains("change point (dashed line): gate 26 (r26); no step"), "{words}");
    let jump: Vec<f64> = (0..40).map(|i| noise(i) * if i == 25 { 1.05 } else { 1.0 }).collect();
    let svg = picture(dir.path(), &history_of(&jump, true));
    let words = words_of(&svg);
    assert!(words.contains("no change point; step (square): gate 26 (r26)"), "{words}");
    // The level after the jump stays.
    let last = svg.split("<title>gate 40 (r40), ").nth(1).expect("the last gate");
    let level: f64 = last.split(['×', '[']).nth(1).expect("a factor").trim().parse().expect("one");
    assert!((level - 1.05).abs() < 0.02, "{level}");
}

#[test]
fn exact_figures_and_memory_have_steps() {
    let dir = tempfile::tempdir().expect("a folder");
    let line = |i: usize, work: &str, memory: &str| {
        format!("d,a,{i},b,{},ab,0,0,0,{work},{work},{work},,,,,,,{memory},,,not worse,0\n", i + 1)
    };
    let text = [line(1, "1", "1.02"), line(2, "1.0004", "1.5"), line(3, "1", "0.99")].concat();
    // A kill has cut the last line.
    let svg = picture(dir.path(), &format!("{HEADER}{text}2026-11"));
    let words = words_of(&svg);
    assert_eq!(words.matches("step (square): gate 2 (3)").count(), 2, "{words}");
    assert_eq!(words.matches("no change point; no step").count(), 1, "strength: {words}");
    assert!(words.contains("Peak memory") && !words.contains("gate 4"), "{words}");
}

#[test]
fn mistakes_of_a_history_are_explained() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| write(dir.path(), name, text);
    let good = history_of(&[1.0, 1.01], false);
    let cases: [(&[&str], &str); 7] = [
        (&[], "the file of the history is missing"),
        (&["nothing.csv"], "cannot read nothing.csv"),
        (
            &[&file("foreign.csv", "date,speed\n1,2\n")],
            "foreign.csv:1: the column `old` is missing",
        ),
        (&[&file("empty.csv", HEADER)], "has no figures yet"),
        (&[&file("short.csv", &format!("{good}1,2,3\n"))], "short.csv:4: the line is damaged"),
        (
            &[&file("zero.csv", &good.replace(",1.01,0.99", ",0,0.99"))],
            "zero.csv:3: the value of `time`",
        ),
        (&[&file("good.csv", &good), "--out", "x.pdf"], "as SVG or PNG, not as `pdf`"),
    ];
    for (words, says) in cases {
        let output = agon(&[&["plot", "history"], words].concat());
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {text}");
        assert!(text.contains(says) && text.contains("help: "), "{words:?}: {text}");
    }
}
