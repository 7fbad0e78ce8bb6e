//! Tests of `agon rate`: results of other programs, and the page about them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

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
    assert_eq!(examples, 3);
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
fn a_sequential_test_makes_pairs_in_any_order_and_names_games_without_a_partner() {
    let dir = tempfile::tempdir().expect("a folder");
    // Each opening is in both halves of the file, with changed seats; ten rows have no partner.
    let game = |white, black, result, opening: u32| format!("{white},{black},{result},{opening}\n");
    let half = |white, black, result| -> String {
        (0..200).map(|opening| game(white, black, result, opening)).collect()
    };
    let alone: String = (0..10).map(|opening| game("A", "B", "1-0", 900 + opening)).collect();
    let head = "white,black,result,opening\n".to_owned();
    let others = game("B", "C", "1-0", 1);
    let text = head + &half("A", "B", "1-0") + &half("B", "A", "1/2-1/2") + &alone + &others;
    let path = write(dir.path(), "a.csv", &text);
    let output = agon(&["rate", &path, "--sprt", "0,10", "--of", "A,B"]);
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for words in ["note: 10 of 410 games are not in the test", "note: 1 game of other players is"] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn no_player_is_called_the_best_without_a_rating() {
    for (rows, verdict) in [
        ("1,2|3,4", "No player has a rating, and not all players met, so no player is the best."),
        ("1,2|2,3", "No player has a rating: some players always ranked above the others."),
        (
            "1,2,3|1,3,2",
            "1 always ranked above all players with ratings, so its rating has only a lower bound.",
        ),
    ] {
        let row =
            |row: &str| format!("{{\"players\":[{row}],\"ranks\":[{}]}}\n", &"0,1,2"[..row.len()]);
        let text: String = rows.split('|').map(row).collect();
        for options in [&[][..], &["--within", "30"], &["--any-time"]] {
            // Two players in each row have the tables of a run without this option.
            let options = [&["--ties", "davidson"], options].concat();
            let results = rated("a.jsonl", &text, &options);
            if verdict.starts_with("No") || !options.contains(&"--any-time") {
                assert_eq!(results["verdict"], verdict, "{rows} {options:?}");
            }
        }
    }
}

#[test]
fn ranks_are_from_0_or_from_1() {
    let row =
        |ranks: [u32; 3]| format!("{{\"players\":[\"a\",\"b\",\"c\"],\"ranks\":{ranks:?}}}\n");
    let text = |from: u32| -> String {
        let rows = [[0, 1, 2], [1, 0, 2], [2, 0, 1], [0, 0, 1], [1, 2, 0]];
        rows.map(|ranks| row(ranks.map(|rank| rank + from))).concat()
    };
    let players = |from| rated("a.jsonl", &text(from), &[])["players"].clone();
    assert_eq!(players(0), players(1));
}

#[test]
fn different_conditions_are_named_and_have_a_list_each() {
    let text = "white,black,result,tc\nA,B,1-0,fast\nB,A,1-0,slow\nA,B,1-0,slow\n";
    let dir = tempfile::tempdir().expect("a folder");
    let path = write(dir.path(), "a.csv", text);
    let one = stdout(&ok(agon(&["rate", &path])));
    let before = "note: the rows differ in `tc`: fast (1), slow (2); `--split-by tc` rates them separately\n";
    assert!(one.starts_with(&format!("{before}3 games")), "{one}");
    let ranked = stdout(&ok(agon(&["rate", &path, "--within", "30"])));
    assert!(ranked.starts_with(&format!("{before}3 games")), "{ranked}");
    let split = stdout(&ok(agon(&["rate", &path, "--split-by", "tc"])));
    assert!(split.starts_with("tc = fast\n1 game"), "{split}");
    assert!(split.contains("\ntc = slow\n2 games"), "{split}");
    for (column, is_condition) in [("game", false), ("tc", true)] {
        let table = format!("{column},white,black,result\n1,A,B,1-0\n1,B,A,1-0\n2,B,A,1-0\n");
        let rated = stdout(&ok(agon(&["rate", &write(dir.path(), "b.csv", &table)])));
        assert_eq!(rated.contains("the rows differ in"), is_condition, "{rated}");
    }
}

/// A row of JSON Lines with this number of players, and their ranks.
fn players_in_a_row(players: u32, rank: impl Fn(u32) -> u32) -> String {
    let names: Vec<String> = (1..=players).map(|player| format!("p{player}")).collect();
    let ranks: Vec<u32> = (1..=players).map(rank).collect();
    json!({ "players": names, "ranks": ranks }).to_string() + "\n"
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
        ("a.csv", two.into(), "no row has a result"),
        ("a.xlsx", "PK\u{3}\u{4}\n".into(), "the file seems to be a ZIP archive or a spreadsheet"),
        ("a.csv", "\n <!DOCTYPE html>\n".into(), "the file seems to be HTML or XML"),
        ("a.pgn", "%PDF-1.7\n".into(), "the file seems to be PDF"),
        ("a.csv", "BZh91AY\n".into(), "the file seems to be compressed, but not with gzip"),
        ("a.db", "SQLite format 3\0\n".into(), "the file seems to be binary"),
        (
            "a.jsonl",
            "{\"a\":\"x\",\"b\":\"y\",\"result\":1}\n{\"a\":\n".into(),
            "a.jsonl, line 2: not a JSON object",
        ),
        ("a.jsonl", "{\"a\":\"x\",\"b\":\"y\",\"result\":{}}\n".into(), "line 1, `result`"),
        ("a.json", "[\n {\"a\":1}]\n".into(), "line 2: no column is known to hold the players"),
        ("a.json", "[{\"a\":\"x\",\n\"b\":}]\n".into(), "a.json, line 2: not JSON"),
        (
            "a.json",
            "[{\"a\":\"x\",\"b\":\"y\",\"result\":1},\n7]\n".into(),
            "line 2: `7` is not expected",
        ),
        ("a.json", "[{\"a\":\"x\",\"b\":\"y\",\"result\":1}\n".into(), "the list does not end"),
        (
            "a.csv",
            "game_id,player,rank\n1,a,1\n1,b,2\n2,a,1\n".into(),
            "line 4, column 2 (`player`): the row has 1",
        ),
        (
            "a.csv",
            "game_id,player,rank\n1,a,1\n,b,2\n".into(),
            "line 3, column 1 (`game_id`): the game has no identity",
        ),
        (
            "a.csv",
            "game_id,player,rank\n1,a,1\n1,b,3\n".into(),
            "line 2, column 3 (`rank`): the ranks have a gap",
        ),
        (
            "a.csv",
            "game_id,seat,player,rank\n1,a,1,1\n".into(),
            "column 2 (`seat`): `a` is not a seat",
        ),
        (
            "a.pgn",
            pgn("[Black \"b\"]\n[Result \"*\"]\n"),
            "the tag says `*`, and the game ends with `1-0`",
        ),
        ("a.pgn", pgn("[Black \"?\"]\n"), "a.pgn, line 1, `Black`: the player has no name"),
        ("a.pgn", "1. e4\n".into(), "a.pgn, line 1: the line belongs to no game"),
        (
            "a.csv",
            format!("{two}{},b,1-0\n", "a".repeat(2_000_000)),
            "line 2, column 1 (`player1`): the name of the player has 2000000 bytes",
        ),
        ("a.jsonl", players_in_a_row(70_000, |rank| rank), "line 1, `players`: the row has 70000"),
        ("a.jsonl", players_in_a_row(11, |_| 1), "line 1, `ranks`: 11 players have the same rank"),
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

#[test]
fn nothing_that_is_named_twice_counts_twice() {
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), "a.csv", "white,black,result\na,b,1-0\nb,a,1-0\na,b,0-1\n");
    ok(within(dir.path(), &["rate", "a.csv", "--pool", "p.jsonl"]));
    let pool = fs::read_to_string(dir.path().join("p.jsonl")).expect("a pool");
    for (arguments, words) in [
        ("a.csv ./a.csv", "./a.csv: the file is named twice"),
        ("- -", "stdin: the file is named twice"),
        ("p.jsonl --pool p.jsonl", "the pool p.jsonl is also a file to append"),
        ("a.csv --anchor a=1 --anchor a=2", "`--anchor` names `a` twice"),
        ("a.csv --sprt 0,5 --of a,a", "`--of` names `a` twice"),
        ("a.csv --of a,b", "--sprt <ELO0,ELO1>"),
        ("a.csv --columns first=x,first=y", "two columns for first: `x` and `y`"),
        ("a.csv --columns first=x,second=X", "the column `X` twice: first and second"),
        ("a.csv --place=", "--place <NAME>"),
    ] {
        let words_of_command: Vec<&str> =
            ["rate"].into_iter().chain(arguments.split(' ')).collect();
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        let input = fs::File::open(dir.path().join("a.csv")).expect("a file");
        let output = command.args(words_of_command).current_dir(dir.path()).stdin(input).output();
        let output = output.expect("the program runs");
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
        assert!(said.contains(words) && said.contains("\nhelp: "), "{arguments}: {said}");
    }
    assert_eq!(fs::read_to_string(dir.path().join("p.jsonl")).expect("a pool"), pool);
}

/// The same games in every shape of a table: the figures of the players are equal.
/// The log of both players of each game: `both` writes the two rows of game number `i`, in which `a` plays
/// `b` with this result.
fn log_of_both(games: u32, both: impl Fn(u32, &str, &str, &str) -> [String; 2]) -> [String; 2] {
    let mut logs = [String::new(), String::new()];
    for i in 0..games {
        let (a, b) = [("a", "b"), ("b", "c"), ("c", "a"), ("b", "a")][i as usize % 4];
        let result = ["win", "loss", "draw"][(i * i / 3 + i) as usize % 3];
        let of = both(i, a, b, result);
        logs.iter_mut().zip(of).for_each(|(log, row)| log.push_str(&row));
    }
    logs
}

#[test]
fn a_log_of_both_players_is_found_in_every_layout() {
    let dir = tempfile::tempdir().expect("a folder");
    let other = |result: &str| {
        match result {
            "win" => "loss",
            "loss" => "win",
            same => same,
        }
        .to_owned()
    };
    let ranks = |result: &str| match result {
        "win" => "1, 2",
        "loss" => "2, 1",
        _ => "1, 1",
    };
    let mirrored = log_of_both(160, |_, a, b, result| {
        [format!("{a},{b},{result}\n"), format!("{b},{a},{}\n", other(result))]
    });
    let [one, two] = &mirrored;
    let alternating: String =
        one.lines().zip(two.lines()).map(|(a, b)| format!("{a}\n{b}\n")).collect();
    let mut sorted: Vec<&str> = one.lines().chain(two.lines()).collect();
    sorted.sort_unstable();
    let lists = log_of_both(160, |_, a, b, result| {
        let row = |a: &str, b: &str, result: &str| {
            format!("{{\"players\": [\"{a}\", \"{b}\"], \"ranks\": [{}]}}\n", ranks(result))
        };
        [row(a, b, result), row(b, a, &other(result))]
    });
    let seats = log_of_both(160, |i, a, b, result| {
        [
            format!("{a},{b},{},{result}\n", 1 + i % 2),
            format!("{b},{a},{},{}\n", 2 - i % 2, other(result)),
        ]
    });
    let seats_of_view =
        |log: &[String; 2]| format!("player,opponent,seat,result\n{}", log.concat());
    for (name, text) in [
        ("p.csv", format!("player1,player2,result\n{}", mirrored.concat())),
        ("p.csv", format!("seat1,seat2,result\n{alternating}")),
        ("p.csv", format!("bot_a,bot_b,result\n{}\n", sorted.join("\n"))),
        ("p.jsonl", lists.concat()),
        ("p.csv", seats_of_view(&seats)),
    ] {
        write(dir.path(), name, &text);
        let output = within(dir.path(), &["rate", name]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        let said = stderr(&output);
        assert!(said.contains("each game stands twice: all 320 rows have a row"), "{said}");
        assert!(said.contains("keep the log of one player only"), "{said}");
    }
    // One log, and results that are equal because one player always wins, are different games.
    let wins = "player1,player2,result\n".to_owned() + &"a,b,win\nb,a,loss\n".repeat(50);
    let one = format!("player1,player2,result\n{one}");
    for text in [one.as_str(), &wins] {
        write(dir.path(), "p.csv", text);
        ok(within(dir.path(), &["rate", "p.csv"]));
    }
    // A column of tasks says that the rows are different games.
    let tasks = log_of_both(120, |i, a, b, result| {
        [format!("{a},{b},{result},{i}\n"), format!("{b},{a},{},{i}\n", other(result))]
    });
    write(dir.path(), "p.csv", &format!("player1,player2,result,task\n{}", tasks.concat()));
    ok(within(dir.path(), &["rate", "p.csv", "--group", "task"]));
}

#[test]
fn a_column_of_seats_says_who_moved_first() {
    let rows = |first: &str, second: &str| {
        format!(
            "player,opponent,color,result\na,b,{first},win\na,b,{second},loss\nb,c,{first},win\nc,a,{second},draw\n"
        )
    };
    let with = |first: &str, second: &str| rated("a.csv", &rows(first, second), &["--any-time"]);
    let named = rated(
        "a.csv",
        "first,second,result\na,b,1-0\nb,a,1-0\nb,c,1-0\na,c,1/2-1/2\n",
        &["--any-time"],
    );
    assert_eq!(with("white", "black")["seats"], named["seats"]);
    assert_eq!(with("1", "2")["seats"], named["seats"]);
    assert!(!named["seats"].is_null(), "{named}");
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), "a.csv", &rows("white", "up"));
    let said = stderr(&within(dir.path(), &["rate", "a.csv"]));
    assert!(
        said.contains("line 3, column 3 (`color`): `up` is not a seat of two players"),
        "{said}"
    );
}

#[test]
fn lists_of_json_and_rows_of_players_and_files_without_header_are_read() {
    let wide = "p1,p2,p3,rank1,rank2,rank3\nA,B,C,1,2,3\nB,C,A,2,1,3\nC,A,B,3,2,1\nA,C,B,1,2,2\n";
    let expected = rated("a.csv", wide, &[]);
    let bare = wide.split_once('\n').expect("lines").1;
    let numbers = ["--columns", "player1=1,player2=2,player3=3,rank1=4,rank2=5,rank3=6"];
    let games: Vec<Vec<&str>> = bare.lines().map(|line| line.split(',').collect()).collect();
    let rows = |line: &dyn Fn(usize, usize, &str, &str) -> String| {
        let seats = (0..3).flat_map(|seat| (0..games.len()).map(move |game| (game, seat)));
        seats.map(|(g, s)| line(g, s + 1, games[g][s], games[g][s + 3])).collect::<Vec<_>>()
    };
    let long = rows(&|game, seat, name, rank| format!("{game},{seat},{name},{rank}\n")).concat();
    let long = format!("match_id,Seat,bot,place\n{long}");
    let objects = rows(&|game, seat, name, rank| {
        format!(
            "{{\"game_id\": {game}, \"seat\": {seat},\n \"player\": \"{name}\", \"score\": -{rank}}}"
        )
    });
    let list = format!("[\n{}\n]\n", objects.join(",\n"));
    let nested = games.iter().map(|game| {
        let json = serde_json::json!({ "players": game[..3], "ranks": game[3..] });
        json.to_string()
    });
    let nested = format!("[{}]", nested.collect::<Vec<_>>().join(", "));
    for (name, text, options) in [
        ("a.csv", bare, &numbers[..]),
        ("b.csv", &long, &[]),
        ("c.json", &list, &[]),
        ("d.json", &nested, &[]),
    ] {
        let results = rated(name, text, options);
        assert_eq!(results["players"], expected["players"], "{name}");
        assert_eq!(results["seats"], expected["seats"], "{name}");
    }
    // Without seats, a file that is sorted by rank shows no effect of them.
    let sorted = (0..60)
        .map(|game| {
            let [best, other] = if game % 2 == 0 { ["A", "B"] } else { ["B", "A"] };
            format!("{game},{best},1\n{game},{other},0\n")
        })
        .collect::<String>();
    let results = rated("a.csv", &format!("id,player,points\n{sorted}"), &[]);
    assert!(elo(&results, "A").abs() < 10.0, "{results}");
    assert!(results["seats"][0]["p_value"].as_f64() > Some(0.01), "{results}");
}

fn elo_of_player(results: &Value, name: &str) -> f64 {
    let players = results["players"].as_array().expect("players");
    let player = players.iter().find(|player| player["player"] == name).expect("the player");
    player["elo"].as_f64().expect("a rating")
}

/// Cases of n seats, computed by two optimisers independently of agon, without effects of the seats. So
/// each order is written once for each rotation of the seats, which makes the effects 0.
#[test]
fn ranks_and_ties_have_the_known_ratings() {
    let orders = |rows: &[(&str, usize)]| {
        let mut text = String::new();
        for (order, times) in rows {
            let ranks = order
                .split('>')
                .zip(1..)
                .flat_map(|(tied, rank)| tied.split('=').map(move |player| (player, rank)));
            let mut seats: Vec<(&str, i32)> = ranks.collect();
            for _ in 0..seats.len() {
                let (players, ranks): (Vec<&str>, Vec<i32>) = seats.iter().copied().unzip();
                let row = serde_json::json!({ "players": players, "places": ranks });
                text.push_str(&format!("{row}\n").repeat(*times));
                seats.rotate_left(1);
            }
        }
        text
    };
    // Ranks with ties are dense, and are places.
    let pl1 = [("A>B>C", 3), ("A>C>B", 1), ("B>A>C", 2), ("B>C>A", 1), ("C>A>B", 1)];
    let pl2 = [&pl1[..], &[("A=B>C", 2), ("C>A=B", 1)]].concat();
    for (name, rows, expected) in [
        ("PL1", &pl1[..], [95.0176, 28.3662, -123.3839]),
        ("PL2", &pl2, [83.8332, 37.4636, -121.2968]),
    ] {
        let results = rated("a.jsonl", &orders(rows), &[]);
        for (player, expected) in ["A", "B", "C"].iter().zip(expected) {
            let found = elo_of_player(&results, player);
            assert!((found - expected).abs() < 0.01, "{name} {player}: {found} {expected}");
        }
        assert_eq!(results["seats"].as_array().expect("seats").len(), 3);
    }
}

/// TM1: the differences of the teams have closed forms.
#[test]
fn a_team_has_the_mean_strength_of_its_members() {
    let mut text = String::new();
    for (one, two, wins) in [("AB", "CD", 7), ("AC", "BD", 6), ("AD", "BC", 5)] {
        let team = |names: &str| {
            names.split("").filter(|name| !name.is_empty()).collect::<Vec<_>>().join("+")
        };
        let [one, two] = [team(one), team(two)];
        text += &format!("{one},{two},1-0\n{two},{one},0-1\n").repeat(wins);
        text += &format!("{one},{two},0-1\n{two},{one},1-0\n").repeat(10 - wins);
    }
    let results = rated("a.csv", &format!("team1,team2,result\n{text}"), &[]);
    for (player, expected) in [("A", 108.8136), ("B", 38.3771), ("C", -38.3771), ("D", -108.8136)] {
        let found = elo_of_player(&results, player);
        assert!((found - expected).abs() < 0.01, "{player}: {found} {expected}");
    }
}

#[test]
fn two_players_have_the_same_ratings_as_two_of_any_number() {
    let text = format!("white,black,result,task\n{}", {
        let mut task = 0;
        let lines = rows(|a, b, r| format!("{a},{b},{r},\n"));
        let with = |line: &str| {
            task += 1;
            format!("{line}{task}\n")
        };
        lines.lines().map(with).collect::<String>()
    });
    let alone = rated("a.csv", &text, &[]);
    let grouped = rated("a.csv", &text, &["--group", "task"]);
    assert_eq!(grouped["groups"], 20);
    assert!((elo(&alone, "A") - elo_of_player(&grouped, "A")).abs() < 1e-6);
    let anchored = rated("a.csv", &text, &["--anchor", "A=1500"]);
    assert!((elo_of_player(&anchored, "A") - 1500.0).abs() < 1e-6, "{anchored}");
    let difference = elo(&alone, "A") - elo(&alone, "B");
    assert!((1500.0 - elo_of_player(&anchored, "B") - difference).abs() < 1e-6, "{anchored}");
}

/// Ten equal rows of each group say no more than one of them.
#[test]
fn rows_of_a_group_are_one_sample() {
    let width = |copies: usize, options: &[&str]| {
        let lines = RESULTS.iter().chain(&RESULTS).zip(0..);
        let line = |(result, task): (&&str, i32)| {
            let (a, b) = if task % 2 == 0 { ("A", "B") } else { ("B", "A") };
            format!("{a},{b},{result},{task}\n").repeat(copies)
        };
        let text = format!("white,black,result,task\n{}", lines.map(line).collect::<String>());
        let results = rated("a.csv", &text, options);
        let list = results.get("players").unwrap_or(&results["agents"]);
        let players = list.as_array().expect("players");
        players[0]["elo_high"].as_f64().expect("high")
            - players[0]["elo_low"].as_f64().expect("low")
    };
    let grouped = width(10, &["--group", "task"]);
    let once = width(1, &["--group", "task"]);
    assert!((grouped / once - 1.0).abs() < 0.05, "{grouped} {once}");
    // Without the group, the rows of a task look like ten samples.
    let naive = width(10, &[]);
    assert!(naive < 0.5 * grouped, "{naive} {grouped}");
}

/// The first of two equal players led.
/// Rows of three seats in groups of three equal rows: `A` wins `won` of every four groups.
fn groups_of_three(groups: u32, won: u32) -> String {
    let mut text = "players,ranks,task\n".to_owned();
    for group in 0..groups {
        let ranks = if group % 4 < won { "1 2 3" } else { "2 1 3" };
        let ranks = if group % 5 == 4 { "3 2 1" } else { ranks };
        // The seats change from group to group.
        let turned = |list: &str| {
            let mut list: Vec<&str> = list.split(' ').collect();
            list.rotate_left(group as usize / 4 % 3);
            list.join(" ")
        };
        let row = format!("{},{},t{group}\n", turned("A B C"), turned(ranks));
        (0..3).for_each(|_| text.push_str(&row));
    }
    text
}

#[test]
fn a_sequential_test_of_groups_has_a_group_as_its_sample() {
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), "rows.csv", &groups_of_three(200, 3));
    let test = |more: &[&str]| {
        let options = ["rate", "rows.csv", "--sprt", "0,50", "--format", "json"];
        let output = within(dir.path(), &[&options[..], more].concat());
        let results: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        (output.status.code(), results)
    };
    let (code, grouped) = test(&["--of", "A,B", "--group", "task"]);
    assert_eq!((code, &grouped["sprt"]["verdict"]), (Some(0), &json!("H1")));
    assert_eq!(grouped["decision"], json!("yes"));
    assert!(grouped["sprt"]["e_value_h0"].as_f64().expect("a number") >= 20.0);
    let samples = |results: &Value| results["sprt"]["samples"].as_u64().expect("a number");
    // Without groups, three equal rows look like three samples.
    let (_, plain) = test(&["--of", "A,B"]);
    assert!(samples(&plain) < 2 * samples(&grouped), "{plain}");
    assert!(
        samples(&grouped) + grouped["sprt"]["samples_after"].as_u64().expect("a number") == 200
    );
    let (code, reversed) = test(&["--of", "B,A", "--group", "task", "--anchor", "A=1000"]);
    assert_eq!((code, &reversed["sprt"]["verdict"]), (Some(3), &json!("H0")));
    assert!(reversed["players"][0]["elo_low"].is_null(), "only what holds at any time: {reversed}");
    let few = within(
        dir.path(),
        &["rate", "rows.csv", "--sprt", "0,5", "--of", "A,C", "--ties", "davidson"],
    );
    assert!([Some(0), Some(4)].contains(&few.status.code()), "{}", stderr(&few));
    let none = within(dir.path(), &["rate", "rows.csv", "--sprt", "0,5", "--of", "A,D"]);
    assert!(stderr(&none).contains("there is no player `D`"), "{}", stderr(&none));
    write(
        dir.path(),
        "teams.jsonl",
        "{\"players\":[[\"A\",\"B\"],[\"C\",\"D\"]],\"ranks\":[1,2]}\n\
        {\"players\":[[\"A\",\"C\"],[\"B\",\"D\"]],\"ranks\":[2,1]}\n\
        {\"players\":[[\"A\",\"D\"],[\"B\",\"C\"]],\"ranks\":[1,2]}\n",
    );
    let teams = within(dir.path(), &["rate", "teams.jsonl", "--sprt", "0,5", "--of", "A,B"]);
    assert_eq!(teams.status.code(), Some(2));
    assert!(stderr(&teams).contains("each as a side of its own"), "{}", stderr(&teams));
}

#[test]
fn pairs_of_any_number_of_seats_have_e_values_of_their_groups() {
    let grouped = rated("rows.csv", &groups_of_three(100, 3), &["--group", "task", "--any-time"]);
    let pair = |results: &Value| {
        let all = results["pairings"].as_array().expect("a list").clone();
        let of = |it: &&Value| it["player"] == "A" && it["against"] == "B";
        all.iter().find(of).expect("the pair").clone()
    };
    let once: String = {
        let text = groups_of_three(100, 3);
        let mut lines = text.lines();
        let header = lines.next().expect("a header").to_owned();
        std::iter::once(header)
            .chain(lines.step_by(3).map(str::to_owned))
            .map(|l| l + "\n")
            .collect()
    };
    let plain = rated("rows.csv", &once, &["--any-time"]);
    assert_eq!(pair(&grouped)["samples"], 100);
    assert_eq!(pair(&grouped)["games"], 300);
    for key in ["score", "anytime_low", "anytime_high", "e_value"] {
        let [a, b] = [&grouped, &plain].map(|of| pair(of)[key].as_f64().expect("a number"));
        assert!((a - b).abs() < 1e-9 * b, "{key}: {a}, {b}");
    }
    assert!(grouped["players"][0]["elo_low"].is_null() && grouped["seat_test"].is_null());
    assert_eq!(grouped["comparisons"], json!([]));
}

#[test]
fn missing_games_follow_from_the_width_of_intervals() {
    let text = groups_of_three(100, 3);
    let results = rated("rows.csv", &text, &["--within", "10"]);
    let widest = results["players"].as_array().expect("a list").iter().map(|player| {
        let end = |key: &str| player[key].as_f64().expect("a number");
        (end("elo_high") - end("elo_low")) / 2.0
    });
    let widest = widest.fold(0.0, f64::max);
    let expected = (300.0 * ((widest / 10.0).powi(2) - 1.0)).ceil();
    assert_eq!(results["more_games"].as_f64(), Some(expected));
    assert_eq!(rated("rows.csv", &text, &["--within", "900"])["more_games"], 0);
    let few = rated("rows.csv", &groups_of_three(7, 3), &["--within", "10", "--group", "task"]);
    assert!(few["more_games"].is_null(), "fewer than 8 groups have no intervals");
}

#[test]
fn all_tables_and_a_page_are_written_for_any_number_of_seats() {
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), "rows.csv", &groups_of_three(40, 3));
    ok(within(dir.path(), &["rate", "rows.csv", "--group", "task", "--out", "out"]));
    let read = |name: &str| fs::read_to_string(dir.path().join("out").join(name)).expect(name);
    assert!(read("agents.csv").starts_with("player,games,score,elo,elo_low,elo_high,set\nA,120,"));
    assert!(read("pairings.csv").contains("\nA,B,120,40,"));
    assert!(read("seats.csv").starts_with("seat,elo,elo_low,elo_high\n1,"));
    assert!(read("summary.txt").contains("Who is stronger?"));
    let page = read("report.html");
    for part in ["id=\"strength\"", "id=\"seats\"", "id=\"pairings\"", "Rating list", "<svg"] {
        assert!(page.contains(part), "{part}");
    }
    // No table says what a move costs.
    write(dir.path(), "two.csv", "white,black,result\nA,B,1-0\nB,A,1-0\nA,B,0-1\n");
    ok(within(dir.path(), &["rate", "two.csv", "--out", "two"]));
    let page = fs::read_to_string(dir.path().join("two/report.html")).expect("a page");
    assert!(page.contains("id=\"strength\"") && !page.contains("id=\"cost\""));
    ok(within(dir.path(), &["rate", "rows.csv", "--split-by", "task", "--out", "lists"]));
    assert!(dir.path().join("lists/t0/agents.csv").exists());
    let csv = within(dir.path(), &["rate", "rows.csv", "--split-by", "task", "--format", "csv"]);
    assert!(stderr(&csv).contains("CSV is one table"), "{}", stderr(&csv));
}

#[test]
fn equal_players_have_the_same_rating() {
    let lines = (0..10).map(|task| format!("A,B,1-0,{task}\nB,A,1-0,{task}\n"));
    let text = format!("white,black,result,task\n{}", lines.collect::<String>());
    let results = rated("a.csv", &text, &["--group", "task"]);
    let verdict = results["verdict"].as_str().expect("a verdict");
    assert!(verdict.starts_with("A and B have the same rating. 0 of 1 "), "{verdict}");
}

#[test]
fn a_pool_grows_and_has_no_order() {
    let dir = tempfile::tempdir().expect("a folder");
    let header = "white,black,result\n";
    let text = rows(|a, b, r| format!("{a},{b},{r}\n"));
    let (one, two) = text.split_at(text.len() / 2);
    for (name, part) in [("one.csv", one), ("two.csv", two), ("all.csv", text.as_str())] {
        write(dir.path(), name, &format!("{header}{part}"));
    }
    let json = |arguments: &[&str]| -> Value {
        let output = ok(within(dir.path(), &[arguments, &["--format", "json"]].concat()));
        serde_json::from_str(&stdout(&output)).expect("JSON")
    };
    assert_eq!(json(&["rate", "one.csv", "--pool", "pool.jsonl"])["games"], 10);
    let pool = json(&["rate", "two.csv", "--pool", "pool.jsonl"]);
    assert_eq!(pool["games"], 20);
    assert_eq!(pool["agents"][0]["elo"], json(&["rate", "all.csv"])["agents"][0]["elo"]);
    let again = within(dir.path(), &["rate", "one.csv", "--pool", "pool.jsonl"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("the pool has these results already"), "{}", stderr(&again));
    let lines = fs::read_to_string(dir.path().join("pool.jsonl")).expect("the pool");
    let reversed: String = lines.lines().rev().map(|line| format!("{line}\n")).collect();
    write(dir.path(), "reversed.jsonl", &reversed);
    let [one, two] = ["pool.jsonl", "reversed.jsonl"].map(|file| elo(&json(&["rate", file]), "A"));
    assert!((one - two).abs() < 1e-9);
}

#[test]
fn a_pool_keeps_conditions() {
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), "a.csv", "white,black,result,tc,Game\nA,B,1-0,fast,chess\nB,A,1-0,slow,\n");
    write(dir.path(), "b.csv", "white,black,result\nA,B,0-1\n");
    ok(within(dir.path(), &["rate", "b.csv", "--pool", "pool.jsonl"]));
    ok(within(dir.path(), &["rate", "a.csv", "--pool", "pool.jsonl"]));
    let rated = stdout(&ok(within(dir.path(), &["rate", "pool.jsonl"])));
    assert!(rated.contains("the rows differ in `tc`: fast (1), slow (1)"), "{rated}");
    assert!(!rated.contains("the rows differ in `Game`"), "{rated}");
}

#[test]
fn players_who_are_always_together_are_named() {
    let text = "team1,team2,result\na+b,c+d,1-0\nc+d,a+b,1-0\na+b,d+c,1-0\n";
    let dir = tempfile::tempdir().expect("a folder");
    let path = write(dir.path(), "a.csv", text);
    let output = agon(&["rate", &path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("`a` and `b` are always in the same team\nhelp: "),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_ladder_shows_ratings_by_date_and_the_newest_day_first() {
    let dir = tempfile::tempdir().expect("a folder");
    let day = |date: &str, winner: &str| {
        let row = |a: &str, b: &str| {
            let ranks = if a == winner { [1, 2] } else { [2, 1] };
            let row = serde_json::json!({ "players": [[a], [b]], "ranks": ranks, "date": date });
            format!("{row}\n")
        };
        let pairs = [("A", "B"), ("B", "C"), ("C", "A"), ("B", "A"), ("C", "B"), ("A", "C")];
        pairs.map(|(a, b)| row(a, b)).concat().repeat(3)
    };
    let pool = day("2026-03-02T10:00:00Z", "A") + &day("2026-01-31", "B") + &day("2026-03-02", "C");
    write(dir.path(), "pool.jsonl", &pool);
    let output = ok(within(dir.path(), &["ladder", "pool.jsonl"]));
    assert_eq!(stdout(&output), "ladder.html\n");
    let page = fs::read_to_string(dir.path().join("ladder.html")).expect("the page");
    assert!(page.contains("54 games up to 2026-03-02"), "{page}");
    let days = page.split("<h2>Days, the newest first").nth(1).expect("the days");
    let place = |date: &str| days.find(date).expect("the day");
    assert!(place("2026-03-02") < place("2026-01-31"));
    assert!(page.contains("Ratings by date") && page.contains("score % against"), "{page}");
    // Texts of the chart were black on dark, because a style sheet was missing.
    for name in ["--paper", "--ink", "--soft"] {
        assert!(page.contains(&format!("{name}: ")), "{name} has no value");
    }
    write(dir.path(), "pool.jsonl", &day("yesterday", "A"));
    let output = within(dir.path(), &["ladder", "pool.jsonl"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`yesterday` is not a date"), "{}", stderr(&output));
}

#[test]
fn a_newcomer_is_placed_by_near_opponents() {
    let dir = tempfile::tempdir().expect("a folder");
    // Neighbours of a list of twelve players score 3 of 4.
    let pair = |a: i32| {
        let b = a + 1;
        format!("p{a},p{b},1-0\np{b},p{a},0-1\np{a},p{b},1-0\np{b},p{a},1-0\n").repeat(100)
    };
    let list = "white,black,result\n".to_owned() + &(1..12).map(pair).collect::<String>();
    let path = write(dir.path(), "list.csv", &list);
    let json = |path: &str| -> Value {
        let arguments = ["rate", path, "--place", "new", "--within", "60", "--format", "json"];
        serde_json::from_str(&stdout(&ok(agon(&arguments)))).expect("JSON")
    };
    let opponents = |plan: &Value| -> Vec<String> {
        let list = plan["opponents"].as_array().expect("opponents");
        list.iter().map(|it| it["player"].as_str().expect("a name").to_owned()).collect()
    };
    let search = json(&path)["placing"].clone();
    assert_eq!(search["stage"], "search");
    assert_eq!(opponents(&search).len(), 8);
    assert!(search["gauntlet_games"].as_u64() > search["games"].as_u64(), "{search}");
    let results = (1..12)
        .map(|player| match player {
            1..5 => format!("new,p{player},0-1\np{player},new,1-0\n"),
            5 => "new,p5,1-0\np5,new,1-0\n".to_owned(),
            _ => format!("new,p{player},1-0\np{player},new,0-1\n"),
        })
        .collect::<String>();
    let path = write(dir.path(), "more.csv", &(list.clone() + &results));
    let measure = json(&path)["placing"].clone();
    assert_eq!(measure["stage"], "measure");
    let near = opponents(&measure);
    assert!(near.len() >= 4 && near[..4].contains(&"p5".to_owned()), "{measure}");
    assert!(!near.contains(&"p1".to_owned()) && !near.contains(&"p12".to_owned()), "{measure}");
    let csv = stdout(&ok(agon(&["rate", &path, "--place", "new", "--format", "csv"])));
    assert!(csv.starts_with("player,elo,games\n"), "{csv}");
    let placed = agon(&["rate", &path, "--place", "p5", "--within", "200", "--format", "markdown"]);
    assert!(stdout(&ok(placed)).contains("p5 is placed: no more games are necessary"));
    let path = write(dir.path(), "few.csv", "white,black,result\na,b,1-0\n");
    for (path, more, words) in [
        (&path, &[][..], "no player has a rating against which `new` can be placed"),
        (&path, &["--within", "0"], "write a number of Elo from 1 to 1000"),
        (&path, &["--sprt", "0,5", "--of", "a,b"], "cannot be used with"),
    ] {
        let output = agon(&[&["rate", path, "--place", "new"], more].concat());
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}

#[test]
fn a_few_pairs_do_not_stand_for_all_games() {
    // One pair, which A wins, and 30 games from openings of their own, of which A wins 10.
    let mut text = "first,second,result,opening\nA,B,1-0,0\nB,A,0-1,0\n".to_owned();
    for game in 1..=30 {
        let result = if game % 3 == 0 { "1-0" } else { "0-1" };
        text.push_str(&format!("A,B,{result},{game}\n"));
    }
    let results = rated("few.csv", &text, &[]);
    let score = results["pairings"][0]["a_score"].as_f64().expect("a score");
    assert!((score - 12.0 / 32.0).abs() < 1e-12, "{score}");
    // Most games have a partner, so the pairs are the samples.
    for game in 1..=30 {
        text.push_str(&format!("B,A,1-0,{game}\n"));
    }
    let results = rated("most.csv", &text, &[]);
    assert_eq!(results["pairings"][0]["pairs"], json!(31));
}

#[test]
fn columns_that_games_of_agon_do_not_have_are_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let games = crate::support::pairs((1, "a", "b"), [[3, 0, 3], [0, 0, 0], [3, 0, 5]], 0);
    crate::support::made(dir.path(), "run", &games[..], 5);
    for option in ["--group", "--split-by"] {
        let output = within(dir.path(), &["rate", "run", option, "opening"]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        let words = format!("games of agon have no column `opening` for `{option}`");
        assert!(stderr(&output).contains(&words), "{}", stderr(&output));
    }
}
