//! Tests of `[sweep]`: several runs from one config, each in a folder of its own.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::{agon, games_without_times, ok, rows, stderr, stdout, write};

const CONFIG: &str = "[game]\nkind = \"connect4\"\n[[agents]]\nname = \"ab{depth}\"\n\
    kind = \"alphabeta\"\ndepth = [1, 2]\n[[agents]]\nkind = \"random\"\n[schedule]\ngames = 4\n\
    [openings]\nkind = \"random\"\n[sweep]\nseed = [9, 10]\n\"game.columns\" = [5, 6]\n\
    openings.plies = [2]\n";

fn run(config: &str, out: &Path, more: &[&str]) -> Output {
    let out = out.to_str().expect("text");
    agon(&[&["run", config, "--out", out, "-j", "1"], more].concat())
}

fn folders(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).expect("a folder").map(|entry| entry.expect("an entry"));
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().into_string().expect("text")).collect();
    names.sort();
    names
}

#[test]
fn each_combination_is_a_run_in_a_folder_of_its_own() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "mine.toml", CONFIG);
    let out = dir.path().join("out");
    let played = ok(run(&config, &out, &["--format", "csv"]));
    let name =
        |seed: u64, columns: u64| format!("seed={seed},game.columns={columns},openings.plies=2");
    assert_eq!(
        folders(&out),
        ["report.html", &name(10, 5), &name(10, 6), &name(9, 5), &name(9, 6), "sweep.toml"]
    );
    assert_eq!(fs::read_to_string(out.join("sweep.toml")).expect("the config"), CONFIG);
    // A run of the sweep is the run of a config with these values.
    let single = CONFIG
        .split("[sweep]")
        .next()
        .expect("text")
        .replace("kind = \"connect4\"", "kind = \"connect4\"\ncolumns = 6");
    let single = format!("seed = 10\n{}plies = 2\n", single);
    let single = write(dir.path(), "single.toml", &single);
    ok(run(&single, &dir.path().join("single"), &["-q"]));
    let one = out.join(name(10, 6));
    assert_eq!(games_without_times(&one), games_without_times(&dir.path().join("single")));
    // Its own config plays it again.
    let again = dir.path().join("again");
    ok(run(one.join("config.toml").to_str().expect("text"), &again, &["-q"]));
    assert_eq!(games_without_times(&one), games_without_times(&again));
    // The printed table has all runs, in their order, and `agon table` prints the same.
    let shown = stdout(&played);
    let table = stdout(&ok(agon(&["table", out.to_str().expect("text"), "--format", "csv"])));
    assert_eq!(shown, table);
    let path = dir.path().join("table.csv");
    fs::write(&path, table).expect("written");
    let rows = rows(&path);
    assert_eq!(rows.len(), 12);
    let column = |key: &str| rows.iter().map(|row| row[key].as_str()).collect::<Vec<_>>();
    assert_eq!(column("seed"), [["9"; 6], ["10"; 6]].concat());
    assert_eq!(column("game.columns"), [["5"; 3], ["6"; 3]].concat().repeat(2));
    assert_eq!(column("depth"), ["1", "2", ""].repeat(4));
    assert!(!rows[0].contains_key("openings.plies"), "all runs agree in it");
}

#[test]
fn a_sweep_is_resumed_and_extended() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "mine.toml", CONFIG);
    let [out, whole] = ["out", "whole"].map(|name| dir.path().join(name));
    // One run at first; then all of them, with more games.
    ok(run(&config, &out, &["-q", "--set", "sweep.seed=9", "--set", "sweep.game.columns=5"]));
    assert_eq!(folders(&out).len(), 3);
    let output = ok(run(&config, &out, &["--games", "8"]));
    assert!(stderr(&output).contains("4 games of each pairing"), "{}", stderr(&output));
    ok(run(&config, &whole, &["--games", "8", "-q"]));
    for name in folders(&whole).into_iter().filter(|name| name.starts_with("seed")) {
        assert_eq!(games_without_times(&out.join(&name)), games_without_times(&whole.join(&name)));
    }
    let before = fs::metadata(out.join("seed=9,game.columns=5,openings.plies=2/games.csv"));
    let output = ok(run(&config, &out, &["--games", "8"]));
    assert!(!stderr(&output).contains("remaining"), "{}", stderr(&output));
    let after = fs::metadata(out.join("seed=9,game.columns=5,openings.plies=2/games.csv"));
    assert_eq!(before.expect("a file").modified().ok(), after.expect("a file").modified().ok());
}

#[test]
fn a_sweep_has_a_page_and_charts_with_means_over_seeds() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "mine.toml", CONFIG);
    let out = dir.path().join("out");
    ok(run(&config, &out, &["-q"]));
    let folder = out.to_str().expect("text");
    let page = fs::read_to_string(out.join("report.html")).expect("a page");
    for part in [
        "id=\"chart-score-by-game.columns\"",
        "id=\"chart-nodes-by-depth\"",
        "id=\"chart-time-by-depth-1\"",
        "Score by depth: game.columns = 6",
        "mean of 2 seeds; lines: 95 % t intervals of the mean over all seeds",
        "href=\"seed=9,game.columns=5,openings.plies=2/report.html\"",
        "Means over seeds",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("NaN") && !page.contains("http:"), "{page}");
    // The same bytes from the tables of the runs.
    fs::remove_file(out.join("report.html")).expect("removed");
    let report = ok(agon(&["report", folder]));
    assert_eq!(fs::read_to_string(out.join("report.html")).expect("a page"), page);
    assert_eq!(stdout(&report), stdout(&ok(agon(&["table", folder]))));
    // A chart is a picture of all panels.
    let list = stdout(&ok(agon(&["plot", folder])));
    let ids: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(ids.contains(&"nodes-by-game.columns") && ids.contains(&"time-by-depth"), "{list}");
    for id in ids {
        let svg = stdout(&ok(agon(&["plot", folder, id, "--out", "-"])));
        assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
    let near = agon(&["plot", folder, "time-by-dept"]);
    assert_eq!(near.status.code(), Some(2));
    assert!(stderr(&near).contains("did you mean `time-by-depth`?"), "{}", stderr(&near));
    let verified = agon(&["report", folder, "--verify"]);
    assert_eq!(verified.status.code(), Some(2));
    assert!(stderr(&verified).contains("holds the runs of a sweep"), "{}", stderr(&verified));
}

#[test]
fn runs_that_differ_only_in_their_seeds_are_one_row() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "mine.toml", CONFIG);
    let out = dir.path().join("out");
    ok(run(&config, &out, &["-q", "--games", "8", "--set", "sweep.seed=[1, 2, 3]"]));
    let folder = out.to_str().expect("text");
    let table = |more: &[&str]| {
        let arguments = [&["table", folder, "--format", "csv"], more].concat();
        let text = stdout(&ok(agon(&arguments)));
        rows(Path::new(&write(dir.path(), "table.csv", &text)))
    };
    let (all, pooled) = (table(&[]), table(&["--pool-seeds"]));
    assert_eq!((all.len(), pooled.len()), (18, 6));
    let number = |text: &str| text.parse::<f64>().expect("a number");
    for row in &pooled {
        assert_eq!(row["seeds"], "3");
        let same = |other: &&std::collections::BTreeMap<String, String>| {
            ["agent", "game.columns"].iter().all(|key| other[*key] == row[*key])
        };
        let nodes = |column: &str| -> Vec<f64> {
            let same = all.iter().filter(same);
            same.map(|other| other[column].as_str()).filter(|t| !t.is_empty()).map(number).collect()
        };
        let scores = nodes("score");
        let mean = scores.iter().sum::<f64>() / 3.0;
        assert!((number(&row["score"]) - mean).abs() < 1e-12, "{row:?}");
        if scores.iter().any(|score| *score != scores[0]) {
            // t(0.025, 2) = 4.302652729911275.
            let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
            let low = mean - 4.302652729911275 * (squares / 6.0).sqrt();
            assert!((number(&row["score_low"]) - low.max(0.0)).abs() < 1e-9, "{row:?}");
        }
        // Ratings of different sets of agents are on different scales.
        let is_rated = |seed: &str| -> Vec<&String> {
            let of_run = all.iter().filter(|other| other["game.columns"] == row["game.columns"]);
            let of_run = of_run.filter(|other| other["seed"] == seed && !other["elo"].is_empty());
            of_run.map(|other| &other["agent"]).collect()
        };
        let one_scale = is_rated("1") == is_rated("2") && is_rated("2") == is_rated("3");
        let has_mean = one_scale && nodes("elo").len() == 3;
        assert_eq!(!row["elo"].is_empty(), has_mean, "{row:?}");
    }
}

#[test]
fn a_dry_run_lists_the_runs() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "mine.toml", CONFIG);
    let out = dir.path().join("out");
    let text = stdout(&ok(run(&config, &out, &["--dry-run"])));
    assert!(text.starts_with("4 runs, 48 games\n"), "{text}");
    assert!(text.contains("seed=10,game.columns=6,openings.plies=2     12"), "{text}");
    let json = stdout(&ok(run(&config, &out, &["--dry-run", "--format", "json"])));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json[3]["games"], 12);
    assert!(!out.exists());
}

#[test]
fn mistakes_in_a_sweep_are_explained() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "mine.toml", CONFIG);
    let out = dir.path().join("out");
    for (more, message, help) in [
        (
            &["--set", "sweep.game.colums=5"][..],
            "`game.colums` cannot",
            "did you mean `game.columns`?",
        ),
        (
            &["--set", "sweep.plies=[2, 4]"],
            "`plies` cannot be swept",
            "did you mean `openings.plies`?",
        ),
        (
            &["--set", "sweep.agents.ab1=3"],
            "`agents.ab1` cannot",
            "write the list in the agent itself",
        ),
        (&["--set", "sweep.seed=[]"], "the list of `seed` is empty", "at least one"),
        (&["--set", "sweep.seed=[1, 1]"], "two runs of the sweep", "remove values"),
        (&["--set", "sweep=3"], "`sweep` must be a table", "on a line of its own"),
        (&["--seed", "4"], "`seed` is swept and also has a value", "--set sweep.KEY=VALUE"),
        (&["--set", "sweep.game.columns=[5, 600]"], "from 1 to 32", "columns of the board"),
        (&["--shard", "1/2"], "`--shard` divides one run", "let each task play one run"),
    ] {
        let output = run(&config, &out, more);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{more:?}: {said}");
        assert!(said.contains(message) && said.contains(help), "{more:?}: {said}");
    }
    for command in ["plan", "watch"] {
        let output = agon(&[command, &config]);
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(said.contains("this needs one run, and the sweep has 4"), "{said}");
        // The help has every list of this sweep with several values, and it works.
        let options = "--set sweep.seed=9 --set sweep.game.columns=5";
        assert!(said.contains(&format!("such as `{options}`")), "{said}");
        let one = [&[command, &config][..], &options.split(' ').collect::<Vec<_>>()].concat();
        if command == "plan" {
            ok(agon(&one));
        }
    }
    let all = stderr(&run(&config, &out, &["--set", "sweep.game.columns=[600, 700]"]));
    assert!(all.contains("600 is too large") && all.contains("700 is too large"), "{all}");
    assert!(!out.exists(), "nothing was played");
}

#[test]
fn a_folder_of_something_else_is_kept() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "mine.toml", CONFIG);
    let one = ["-q", "--set", "sweep.seed=9", "--set", "sweep.game.columns=5"];
    let out = dir.path().join("out");
    ok(run(&config, &out, &one));
    let inner = out.join("seed=9,game.columns=5,openings.plies=2");
    let foreign = dir.path().join("foreign");
    fs::create_dir(&foreign).expect("a folder");
    write(&foreign, "sweep.toml", "mine");
    let own = inner.join("config.toml");
    let own = own.to_str().expect("text");
    for (config, out, message) in [
        (config.as_str(), &inner, "holds the results of one run, and this is a sweep"),
        (config.as_str(), &foreign, "holds another `sweep.toml` and no runs of a sweep"),
        (own, &out, "it is not a results folder of agon"),
    ] {
        let output = run(config, out, &["-q"]);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
    assert_eq!(fs::read_to_string(foreign.join("sweep.toml")).expect("text"), "mine");
    for more in [&[][..], &["--dry-run"]] {
        let output = run(&config, Path::new(&config), more);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("is a file and not a results folder"), "{said}");
        assert!(said.contains("`--out DIR`"), "{said}");
    }
}
