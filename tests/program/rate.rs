//! Tests of `agon rate`: results of other programs, and the page about them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::support::{agon, ok, stderr, stdout, write};

fn within(folder: &Path, arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_agon");
    Command::new(program).args(arguments).current_dir(folder).output().expect("the program runs")
}

/// The blocks of the page: the language of each and its text.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let parts = page.split("\n```").skip(1).step_by(2);
    parts.map(|part| part.split_once('\n').expect("a block has a line")).collect()
}

#[test]
fn the_examples_of_the_page_are_what_the_program_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rate.md");
    let mut page = fs::read_to_string(&path).expect("the page");
    let dir = tempfile::tempdir().expect("a folder");
    let text = page.clone();
    let mut table = "";
    let mut examples = 0;
    for (language, block) in blocks(&text) {
        if language != "console" {
            table = block;
            continue;
        }
        let (command, expected) = block.split_once('\n').unwrap_or((block, ""));
        let words: Vec<&str> = command.split(' ').skip(2).collect();
        write(dir.path(), words[1], &format!("{table}\n"));
        let output = within(dir.path(), &words);
        let printed = stdout(&output) + &stderr(&output);
        examples += 1;
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            page = page.replacen(
                &format!("{command}\n{expected}\n"),
                &format!("{command}\n{printed}"),
                1,
            );
        } else {
            assert_eq!(printed.trim_end(), expected, "{command}");
        }
    }
    assert_eq!(examples, 6);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, page).expect("the page can be written");
    }
}

/// The results of a table as JSON.
#[track_caller]
fn rated(name: &str, text: &str, options: &[&str]) -> Value {
    let dir = tempfile::tempdir().expect("a folder");
    let path = write(dir.path(), name, text);
    let arguments = [&["rate", &path, "--format", "json"], options].concat();
    serde_json::from_str(&stdout(&ok(agon(&arguments)))).expect("JSON")
}

fn elo(results: &Value, name: &str) -> f64 {
    let agents = results["agents"].as_array().expect("agents");
    let agent = agents.iter().find(|agent| agent["agent"] == name).expect("the agent");
    agent["elo"].as_f64().expect("a rating")
}

/// BT1 of the known cases: A beats B six times, three draws, and one loss: ±95.4243 Elo. The closed form
/// is 200 log₁₀(0.75 / 0.25).
const RESULTS: [&str; 10] =
    ["1-0", "1-0", "1-0", "1-0", "1-0", "1-0", "1/2-1/2", "1/2-1/2", "1/2-1/2", "0-1"];

/// Half of the games with the second player's name in the first column.
fn rows(line: impl Fn(&str, &str, &str) -> String) -> String {
    let flipped = |result: &str| {
        match result {
            "1-0" => "0-1",
            "0-1" => "1-0",
            draw => draw,
        }
        .to_owned()
    };
    let both = RESULTS.iter().map(|result| line("A", "B", result));
    both.chain(RESULTS.iter().map(|result| line("B", "A", &flipped(result)))).collect()
}

#[test]
fn every_format_has_the_ratings_of_the_closed_form() {
    let tables = [
        ("a.csv", format!("white,black,result\n{}", rows(|a, b, r| format!("{a},{b},{r}\n")))),
        ("b.tsv", format!("first\tsecond\tresult\n{}", rows(|a, b, r| format!("{a}\t{b}\t{r}\n")))),
        ("c.csv", {
            let number = |r: &str| {
                match r {
                    "1-0" => "1",
                    "0-1" => "-1",
                    _ => "0",
                }
                .to_owned()
            };
            format!(
                "player1;player2;score\r\n{}",
                rows(|a, b, r| format!("{a};{b};{}\r\n", number(r)))
            )
        }),
        ("d.jsonl", {
            let ranks = |r: &str| {
                match r {
                    "1-0" => "[1,2]",
                    "0-1" => "[2,1]",
                    _ => "[1,1]",
                }
                .to_owned()
            };
            rows(|a, b, r| format!("{{\"players\":[\"{a}\",\"{b}\"],\"ranks\":{}}}\n", ranks(r)))
        }),
        (
            "e.pgn",
            rows(|a, b, r| {
                format!("[White \"{a}\"]\n[Black \"{b}\"]\n[Result \"{r}\"]\n\n{r}\n\n")
            }),
        ),
    ];
    for (name, text) in tables {
        let results = rated(name, &text, &[]);
        assert_eq!(results["games"], 20, "{name}");
        let expected = 200.0 * 3.0_f64.log10();
        assert!((elo(&results, "A") - expected).abs() < 1e-6, "{name}: {results}");
        assert!((elo(&results, "A") + elo(&results, "B")).abs() < 1e-9, "{name}");
    }
}

#[test]
fn the_order_of_rows_does_not_matter() {
    let lines = rows(|a, b, r| format!("{a},{b},{r}\n"));
    let reversed: String = lines.lines().rev().map(|line| format!("{line}\n")).collect();
    let [one, two] = [lines, reversed].map(|rows| {
        let results = rated("a.csv", &format!("white,black,result\n{rows}"), &[]);
        [elo(&results, "A"), results["seats"][0]["p_value"].as_f64().expect("p")]
    });
    assert_eq!(one, two);
}

#[test]
fn a_results_folder_has_the_ratings_of_its_report() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference");
    let rated = ok(agon(&["rate", folder.to_str().expect("text"), "--format", "json"]));
    let rated: Value = serde_json::from_str(&stdout(&rated)).expect("JSON");
    let agents = fs::read_to_string(folder.join("agents.csv")).expect("agents.csv");
    let mut table = csv::Reader::from_reader(agents.as_bytes());
    let head = table.headers().expect("a header").clone();
    let place = |name: &str| head.iter().position(|it| it == name).expect("the column");
    let rows: Vec<csv::StringRecord> = table.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 10);
    for row in rows {
        let expected: f64 = row[place("elo")].parse().expect("a number");
        let name = &row[place("agent")];
        assert!(
            (elo(&rated, name) - expected).abs() < 1e-6,
            "{name}: {} {expected}",
            elo(&rated, name)
        );
    }
}

#[test]
fn files_with_gzip_and_the_standard_input_are_read() {
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), "a.csv", "white,black,result\nA,B,1-0\nB,A,1-0\nA,B,1-0\n");
    let shell = |line: &str| {
        let line = line.replace("agon", env!("CARGO_BIN_EXE_agon"));
        ok(Command::new("sh").args(["-c", &line]).current_dir(dir.path()).output().expect("sh"))
    };
    let plain = stdout(&shell("agon rate a.csv --format csv")).replace("a.csv", "NAME");
    assert_eq!(stdout(&shell("agon rate - --format csv <a.csv")).replace("stdin", "NAME"), plain);
    let packed = stdout(&shell("gzip -k a.csv && agon rate a.csv.gz --format csv"));
    assert_eq!(packed.replace("a.csv.gz", "NAME"), plain);
    // A table may be read twice.
    assert!(stdout(&shell("agon rate a.csv a.csv.gz")).starts_with("6 games"));
}

#[test]
fn openings_make_pairs_and_seats_that_are_sampled_by_opening() {
    let pair = |opening: usize| format!("A,B,1-0,o{opening}\nB,A,1/2-1/2,o{opening}\n");
    let text: String = (0..20).map(pair).collect();
    let results = rated("a.csv", &format!("white,black,result,opening\n{text}"), &[]);
    assert_eq!(results["pairings"][0]["pairs"], 20, "{}", results["pairings"][0]);
    // The same games, sorted by their result: the two games of an opening are not consecutive.
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    let text = format!("white,black,result,opening\n{}\n", lines.join("\n"));
    assert_eq!(rated("a.csv", &text, &[])["pairings"], results["pairings"]);
}

#[test]
fn a_sequential_test_has_an_exit_code() {
    let dir = tempfile::tempdir().expect("a folder");
    let games = |win: &str, times| {
        format!(
            "white,black,result\n{}C,A,1-0\n",
            format!("A,B,{win}\nB,A,1/2-1/2\n").repeat(times)
        )
    };
    for (result, times, code) in [("1-0", 100, 0), ("0-1", 100, 3), ("1-0", 3, 4)] {
        let path = write(dir.path(), "a.csv", &games(result, times));
        let output = agon(&["rate", &path, "--sprt", "0,10", "--of", "A,B"]);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{result}: {}",
            stdout(&output) + &stderr(&output)
        );
    }
    let path = write(dir.path(), "a.csv", &games("1-0", 100));
    let output = agon(&["rate", &path, "--sprt", "0,10", "--of", "A,b"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("there is no player `b`"), "{}", stderr(&output));
}

#[test]
fn different_conditions_are_named_and_have_a_list_each() {
    let text = "white,black,result,tc\nA,B,1-0,fast\nB,A,1-0,slow\nA,B,1-0,slow\n";
    let dir = tempfile::tempdir().expect("a folder");
    let path = write(dir.path(), "a.csv", text);
    let one = stdout(&ok(agon(&["rate", &path])));
    assert!(one.contains("the rows differ in `tc`: fast (1), slow (2)"), "{one}");
    let split = stdout(&ok(agon(&["rate", &path, "--split-by", "tc"])));
    assert!(split.starts_with("tc = fast\n1 game"), "{split}");
    assert!(split.contains("\ntc = slow\n2 games"), "{split}");
}

#[test]
fn wrong_tables_are_answered_with_line_column_and_help() {
    let dir = tempfile::tempdir().expect("a folder");
    let two = "player1,player2,result\n";
    let pgn = |tags: &str| format!("[White \"a\"]\n{tags}\n1. e4 1-0\n");
    for (name, text, words) in [
        (
            "a.csv",
            format!("{two},b,1-0\n"),
            "a.csv, line 2, column 1 (`player1`): the player has no name",
        ),
        (
            "a.csv",
            format!("{two}a,b,1-0\na,b,maybe\n"),
            "line 3, column 3 (`result`): `maybe` is not a result",
        ),
        ("a.csv", format!("{two}a,b,1e9\n"), "`1e9` is not a result"),
        ("a.csv", format!("{two}a,b,\n"), "the result is missing"),
        ("a.csv", format!("{two}a,a,1-0\n"), "`a` plays against itself"),
        ("a.csv", format!("{two}a,b\n"), "line 2: the row has 2 fields, and the header has 3"),
        (
            "a.csv",
            format!("{two}\"a,b,1-0\nc,d,1-0\n"),
            "line 2, column 1 (`player1`): a quote does not end",
        ),
        (
            "a.csv",
            format!("{two}a,b,1\na,b,-1\na,b,0.5\n"),
            "the results have −1 (line 3) and ½ (line 4)",
        ),
        (
            "a.csv",
            "player1,player2,winner\na,b,c\n".into(),
            "the winner `c` is not a player of this row",
        ),
        (
            "a.csv",
            "p1,p2,rank_1,rank_2\na,b,1,3\n".into(),
            "column 4 (`rank_2`): the ranks have a gap: no player has rank 2",
        ),
        (
            "a.csv",
            "p1,p2,score1,score2\na,b,1,1e9\n".into(),
            "column 4 (`score2`): `1e9` is not a score",
        ),
        (
            "a.csv",
            "red,blue\na,b\n".into(),
            "no column is known to hold the players: the columns are `red`, `blue`",
        ),
        (
            "a.csv",
            "white,first,black,result\na,b,c,1-0\n".into(),
            "`white` and `first` may both be first",
        ),
        (
            "a.csv",
            "player,opponent,result\na,b,win\nb,a,loss\na,c,draw\nc,a,draw\n".into(),
            "each game stands twice",
        ),
        ("a.csv", "game_id,p1,p2,result\n1,a,b,1-0\n1,a,b,1-0\n".into(), "each game stands twice"),
        ("a.csv", String::new(), "the file is empty"),
        ("a.csv", "p1,p2,p3,rank1,rank2,rank3\na,b,c,1,2,3\n".into(), "the row has 3 players"),
        (
            "a.jsonl",
            "{\"a\":\"x\",\"b\":\"y\",\"result\":1}\n{\"a\":\n".into(),
            "a.jsonl, line 2: not a JSON object",
        ),
        ("a.jsonl", "{\"a\":\"x\",\"b\":\"y\",\"result\":{}}\n".into(), "line 1, `result`"),
        ("a.json", "[{\"a\":1}]\n".into(), "not JSON Lines"),
        (
            "a.pgn",
            pgn("[Black \"b\"]\n[Result \"*\"]\n"),
            "the tag says `*`, and the game ends with `1-0`",
        ),
        ("a.pgn", pgn("[Black \"?\"]\n"), "a.pgn, line 1, `Black`: the player has no name"),
        ("a.pgn", "1. e4\n".into(), "a.pgn, line 1: the line belongs to no game"),
    ] {
        let path = write(dir.path(), name, &text);
        let output = agon(&["rate", &path]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{text}: {said}{}", stdout(&output));
        assert!(said.contains(words) && said.contains("\nhelp: "), "{text}: {said}");
    }
    fs::write(dir.path().join("l.csv"), b"player1,player2,result\na,Jos\xE9,1-0\n")
        .expect("a file");
    let said = stderr(&within(dir.path(), &["rate", "l.csv"]));
    assert!(said.contains("line 2, column 2 (`player2`): the text is not UTF-8"), "{said}");
}
