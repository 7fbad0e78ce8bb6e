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
        [name(10, 5), name(10, 6), name(9, 5), name(9, 6), "sweep.toml".into()]
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
    let report = agon(&["report", out.to_str().expect("text")]);
    assert_eq!(report.status.code(), Some(2));
    assert!(stderr(&report).contains("holds the runs of a sweep"), "{}", stderr(&report));
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
    assert_eq!(folders(&out).len(), 2);
    let output = ok(run(&config, &out, &["--games", "8"]));
    assert!(stderr(&output).contains("4 games of each pairing"), "{}", stderr(&output));
    ok(run(&config, &whole, &["--games", "8", "-q"]));
    for name in folders(&whole).into_iter().filter(|name| name != "sweep.toml") {
        assert_eq!(games_without_times(&out.join(&name)), games_without_times(&whole.join(&name)));
    }
    let before = fs::metadata(out.join("seed=9,game.columns=5,openings.plies=2/games.csv"));
    let output = ok(run(&config, &out, &["--games", "8"]));
    assert!(!stderr(&output).contains("remaining"), "{}", stderr(&output));
    let after = fs::metadata(out.join("seed=9,game.columns=5,openings.plies=2/games.csv"));
    assert_eq!(before.expect("a file").modified().ok(), after.expect("a file").modified().ok());
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
