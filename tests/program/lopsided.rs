//! Tests of messages about one-sided results, few games, and missing evidence.

use std::fs;

use super::support::{Made, agon, made, ok, pairs, play, reported, rows, stderr, stdout, write};

const TWO: &str = "seed = 1\n[game]\nkind = \"connect4\"\n[openings]\nkind = \"start\"\n\
                   [schedule]\ngames = 2\n[[agents]]\nname = \"a\"\nkind = \"alphabeta\"\n\
                   depth = 1\n[[agents]]\nname = \"b\"\nkind = \"alphabeta\"\ndepth = 2\n";

#[test]
fn nearly_every_pair_won_differs_significantly() {
    let dir = tempfile::tempdir().expect("a folder");
    // One pair is lost, so each agent has scored a point against the other.
    let games = pairs((1, "a", "b"), [[1, 0, 0], [0, 0, 1], [0, 0, 30]], 0);
    let folder = made(dir.path(), "lopsided", &games, 1);
    let text = reported(&folder, &["-v"]);
    assert!(text.contains("a is stronger (holds at any stopping time)"), "{text}");
    let agents = rows(&folder.join("agents.csv"));
    let number = |row: usize, key: &str| agents[row][key].parse::<f64>().expect("a number");
    assert!(number(0, "elo_low") > 0.0 && number(1, "elo_high") < 0.0, "{agents:?}");
    assert!(number(0, "elo_high") < 1000.0, "{agents:?}");
    let p: f64 = rows(&folder.join("pairings.csv"))[0]["p_holm"].parse().expect("a p-value");
    assert!(p < 1e-4, "{p}");
}

#[test]
fn nearly_all_is_not_all() {
    let dir = tempfile::tempdir().expect("a folder");
    // 9999.5 of 10 000 points.
    let games = pairs((1, "a", "b"), [[0, 0, 0], [0, 0, 0], [0, 1, 4999]], 0);
    let text = reported(&made(dir.path(), "nearly", &games, 1), &["-v"]);
    for row in ["score %", "LOS %"] {
        assert!(text.lines().any(|line| line.contains(row) && line.contains("> 99.9")), "{text}");
    }
    // All points.
    let games = pairs((1, "a", "b"), [[0, 0, 0], [0, 0, 0], [0, 0, 50]], 0);
    let text = reported(&made(dir.path(), "all", &games, 1), &[]);
    assert!(
        text.lines().any(|line| line.contains("score %") && line.contains("100.0 [")),
        "{text}"
    );
}

/// The Elo difference of an expected score.
fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

#[test]
fn two_agents_have_one_interval_of_their_difference() {
    let dir = tempfile::tempdir().expect("a folder");
    let counts = [
        [[0, 0, 0], [0, 0, 0], [0, 0, 7]],
        [[0, 0, 0], [0, 0, 1], [0, 0, 5]],
        [[2, 0, 3], [0, 4, 0], [3, 0, 3]],
        [[1, 0, 1], [0, 2, 2], [2, 2, 9]],
        [[0, 0, 0], [0, 0, 2], [1, 3, 30]],
    ];
    for (i, table) in counts.into_iter().enumerate() {
        let folder = made(dir.path(), &i.to_string(), &pairs((1, "a", "b"), table, 0), 1);
        // The number of games is unknown, so the intervals hold at any time.
        let text = stdout(&ok(agon(&["report", folder.to_str().expect("text")])));
        let sentence = text.lines().find(|line| line.contains("against b")).expect("a sentence");
        let agents = rows(&folder.join("agents.csv"));
        let ends = ["elo_low", "elo_high"].map(|key| agents[0][key].parse::<f64>().ok());
        assert_eq!(sentence.contains("Elo"), ends != [None; 2], "{sentence}: {ends:?}");
        let pairing = &rows(&folder.join("pairings.csv"))[0];
        let scores = ["anytime_low", "anytime_high"].map(|key| pairing[key].parse::<f64>());
        for (end, score) in ends.iter().zip(scores) {
            // Ratings are relative to the mean of both agents.
            let half = elo_of(score.expect("a score")) / 2.0;
            assert!(end.is_none_or(|end| (end - half).abs() < 1e-6), "{end:?} {half}");
        }
    }
}

#[test]
fn one_pair_makes_no_rating() {
    let dir = tempfile::tempdir().expect("a folder");
    let list = |name: &str, count: u64| {
        let games = pairs((1, "a", "b"), [[0, 0, 0], [0, 0, 0], [0, count, 0]], 0);
        let text = reported(&made(dir.path(), name, &games, 1), &[]);
        let (_, list) = text.split_once("Who is stronger?").expect("a rating list");
        let row = list.lines().find(|line| line.starts_with("  1  a ")).expect("a row");
        (row.to_owned(), list.to_owned())
    };
    let withheld = "no Elo with fewer than 5 distinct pairs or games";
    let (row, below) = list("one", 1);
    assert!(
        !row.contains("+95") && !below.contains("  Elo  ") && below.contains(withheld),
        "{below}"
    );
    let (row, below) = list("twenty", 20);
    assert!(row.contains("+95") && !below.contains(withheld), "{below}");
}

#[test]
fn deterministic_agents_that_play_all_openings_out_are_planned_as_exact() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "two.toml", TWO);
    let text = stdout(&agon(&["plan", "--config", &config]));
    assert!(text.contains("± Elo —: exact over the opening set"), "{text}");
    assert!(!text.contains("would resolve"), "{text}");
}

#[test]
fn a_single_game_fills_its_row_of_seats() {
    let dir = tempfile::tempdir().expect("a folder");
    let games: [Made; 1] = [(1, 1, "a", "b", "first")];
    let folder = made(dir.path(), "single", &games, 1);
    reported(&folder, &[]);
    for row in rows(&folder.join("seats.csv")) {
        assert!(!row["first_score"].is_empty() && !row["score_low"].is_empty(), "{row:?}");
    }
}

#[test]
fn an_agent_is_no_number() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "two.toml", TWO);
    let output = agon(&["--config", &config, "--dry-run", "--set", "agents.a=3"]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(
        said.contains("`agents.a` is a whole agent") && !said.contains("there is one"),
        "{said}"
    );
}

#[test]
fn a_damaged_manifest_is_not_called_missing() {
    let dir = tempfile::tempdir().expect("a folder");
    ok(play(dir.path(), TWO, &[]));
    let folder = dir.path().join("out");
    fs::write(folder.join("manifest.json"), "{").expect("written");
    let output = play(dir.path(), TWO, &[]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("manifest.json is damaged") && said.contains("help: "), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_has_help() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_agon"))
        .arg("list")
        .stdout(full)
        .output()
        .expect("agon runs");
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot write to the standard output") && said.contains("help: "));
}

/// Equal agents that always play the same moves add games, but no openings: the value of the first
/// move is as uncertain with six of them as with two.
#[test]
fn more_equal_agents_do_not_narrow_the_value_of_the_first_move() {
    let dir = tempfile::tempdir().expect("a folder");
    let worth = |agents: usize| {
        let kinds: String = (0..agents)
            .map(|i| format!("[[agents]]\nname = \"a{i}\"\nkind = \"alphabeta\"\ndepth = 2\n"))
            .collect();
        let text = format!(
            "seed = 3\n[game]\nkind = \"mnk\"\nm = 4\nn = 4\nk = 3\n{kinds}[schedule]\ngames = 20\n\
             [openings]\nkind = \"random\"\nplies = 4\n[output]\nreport = false\n"
        );
        let config = write(dir.path(), "c.toml", &text);
        let out = dir.path().join(agents.to_string());
        let output = agon(&["run", &config, "--out", out.to_str().expect("text"), "-q"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let summary = fs::read_to_string(out.join("summary.txt")).expect("a summary");
        let line = summary.lines().find(|line| line.contains("moving first is worth"));
        line.unwrap_or_else(|| panic!("{summary}")).to_owned()
    };
    let two = worth(2);
    assert!(two.contains(" Elo ["), "{two}");
    assert_eq!(worth(6), two);
}
