//! Tests of tunes: a known optimum, the same bytes whatever happens, and refusals.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::{agon, games_without_times, ok, rows, stderr, stdout, write};

/// A rule of thumb of Pig that holds far too early. Among these rules, 25 is the best.
const PIG: &str = "seed = 3\n[game]\nkind = \"pig\"\n[[agents]]\nname = \"hold\"\nkind = \"hold\"\n\
    at = 10\n[tune]\nparameters = { at = [5, 45] }\nelo = 60\n";

fn tune(config: &str, out: &Path, more: &[&str]) -> Output {
    agon(&[&["tune", config, "--out", out.to_str().expect("text")], more].concat())
}

#[test]
fn a_known_optimum_is_found_and_passes_the_test() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", &format!("{PIG}games = 4000\n"));
    let out = dir.path().join("out");
    let output = ok(tune(&config, &out, &["-q"]));
    let text = stdout(&output);
    assert!(text.contains("hold is tuned after 4 000 games in 250 rounds."), "{text}");
    assert!(text.contains("H1 accepted"), "the exit code 0 is that of the test: {text}");
    assert!(!text.contains("hold+ "), "the two sides are no agents: {text}");
    let path = rows(&out.join("tune.csv"));
    assert_eq!(path.len(), 201);
    assert_eq!((&*path[0]["round"], &*path[0]["value"]), ("0", "10"));
    let number = |row: usize, key: &str| path[row][key].parse::<f64>().expect("a number");
    assert_eq!(number(200, "games"), 4000.0);
    let (low, mean, high) = (number(200, "low"), number(200, "mean"), number(200, "high"));
    assert!((19.0..=31.0).contains(&mean), "{mean}");
    assert!(low < 25.0 && 25.0 < high, "{low} … {high}");
    let tuned = fs::read_to_string(out.join("tuned.toml")).expect("a config");
    assert!(tuned.contains(&format!("at = {}\n", mean.round())), "{tuned}");
    let test = out.join("test");
    assert_eq!(rows(&test.join("agents.csv"))[0]["agent"], "hold-tuned");
    // The config of the test plays the same games.
    let again = dir.path().join("again");
    let tuned = out.join("tuned.toml").display().to_string();
    ok(agon(&["run", &tuned, "--out", &again.display().to_string(), "-q"]));
    assert_eq!(games_without_times(&test), games_without_times(&again));
    let page = fs::read_to_string(out.join("report.html")).expect("a page");
    assert!(page.contains("id=\"chart-tuned-parameters\""), "the path");
    assert!(!page.contains("id=\"chart-pairing-scores\""), "the sides are not compared");
    let shown = out.display().to_string();
    let json = stdout(&ok(agon(&["report", &shown, "--format", "json"])));
    assert!(json.contains("\"tune\": ["), "{json}");
    ok(agon(&["report", &shown, "--verify", "-q"]));
    let games = games_without_times(&out);
    let output = ok(tune(&config, &out, &[]));
    assert_eq!(stderr(&output).matches("nothing is played").count(), 2, "{}", stderr(&output));
    assert_eq!(games_without_times(&out), games);
}

/// The values of the grid are 5, 25 and 45; 25 is the best rule.
const GRID: &str = "seed = 3\n[game]\nkind = \"pig\"\n[[agents]]\nname = \"hold\"\nkind = \"hold\"\n\
    at = 10\n[tune]\nmethod = \"grid\"\nsteps = 3\nparameters = { at = [5, 45] }\n";

#[test]
fn a_grid_finds_the_best_value_and_tests_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", GRID);
    let place = |name: &str| dir.path().join(name);
    let out = place("out");
    let text = stdout(&ok(tune(&config, &out, &["-q", "-j", "1"])));
    assert!(text.contains("hold[25] is the best") && text.contains("H1 accepted"), "{text}");
    let agents: Vec<String> =
        rows(&out.join("agents.csv")).iter().map(|row| row["agent"].clone()).collect();
    for name in ["hold[10]", "hold[5]", "hold[25]", "hold[45]"] {
        assert!(agents.iter().any(|agent| agent == name), "{name}: {agents:?}");
    }
    let tuned = fs::read_to_string(out.join("tuned.toml")).expect("a config");
    assert!(tuned.contains("at = 25\n") && tuned.contains("at = 10\n"), "{tuned}");
    assert_eq!(rows(&out.join("test/agents.csv"))[0]["agent"], "hold-tuned");
    // The same games on three threads, after a kill, and in the config that the tune wrote.
    let all = |out: &Path| [games_without_times(out), games_without_times(&out.join("test"))];
    let whole = all(&out);
    let games = fs::read_to_string(out.join("games.csv")).expect("games");
    let begin: String = games.split_inclusive('\n').take(30).collect();
    fs::write(out.join("games.csv"), begin).expect("written");
    ok(tune(&config, &out, &["-q", "-j", "3"]));
    assert!(all(&out) == whole);
    ok(agon(&[
        "run",
        &out.join("tuned.toml").display().to_string(),
        "--out",
        &place("again").display().to_string(),
        "-q",
    ]));
    assert_eq!(games_without_times(&place("again")), whole[1]);
    // Another range is another run.
    let other = write(dir.path(), "d.toml", &GRID.replace("[5, 45]", "[5, 35]"));
    let output = tune(&other, &out, &["-q"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    // The start is the best value: there is nothing to test.
    let best = write(dir.path(), "e.toml", &GRID.replace("at = 10", "at = 25"));
    let output = tune(&best, &place("best"), &["-q"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("there is nothing to test"), "{}", stderr(&output));
    // Too few games have no answer.
    let short = write(dir.path(), "f.toml", &format!("{GRID}games = 60\n"));
    assert_eq!(tune(&short, &place("short"), &["-q"]).status.code(), Some(4));
    assert!(!place("short").join("tuned.toml").exists());
}

#[test]
fn the_games_do_not_depend_on_threads_or_kills() {
    let dir = tempfile::tempdir().expect("a folder");
    let page = "[output]\nreport = false\n";
    let text = format!("{PIG}games = 96\npairs = 8\n[sprt]\nmax_games = 20\n{page}");
    let config = write(dir.path(), "c.toml", &text);
    let place = |name: &str| dir.path().join(name);
    let code = tune(&config, &place("one"), &["-q", "-j", "1"]).status.code();
    assert!(matches!(code, Some(0 | 3 | 4)), "{code:?}");
    let all = |out: &Path| {
        let path = fs::read_to_string(out.join("tune.csv")).expect("the path");
        [games_without_times(out), games_without_times(&out.join("test")), path]
    };
    let whole = all(&place("one"));
    for threads in ["2", "7"] {
        let output = tune(&config, &place(threads), &["-q", "-j", threads]);
        assert_eq!(output.status.code(), code);
        assert!(all(&place(threads)) == whole, "{threads} threads");
    }
    let games = fs::read_to_string(place("one").join("games.csv")).expect("games");
    let lines: Vec<&str> = games.lines().collect();
    assert_eq!(lines.len(), 97);
    for kept in [1, 2, 16, 17, 18, 40, 96] {
        let cut = place(&format!("cut-{kept}"));
        fs::create_dir_all(&cut).expect("a folder");
        for file in ["resolved.toml", "config.toml", "manifest.json"] {
            fs::copy(place("one").join(file), cut.join(file)).expect("copied");
        }
        fs::write(cut.join("games.csv"), lines[..kept].join("\n") + "\n").expect("written");
        let output = tune(&config, &cut, &["-q", "-j", "3"]);
        assert!(all(&cut) == whole, "{kept}: {}", stderr(&output));
    }
}

#[test]
fn many_machines_play_the_rounds_as_waves() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = format!("{PIG}games = 48\npairs = 8\n[sprt]\nmax_games = 20\n");
    let config = write(dir.path(), "c.toml", &text);
    let (whole, out) = (dir.path().join("whole"), dir.path().join("out"));
    let code = tune(&config, &whole, &["-q"]).status.code();
    let shown = out.to_str().expect("text");
    let mut list =
        stdout(&ok(agon(&["next", "--config", &config, "--out", shown, "--shards", "2"])));
    let mut waves = 0;
    while !list.trim().is_empty() {
        assert_eq!(list.trim(), "1-2");
        for shard in ["2/2", "1/2"] {
            ok(tune(&config, &out, &["--shard", shard, "-q"]));
        }
        ok(agon(&["merge", shown, "-q"]));
        let next = agon(&["next", shown]);
        list = stdout(&next);
        waves += 1;
        let is_named = stderr(&next).contains("/resolved.toml --out ");
        assert_eq!(is_named, list.trim().is_empty(), "{}", stderr(&next));
    }
    assert_eq!(waves, 3);
    assert_eq!(games_without_times(&out), games_without_times(&whole));
    assert_eq!(tune(&config, &out, &["-q"]).status.code(), code, "the test");
    assert_eq!(games_without_times(&out.join("test")), games_without_times(&whole.join("test")));
}

#[test]
fn other_agents_are_opponents() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = PIG
        .replace("[tune]", "[[agents]]\nkind = \"optimal\"\n[[agents]]\nkind = \"random\"\n[tune]");
    let text = text.replace("{ at =", "{ \"hold.at\" =") + "games = 400\n[sprt]\nmax_games = 20\n";
    let config = write(dir.path(), "c.toml", &text);
    let out = dir.path().join("out");
    let output = tune(&config, &out, &["-q"]);
    assert!(stdout(&output).contains("hold is tuned"), "{}", stderr(&output));
    let pairings: Vec<String> = rows(&out.join("pairings.csv"))
        .iter()
        .map(|row| format!("{} {}", row["agent_a"], row["agent_b"]))
        .collect();
    assert_eq!(pairings, ["hold+ optimal", "hold+ random", "hold- optimal", "hold- random"]);
    let test = rows(&out.join("test").join("agents.csv"));
    let names: Vec<&str> = test.iter().map(|row| &*row["agent"]).collect();
    assert_eq!(names, ["hold-tuned", "hold"]);
}

#[test]
fn options_of_engines_are_tuned_at_both_ends() {
    let dir = tempfile::tempdir().expect("a folder");
    let engine = |range: &str| {
        let text = format!(
            "[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"e\"\nkind = \"engine\"\n\
             command = [{:?}, \"serve\", \"--game\", \"tictactoe\", \"--agent\", \"random\"]\nmovetime = 50\n\
             options = {{ \"Move Overhead\" = 20 }}\n[openings]\nkind = \"random\"\nplies = 2\n\
             [tune]\nparameters = {{ \"options.Move Overhead\" = {range} }}\ngames = 16\n\
             [sprt]\nmax_games = 4\n",
            env!("CARGO_BIN_EXE_agon"),
        );
        write(dir.path(), "e.toml", &text)
    };
    let out = dir.path().join("out");
    let output = tune(&engine("[0, 40]"), &out, &["-q", "-j", "1"]);
    assert!(stdout(&output).contains("e is tuned after 16 games"), "{}", stderr(&output));
    // So short a tune has a precision of thousands of Elo, and can still be read again.
    let again = stdout(&ok(agon(&["report", out.to_str().expect("text"), "-v"])));
    assert!(again.contains("e is tuned after 16 games"), "{again}");
    assert!(again.contains("the tune is too short to find anything"), "{again}");
    let wrong = tune(&engine("[0, 9999]"), &dir.path().join("wrong"), &["-q"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", stdout(&wrong));
    assert!(stderr(&wrong).contains("Move Overhead"), "{}", stderr(&wrong));
}

#[test]
fn the_plan_has_games_and_the_expected_loss() {
    let dir = tempfile::tempdir().expect("a folder");
    let published = "[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"a\"\nkind = \"alphabeta\"\n\
        depth = 1\nevaluator = \"segments\"\nweights = { one = 150, two = 150 }\n[tune]\n\
        parameters = { \"weights.one\" = [0, 200], \"weights.two\" = [0, 200] }\nelo = 2\n\
        precision_elo = 0.5\ndraw_rate = 0.61\npairs = 1\n";
    let config = write(dir.path(), "c.toml", published);
    let plan = agon(&["plan", &config, "--format", "json"]);
    let plan: serde_json::Value = serde_json::from_str(&stdout(&plan)).expect("JSON");
    // The published design point has four parameters: its gain is in the ratio of the chi-square
    // quantiles of 4 and 2 degrees of freedom.
    let gain = plan["gain"].as_f64().expect("a number");
    assert!((gain / (0.003_111 * 9.487_729 / 5.991_465) - 1.0).abs() < 2e-4, "{gain}");
    let games = plan["games"].as_f64().expect("a number");
    assert!((games / (376_868.0 * 5.991_465 / 9.487_729) - 1.0).abs() < 1e-4, "{games}");
    assert_eq!(plan["expected_loss"][3]["start_elo"], 4.0);
    let text = stdout(&ok(agon(&["plan", &config])));
    assert!(text.contains("How many Elo are left on average?"), "{text}");
}

#[test]
fn a_changed_tune_and_a_config_without_one_are_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = format!("{PIG}games = 32\n[sprt]\nmax_games = 4\n");
    let out = dir.path().join("out");
    tune(&write(dir.path(), "c.toml", &text), &out, &["-q"]);
    let games = games_without_times(&out);
    for (from, to, key) in [
        ("games = 32", "games = 48", "tune.precision_elo"),
        ("[5, 45]", "[5, 40]", "tune.parameters"),
        ("at = 10", "at = 11", "at"),
    ] {
        let changed = write(dir.path(), "changed.toml", &text.replace(from, to));
        let output = tune(&changed, &out, &["-q"]);
        assert_eq!(output.status.code(), Some(2), "{to}");
        assert!(stderr(&output).contains(key), "{}", stderr(&output));
    }
    assert_eq!(games_without_times(&out), games);
    let plain = text.split("[tune]").next().expect("a config").to_owned()
        + "[openings]\nkind = \"start\"\n";
    let output = tune(&write(dir.path(), "plain.toml", &plain), &dir.path().join("p"), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`[tune]` has no parameters"), "{}", stderr(&output));
    let sweep = write(
        dir.path(),
        "sweep.toml",
        &format!("{text}[sweep]\n\"limits.max_plies\" = [200, 300]\n"),
    );
    let output = tune(&sweep, &dir.path().join("s"), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("a tune is one run"), "{}", stderr(&output));
}
