//! Tests of `agon report`, `--format json`, and read-only archives.

use std::fs;
use std::path::Path;

use crate::support::{agon, ok, resealed, stderr, stdout, write};

const CONFIG: &str = "name = \"r\"\nseed = 3\n[game]\nkind = \"tictactoe\"\n\
    [[agents]]\nname = \"mm{depth}\"\nkind = \"minimax\"\ndepth = [1, 2]\nties = \"random\"\n\
    [[agents]]\nkind = \"random\"\n[schedule]\ngames = 20\ninclude_self = true\n\
    [openings]\nkind = \"start\"\n";
const TABLES: [&str; 4] = ["agents.csv", "pairings.csv", "seats.csv", "summary.txt"];

fn played(dir: &Path) -> String {
    let config = write(dir, "c.toml", CONFIG);
    let out = dir.join("out").to_str().expect("text").to_owned();
    ok(agon(&["--config", &config, "--out", &out, "-q"]));
    out
}

#[test]
fn the_tables_come_back_byte_for_byte() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = played(dir.path());
    let read = |name: &str| fs::read(Path::new(&out).join(name)).expect("a table");
    let before = TABLES.map(read);
    for name in TABLES {
        fs::remove_file(Path::new(&out).join(name)).expect("removed");
    }
    let output = ok(agon(&["report", &out]));
    assert_eq!(TABLES.map(read), before);
    let verbose = stdout(&agon(&["report", &out, "-v"]));
    assert!(verbose.len() >= before[3].len() && before[3].len() > stdout(&output).len());
    assert!(
        verbose.ends_with("`agon explain TERM` explains a term of these tables.\n"),
        "{verbose}"
    );
}

#[test]
fn games_csv_alone_is_enough() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = played(dir.path());
    let bare = dir.path().join("bare");
    fs::create_dir(&bare).expect("a folder");
    // A torn last line is left out.
    let games = fs::read_to_string(Path::new(&out).join("games.csv")).expect("games.csv");
    fs::write(bare.join("games.csv"), format!("{games}121,1,9,mm1,mm")).expect("written");
    let output = ok(agon(&["report", bare.to_str().expect("text"), "--format", "json"]));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&json["name"], &json["games"]), (&"bare".into(), &120.into()));
    assert!(
        stderr(&output).contains("games.csv is incomplete and left out"),
        "{}",
        stderr(&output)
    );
    let of = |name: &str| -> Vec<String> {
        let path = |folder: &Path| fs::read_to_string(folder.join(name)).expect("a table");
        [path(Path::new(&out)), path(&bare)].to_vec()
    };
    // Only the verdicts for a fixed length are unknown: the folder does not show that it was fixed.
    let [with, without] = [0, 1].map(|i| of("pairings.csv")[i].clone());
    let open = |text: &str| {
        let words =
            [" (fixed-length test)", "no difference shown", "stronger", "weaker", "undecided"];
        words.iter().fold(text.to_owned(), |text, word| text.replace(word, ""))
    };
    assert_eq!(open(&with), open(&without));
    assert!(!without.contains("fixed-length") && !without.contains("no difference shown"));
}

#[test]
fn a_folder_of_something_else_is_wrong_usage() {
    let dir = tempfile::tempdir().expect("a folder");
    let output = agon(&["report", dir.path().to_str().expect("text")]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("games.csv") && said.contains("help: name a results folder"), "{said}");
}

#[test]
fn what_is_no_games_csv_is_refused_with_its_line() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = played(dir.path());
    let games = Path::new(&out).join("games.csv");
    let text = fs::read_to_string(&games).expect("games.csv");
    for (from, to, said) in [
        (",draw,", ",drew,", "is not a valid result"),
        ("game,pairing", "gam,pairing", "line 1 is damaged"),
        ("1,1,1,mm1,", "1,9,1,mm1,", "game 1 of pairing 9"),
        ("1,1,1,mm1,", "1,0,1,mm1,", "game 1 of pairing 0"),
        ("1,1,1,mm1,", "x,1,1,mm1,", "`x` is not a valid game"),
    ] {
        let wrong = text.replacen(from, to, 1);
        let sealed = if from == "game,pairing" { wrong } else { resealed(&wrong) };
        fs::write(&games, sealed).expect("written");
        let output = agon(&["report", &out]);
        assert_eq!(output.status.code(), Some(2), "{to}: {}", stderr(&output));
        assert!(stderr(&output).contains(said), "{to}: {}", stderr(&output));
        // No command that deletes games, and no option that `report` does not have.
        assert!(!stderr(&output).contains("--fresh"), "{to}: {}", stderr(&output));
        assert!(stderr(&output).contains("plays damaged games again"), "{to}");
    }
    fs::write(&games, "").expect("written");
    let output = agon(&["report", &out]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    for command in ["report", "grade"] {
        let output = agon(&[command, dir.path().join("none").to_str().expect("text")]);
        assert_eq!(output.status.code(), Some(2), "{command}");
        let said = stderr(&output);
        assert!(said.contains("does not exist") && said.contains("help: "), "{said}");
    }
}

#[test]
fn a_header_without_games_is_an_empty_table() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = played(dir.path());
    let games = fs::read_to_string(Path::new(&out).join("games.csv")).expect("games.csv");
    for lines in [1, 2] {
        let bare = dir.path().join(format!("bare{lines}"));
        fs::create_dir(&bare).expect("a folder");
        let head: Vec<&str> = games.lines().take(lines).collect();
        fs::write(bare.join("games.csv"), head.join("\n") + "\n").expect("written");
        for format in ["text", "json", "markdown"] {
            let output =
                ok(agon(&["report", bare.to_str().expect("text"), "-v", "--format", format]));
            let text = stdout(&output).to_lowercase();
            let words = text.split(|c: char| !c.is_alphanumeric());
            assert!(!words.clone().any(|word| word == "nan" || word == "inf"), "{text}");
        }
    }
}

#[test]
fn json_holds_numbers_and_null() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = played(dir.path());
    let config = dir.path().join("c.toml");
    let arguments = ["--config", config.to_str().expect("text"), "--out", &out];
    let output = agon(&[&arguments[..], &["--format", "json"]].concat());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&json["seed"], &json["sprt"]), (&3.into(), &serde_json::Value::Null));
    assert_eq!(json["agents"][2]["nodes_per_move"], serde_json::Value::Null);
    assert!(json["agents"][0]["nodes_per_move"].as_f64().expect("a number") > 1.0);
    assert_eq!(json["pairings"].as_array().map(Vec::len), Some(3));
    let sum: u64 = ["a_wins", "draws", "b_wins"]
        .map(|key| json["pairings"][0][key].as_u64().expect("a count"))
        .iter()
        .sum();
    assert_eq!(sum, 20);
    assert_eq!(json["seats"][0]["games"], 120);
    let output = agon(&[&arguments[..], &["--dry-run", "--format", "json"]].concat());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&json["games"], &json["pairings"][0]["games"]), (&120.into(), &20.into()));
}

#[test]
fn agents_that_would_repeat_themselves_are_refused_unless_asked_for() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", &CONFIG.replace("\nties = \"random\"", ""));
    let out = dir.path().join("out");
    let arguments = ["--config", &config, "--out", out.to_str().expect("text")];
    let output = agon(&arguments);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("`mm1` against `itself` (and in 2 more pairings)"), "{text}");
    assert!(text.contains("at most 1 of 20 games can be different"), "{text}");
    assert!(text.contains("c.toml:12") && text.contains("allow_duplicates"), "{text}");
    assert!(!out.exists());
    ok(agon(&[&arguments[..], &["--set", "schedule.allow_duplicates=true"]].concat()));
    // The same experiment and the same results: no game is played again.
    let output = ok(agon(&arguments));
    assert!(stderr(&output).contains("nothing is played"), "{}", stderr(&output));
}
