//! Tests of the columns of parameters, and of tables over several runs.

use std::fs;
use std::path::Path;

use crate::support::{agon, ok, play, rows, stderr, stdout, write};

const CONFIG: &str = "name = \"mine\"\nseed = 7\n[game]\nkind = \"connect4\"\n[[agents]]\n\
    name = \"ab{depth}\"\nkind = \"alphabeta\"\ndepth = [1, 2]\n[[agents]]\nname = \"n\"\n\
    kind = \"alphabeta\"\nnodes = 50\nordering = \"static\"\nweights = { three = 9 }\n[[agents]]\n\
    kind = \"noisy\"\nepsilon = 0.2\nagent = { kind = \"alphabeta\", depth = 1 }\n\
    [schedule]\ngames = 2\n[openings]\nkind = \"random\"\nplies = 4\n";

#[test]
fn agents_csv_has_each_parameter_that_differs() {
    let dir = tempfile::tempdir().expect("a folder");
    ok(play(dir.path(), CONFIG, &[]));
    let out = dir.path().join("out");
    let agents = rows(&out.join("agents.csv"));
    let column = |key: &str| agents.iter().map(|row| row[key].clone()).collect::<Vec<_>>();
    assert_eq!(column("depth"), ["1", "2", "", ""]);
    assert_eq!(column("ordering"), ["full", "full", "static", ""]);
    // `nodes` is the column of nodes searched.
    assert_eq!(column("param.nodes"), ["", "", "50", ""]);
    assert_eq!(column("name"), ["mine"; 4]);
    assert_eq!(column("seed"), ["7"; 4]);
    let manifest = fs::read_to_string(out.join("manifest.json")).expect("a manifest");
    assert!(manifest.contains(&format!("\"config_hash\": \"{}\"", column("config_hash")[0])));
    // All agents agree in these, or only one kind has them.
    for absent in ["ties", "seat", "epsilon", "agent.depth"] {
        assert!(!agents[0].contains_key(absent), "{absent}");
    }
    let json = stdout(&ok(agon(&["report", out.to_str().expect("text"), "--format", "json"])));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["agents"][1]["depth"], 2);
    assert_eq!(json["agents"][2]["depth"], serde_json::Value::Null);
    assert_eq!(json["agents"][2]["ordering"], "static");
    assert_eq!(json["config_hash"], column("config_hash")[0].as_str());
}

/// A results folder of two agents with this seed and depth.
fn folder(dir: &Path, name: &str, seed: u64, depth: u64) -> String {
    let text = format!(
        "seed = {seed}\n[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"=ab\"\n\
         kind = \"alphabeta\"\ndepth = {depth}\nties = \"random\"\n[[agents]]\nkind = \"random\"\n\
         [schedule]\ngames = 4\n"
    );
    let config = write(dir, &format!("{name}.toml"), &text);
    let out = dir.join(name);
    let out = out.to_str().expect("text");
    ok(agon(&["run", &config, "--out", out, "-q"]));
    out.to_owned()
}

#[test]
fn runs_are_stacked_in_every_format() {
    let dir = tempfile::tempdir().expect("a folder");
    let [one, two] = [("a2", 1, 2), ("a10", 2, 3)].map(|(n, s, d)| folder(dir.path(), n, s, d));
    let text = stdout(&ok(agon(&["table", &one, &two])));
    let heads: Vec<&str> = text.lines().next().expect("a line").split_whitespace().collect();
    assert_eq!(heads[..5], ["seed", "agent", "depth", "games", "score"], "{text}");
    assert_eq!(text.lines().count(), 5, "{text}");
    let markdown = stdout(&ok(agon(&["table", &one, &two, "--format", "markdown"])));
    assert!(markdown.contains("| seed | agent"), "{markdown}");
    let json = stdout(&ok(agon(&["table", &one, &two, "--format", "json"])));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json[2]["agent"], &json[2]["depth"]), (&"=ab".into(), &3.into()));
    assert_eq!(json[3]["depth"], serde_json::Value::Null);
    assert_eq!((&json[0]["games"], &json[0]["seed"]), (&4.into(), &1.into()));
    // A folder with folders of runs, which are in the order of their numbers.
    let all = stdout(&ok(agon(&["table", dir.path().to_str().expect("text"), "--format", "csv"])));
    assert_eq!(all, stdout(&ok(agon(&["table", &one, &two, "--format", "csv"]))));
    // A name that a spreadsheet would read as a formula has its apostrophe in CSV only.
    assert!(all.contains(",'=ab,alphabeta,"), "{all}");
}

#[test]
fn a_table_withholds_the_ratings_that_a_report_withholds_and_marks_references() {
    let dir = tempfile::tempdir().expect("a folder");
    for (games, withheld) in [(4, true), (80, false)] {
        let text = format!(
            "[game]\nkind = \"connect4\"\n[[agents]]\nname = \"known\"\nkind = \"random\"\n\
             reference = true\n[[agents]]\nkind = \"noisy\"\nepsilon = 0.5\nagent = {{ kind = \
             \"alphabeta\", depth = 1 }}\n[schedule]\ngames = {games}\n[openings]\n\
             kind = \"random\"\nplies = 4\n"
        );
        let config = write(dir.path(), "config.toml", &text);
        let out = dir.path().join(games.to_string());
        let out = out.to_str().expect("text");
        ok(agon(&["run", &config, "--out", out, "-q"]));
        let table = stdout(&ok(agon(&["table", out])));
        let report = stdout(&ok(agon(&["report", out, "-v"])));
        let (_, list) = report.split_once("Who is stronger?").expect("a rating list");
        let row = |text: &str, name: &str| {
            let row = text.lines().find(|line| line.contains(name)).expect("a row");
            row.to_owned()
        };
        assert!(row(&table, "known").contains("known (reference)"), "{table}");
        for name in ["known", "noisy"] {
            let said = [row(list, name), row(&table, name)];
            assert!(said.iter().all(|row| row.contains(['+', '−']) != withheld), "{said:?}");
        }
        for row in rows(&Path::new(out).join("agents.csv")) {
            assert!(["elo", "elo_low", "elo_high"].iter().all(|c| row[*c].is_empty() == withheld));
        }
    }
}

#[test]
fn old_and_incomplete_folders_are_stacked() {
    let dir = tempfile::tempdir().expect("a folder");
    let one = folder(dir.path(), "one", 1, 2);
    // A table without the columns on the run.
    let path = Path::new(&one).join("agents.csv");
    let mut reader = csv::Reader::from_path(&path).expect("a table");
    let mut old = csv::Writer::from_writer(Vec::new());
    let head = reader.headers().expect("a header").clone();
    let known = head.iter().position(|column| column == "name").expect("a column");
    old.write_record(head.iter().take(known).collect::<Vec<_>>().iter().rev()).expect("written");
    for row in reader.records() {
        let row = row.expect("a row");
        old.write_record(row.iter().take(known).collect::<Vec<_>>().iter().rev()).expect("written");
    }
    let before = stdout(&ok(agon(&["table", &one, "--format", "csv"])));
    fs::write(&path, old.into_inner().expect("bytes")).expect("written");
    assert_eq!(stdout(&ok(agon(&["table", &one, "--format", "csv"]))), before);
    // Games and tables alone.
    fs::remove_file(Path::new(&one).join("resolved.toml")).expect("removed");
    fs::remove_file(Path::new(&one).join("config.toml")).expect("removed");
    let bare = stdout(&ok(agon(&["table", &one, "--format", "json"])));
    assert!(bare.contains("\"agent\": \"=ab\""), "{bare}");
}

#[test]
fn what_cannot_be_stacked_is_explained() {
    let dir = tempfile::tempdir().expect("a folder");
    let one = folder(dir.path(), "one", 1, 2);
    let empty = dir.path().join("empty");
    fs::create_dir(&empty).expect("a folder");
    let empty = empty.to_str().expect("text");
    let csv = Path::new(&one).join("agents.csv");
    let refused = |arguments: &[&str], message: &str| {
        let output = agon(arguments);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(message) && said.contains("help: "), "{arguments:?}: {said}");
    };
    refused(&["table", empty], "is not a results folder and contains none");
    refused(&["table", "nowhere"], "nowhere does not exist");
    refused(&["match", "random", "random", "--format", "csv"], "only `agon table`");
    let config = format!("{one}/config.toml");
    refused(&["run", &config, "--format", "csv"], "only `agon table`");
    let text = fs::read_to_string(&csv).expect("a table").replace(',', ";");
    fs::write(&csv, text).expect("written");
    refused(&["table", &one], "there is no column `agent`");
    fs::remove_file(&csv).expect("removed");
    refused(&["table", &one], "agents.csv");
    let output = agon(&["table", dir.path().to_str().expect("text")]);
    assert!(stderr(&output).contains("one has no agents.csv"), "{}", stderr(&output));
}

#[test]
fn long_values_are_a_file_or_a_beginning_with_a_hash() {
    let dir = tempfile::tempdir().expect("a folder");
    let moves: Vec<String> = (0..7_usize.pow(3))
        .map(|i| format!("{} {} {}", i % 7 + 1, i / 7 % 7 + 1, i / 49 + 1))
        .collect();
    let random = "[[agents]]\nkind = \"random\"\n[[agents]]\nname = \"b\"\nkind = \"random\"\n";
    let config = |openings: &str| {
        format!(
            "seed = 1\n[game]\nkind = \"connect4\"\n{random}[schedule]\ngames = 20\n[openings]\n{openings}\n"
        )
    };
    for (name, lines) in [("one", &moves[..100]), ("two", &moves[100..300])] {
        write(dir.path(), &format!("{name}.txt"), &(lines.join("\n") + "\n"));
        let text = config(&format!("kind = \"file\"\nfile = \"{name}.txt\""));
        let config = write(dir.path(), &format!("{name}.toml"), &text);
        let out = dir.path().join(name);
        ok(agon(&["run", &config, "-q", "--out", out.to_str().expect("text")]));
    }
    let quoted: Vec<String> = moves[..50].iter().map(|line| format!("\"{line}\"")).collect();
    let text = config(&format!("kind = \"list\"\nlist = [{}]", quoted.join(", ")));
    let config = write(dir.path(), "list.toml", &text);
    let out = dir.path().join("list");
    ok(agon(&["run", &config, "-q", "--out", out.to_str().expect("text")]));
    let folders = ["one", "two", "list"].map(|name| dir.path().join(name).display().to_string());
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    let table = |format: &str| {
        stdout(&ok(agon(&[&["table"], &folders[..], &["--format", format]].concat())))
    };
    for format in ["text", "csv", "json", "markdown"] {
        let text = table(format);
        assert!(text.contains("one.txt: ") && text.contains("two.txt: "), "{format}: {text}");
        assert!(text.contains("50 lines (hash "), "{format}: {text}");
        assert!(text.lines().all(|line| line.chars().count() < 1500), "{format}: {text}");
        assert!(!text.contains(&moves[1]), "{format}: {text}");
    }
    // The hash is that of the openings: other openings have another hash.
    let json: serde_json::Value = serde_json::from_str(&table("json")).expect("JSON");
    let cells: Vec<&str> = json
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| row["openings.list"].as_str().expect("text"))
        .collect();
    assert_eq!(cells[0], cells[1], "one run has one value");
    assert_ne!(cells[0].split("hash").nth(1), cells[2].split("hash").nth(1));
}
