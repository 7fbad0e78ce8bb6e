//! One question has one answer: in the terminal, in JSON, on the page, and as exit code.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{agon, stderr, stdout, write};

const GAME: &str =
    "seed = 5\n[game]\nkind = \"connect4\"\n[openings]\nkind = \"random\"\nplies = 6\n";

/// Agents of these kinds, each with its own name.
fn agents(kinds: &[&str]) -> String {
    let agent = |(i, kind): (usize, &&str)| format!("[[agents]]\nname = \"a{i}\"\nkind = {kind}\n");
    kinds.iter().enumerate().map(agent).collect()
}

const RANDOM: &str = "\"random\"";
const DEPTH_1: &str = "\"alphabeta\"\ndepth = 1";
const DEPTH_4: &str = "\"alphabeta\"\ndepth = 4";

/// The kinds of run, each with its config.
fn kinds() -> Vec<(&'static str, String)> {
    let three = agents(&[RANDOM, DEPTH_1, DEPTH_4]);
    let two = agents(&[DEPTH_4, RANDOM]);
    let format = |agents: &str, rest: &str| format!("{GAME}{agents}{rest}");
    let schedule =
        |format: &str, games: u32| format!("[schedule]\nformat = \"{format}\"\ngames = {games}\n");
    vec![
        ("two agents", format(&two, &schedule("match", 40))),
        ("three agents", format(&three, &schedule("round-robin", 20))),
        ("gauntlet", format(&three, &schedule("gauntlet", 20))),
        ("self-play", format(&two, &schedule("self-play", 20))),
        ("one agent", format(&agents(&[RANDOM]), &schedule("self-play", 20))),
        ("test", format(&two, "[sprt]\nelo0 = 0\nelo1 = 200\nmax_games = 400\n")),
        ("undecided test", format(&two, "[sprt]\nelo0 = 0\nelo1 = 2\nmax_games = 4\n")),
        (
            "rejected test",
            format(&agents(&[RANDOM, DEPTH_4]), "[sprt]\nelo0 = 0\nelo1 = 200\nmax_games = 400\n"),
        ),
        ("best", format(&three, "[schedule]\nformat = \"best\"\n[adaptive]\nmax_games = 4000\n")),
        (
            "ranking",
            format(&three, "[schedule]\nformat = \"ranking\"\n[adaptive]\nmax_games = 60\n"),
        ),
        ("swiss", format(&three, &schedule("swiss", 4))),
        ("knockout", format(&three, &schedule("knockout", 4))),
    ]
}

/// A tune, and the test of its result in the folder `test`.
fn tune() -> String {
    let one = agents(&["\"alphabeta\"\ndepth = 2"]);
    format!(
        "{GAME}{one}[tune]\ngames = 40\nelo = 40\nparameters = {{ depth = [1, 3] }}\n[sprt]\nelo0 = 0\n\
         elo1 = 200\nmax_games = 40\n"
    )
}

/// The JSON document of a folder, and the exit code.
fn json(folder: &str) -> (Option<i32>, Value) {
    let output = agon(&["report", folder, "--format", "json"]);
    let json = serde_json::from_slice(&output.stdout);
    (output.status.code(), json.unwrap_or_else(|_| panic!("no JSON: {}", stderr(&output))))
}

/// Checks that all places give the same answer, and returns it with the decision.
fn one_answer(kind: &str, folder: &Path) -> (String, String) {
    let shown = folder.to_str().expect("text");
    let terminal = agon(&["report", shown]);
    let text = stdout(&terminal);
    let (code, json) = json(shown);
    assert_eq!(code, terminal.status.code(), "{kind}");
    let answer = json["verdict"].as_str().unwrap_or_else(|| panic!("{kind}: no verdict: {text}"));
    assert!(text.lines().any(|line| line == answer), "{kind}: {answer:?} is not in {text}");
    let summary = fs::read_to_string(folder.join("summary.txt")).expect("the summary");
    assert!(summary.lines().any(|line| line == answer), "{kind}: {answer:?} is not in {summary}");
    let page = fs::read_to_string(folder.join("report.html")).expect("the page");
    assert!(page.contains(&format!("<li>{answer}</li>")), "{kind}: {answer:?} is not on the page");
    let decision = json["decision"].as_str().expect("a decision");
    (answer.to_owned(), decision.to_owned())
}

#[test]
fn every_place_gives_the_same_answer_for_every_kind_of_run() {
    let dir = tempfile::tempdir().expect("a folder");
    for (kind, config) in kinds() {
        let config = write(dir.path(), &format!("{kind}.toml"), &config);
        let folder = dir.path().join(kind);
        let out = folder.to_str().expect("text");
        let run = agon(&["run", &config, "--out", out]);
        let (answer, decision) = one_answer(kind, &folder);
        assert!(stdout(&run).lines().any(|line| line == answer), "{kind}: {}", stdout(&run));
        // The exit code is the decision.
        let code = match decision.as_str() {
            "yes" | "no test" => 0,
            "no" => 3,
            "undecided" => 4,
            other => panic!("{kind}: {other}"),
        };
        assert_eq!(run.status.code(), Some(code), "{kind}: {answer}: {}", stderr(&run));
        let tests = ["test", "undecided test", "rejected test", "best", "ranking"];
        assert_eq!(decision != "no test", tests.contains(&kind), "{kind}: {decision}");
        assert_eq!(decision == "no", kind == "rejected test", "{kind}: {decision}");
    }
    let config = write(dir.path(), "tune.toml", &tune());
    let folder = dir.path().join("tune");
    let run = agon(&["run", &config, "--out", folder.to_str().expect("text")]);
    let answers = [one_answer("tune", &folder), one_answer("test", &folder.join("test"))];
    assert!(answers[0].0.starts_with("a0 is tuned after "), "{answers:?}");
    assert_eq!(answers[0].1, "no test");
    assert!(["yes", "no", "undecided"].contains(&&*answers[1].1), "{answers:?}");
    for (answer, _) in &answers {
        assert!(stdout(&run).lines().any(|line| line == answer), "{}", stdout(&run));
    }
    // A run that was extended, and a folder without games.
    let config = write(dir.path(), "extended.toml", &kinds()[1].1);
    let folder = dir.path().join("extended");
    let out = folder.to_str().expect("text");
    for games in ["4", "20"] {
        agon(&["run", &config, "--out", out, "--games", games, "-q"]);
    }
    one_answer("extended", &folder);
    let empty = dir.path().join("empty");
    fs::create_dir(&empty).expect("a folder");
    let games = fs::read_to_string(folder.join("games.csv")).expect("games.csv");
    let header = games.lines().next().expect("a header").to_owned() + "\n";
    fs::write(empty.join("games.csv"), header).expect("writable");
    let (answer, _) = one_answer("no games", &empty);
    assert_eq!(answer, "No games were played.");
}

#[test]
fn three_agents_have_a_verdict_in_json() {
    let dir = tempfile::tempdir().expect("a folder");
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference");
    for file in fs::read_dir(reference).expect("the reference run") {
        let path = file.expect("a file").path();
        fs::copy(&path, dir.path().join(path.file_name().expect("a name"))).expect("copied");
    }
    let (_, json) = json(dir.path().to_str().expect("text"));
    assert_eq!(
        json["verdict"],
        "ab8 is the strongest. 41 of 45 differences are significant (5 %)."
    );
}

#[test]
fn fresh_leaves_no_file_of_another_kind_of_run() {
    let dir = tempfile::tempdir().expect("a folder");
    let names = |folder: &Path| -> BTreeSet<String> {
        let files = fs::read_dir(folder).expect("a folder");
        files.map(|file| file.expect("a file").file_name().into_string().expect("text")).collect()
    };
    let all = kinds();
    let config = write(dir.path(), "plain.toml", &all[1].1);
    let new = dir.path().join("new");
    agon(&["run", &config, "--out", new.to_str().expect("text"), "-q"]);
    let expected = names(&new);
    let mut others = BTreeSet::new();
    for (kind, text) in &all {
        let before = write(dir.path(), "before.toml", text);
        let folder = dir.path().join(kind);
        let out = folder.to_str().expect("text");
        agon(&["run", &before, "--out", out, "-q", "--set", "output.moves=true"]);
        others.append(&mut names(&folder));
        agon(&["run", &config, "--out", out, "-q", "--fresh"]);
        assert_eq!(names(&folder), expected, "{kind}");
    }
    for file in ["decisions.csv", "standings.csv", "matches.csv", "moves.csv"] {
        assert!(others.contains(file) && !expected.contains(file), "{file}: {others:?}");
    }
}
