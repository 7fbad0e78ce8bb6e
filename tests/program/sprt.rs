//! Tests of sequential tests: length, output and exit codes.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::{agon, games_without_times, ok, stderr, stdout, write};

/// Two agents for tic-tac-toe; `minimax` is much stronger.
fn config(first: &str, second: &str, more: &str) -> String {
    let agent = |kind: &str| match kind {
        "minimax" => "kind = \"minimax\"\ndepth = 2\nties = \"random\"".to_owned(),
        kind => format!("kind = \"{kind}\""),
    };
    format!(
        "seed = 5\n[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"new\"\n{}\n\
         [[agents]]\nname = \"old\"\n{}\n[schedule]\nformat = \"match\"\n{more}\n",
        agent(first),
        agent(second),
    )
}

fn play(config: &str, out: &Path, more: &[&str]) -> Output {
    agon(&[&["--config", config, "--out", out.to_str().expect("text")], more].concat())
}

#[test]
fn the_run_stops_at_the_same_pair_for_every_number_of_threads() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = config("minimax", "random", "[sprt]\nelo1 = 50");
    let config = write(dir.path(), "c.toml", &text);
    let games = |jobs: &str| {
        let out = dir.path().join(jobs);
        let output = ok(play(&config, &out, &["-j", jobs]));
        let text = stdout(&output);
        assert!(text.contains("new is stronger (sequential test)"), "{text}");
        assert!(text.contains("SPRT(0, 50)") && text.contains("H1 accepted after"), "{text}");
        let manifest = fs::read_to_string(out.join("manifest.json")).expect("manifest.json");
        assert!(manifest.contains("\"complete\""), "{manifest}");
        games_without_times(&out)
    };
    let one = games("1");
    let rows = one.lines().count() - 1;
    assert!(rows.is_multiple_of(2) && (10..2000).contains(&rows), "{rows} games");
    assert_eq!(one, games("2"));
    assert_eq!(one, games("7"));
}

#[test]
fn the_exit_code_is_the_verdict() {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, first, second, more, code, words) in [
        ("h1", "minimax", "random", "[sprt]\nelo1 = 80", 0, "H1 accepted"),
        ("h0", "random", "minimax", "[sprt]\nelo1 = 80", 3, "H0 accepted"),
        ("cap", "random", "random", "[sprt]\nmax_games = 20", 4, "the maximum was reached"),
        ("games", "minimax", "random", "[sprt]\nelo1 = 80\nunit = \"games\"", 0, "distinct games"),
        ("nelo", "random", "minimax", "[sprt]\nelo1 = 80\nmodel = \"normalized\"", 3, "normalized"),
    ] {
        let text = config(first, second, more);
        let config = write(dir.path(), &format!("{name}.toml"), &text);
        let out = dir.path().join(name);
        let output = play(&config, &out, &[]);
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(code), "{text}\n{}", stderr(&output));
        assert!(text.contains(words), "{text}");
        // The second run plays nothing and gives the same output and exit code.
        let again = play(&config, &out, &[]);
        assert_eq!(again.status.code(), Some(code));
        assert_eq!(stdout(&again), text);
        assert!(stderr(&again).contains("nothing is played"), "{}", stderr(&again));
    }
}

#[test]
fn games_that_repeat_earlier_ones_decide_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let agents = "[[agents]]\nname = \"new\"\nkind = \"minimax\"\ndepth = 3\n\
                  [[agents]]\nname = \"old\"\nkind = \"minimax\"\ndepth = 1\n";
    let text = format!(
        "[game]\nkind = \"tictactoe\"\n{agents}[sprt]\nelo1 = 400\nmax_games = 400\n[openings]\nkind = \"start\"\n"
    );
    let config = write(dir.path(), "c.toml", &text);
    let output = play(&config, &dir.path().join("out"), &[]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("at most 2 of 400 games can be different"),
        "{}",
        stderr(&output)
    );
    assert!(!dir.path().join("out").exists());
    let allowed = ["--set", "schedule.allow_duplicates=true"];
    let output = play(&config, &dir.path().join("out"), &allowed);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(stdout(&output).contains("after 1 distinct pairs"), "{}", stdout(&output));
}

#[test]
fn an_interrupted_test_ends_at_the_same_pair() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = config("minimax", "random", "[sprt]\nelo1 = 50");
    let config = write(dir.path(), "c.toml", &text);
    let out = dir.path().join("out");
    play(&config, &out, &[]);
    let whole = games_without_times(&out);
    let file = out.join("games.csv");
    let rows = fs::read_to_string(&file).expect("games.csv");
    let manifest = fs::read_to_string(out.join("manifest.json")).expect("manifest.json");
    for keep in [rows.len(), rows.len() - 1, rows.len() / 2, 200] {
        fs::write(&file, &rows[..keep]).expect("writable");
        let stale = manifest.replace("\"complete\"", "\"running\"");
        fs::write(out.join("manifest.json"), stale).expect("writable");
        ok(play(&config, &out, &["-j", "3"]));
        assert_eq!(games_without_times(&out), whole);
    }
    // A different sequential test is a different experiment.
    let output = play(&config, &out, &["--set", "sprt.elo1=60"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("sprt.elo1"), "{}", stderr(&output));
}

#[test]
fn impossible_settings_are_refused_with_help() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = config("minimax", "random", "[sprt]\nelo0 = 5\nelo1 = 0\nalpha = 2");
    let config = write(dir.path(), "c.toml", &text);
    let output = play(&config, &dir.path().join("out"), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`sprt.alpha` must be a number from 0 to 1"));
    let output = play(&config, &dir.path().join("out"), &["--set", "sprt.alpha=0.1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("exchange the two"), "{}", stderr(&output));
    assert!(!dir.path().join("out").exists());
}

#[test]
fn agon_sprt_tests_a_config_that_does_not_ask_for_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = config("minimax", "random", "games = 4000");
    let config = write(dir.path(), "c.toml", &text);
    let (one, two) = (dir.path().join("one"), dir.path().join("two"));
    let sprt = |out: &Path, more: &[&str]| {
        let base = ["sprt", "--config", &config, "--out", out.to_str().expect("text")];
        agon(&[&base[..], more].concat())
    };
    let output = ok(sprt(&one, &["--elo1", "80", "--format", "json"]));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let test = &json["sprt"];
    assert_eq!((&test["elo1"], &test["verdict"]), (&80.0.into(), &"H1".into()), "{json}");
    assert!(test["llr"].as_f64() >= test["upper"].as_f64(), "{json}");
    let answer = json["verdict"].as_str().expect("the answer");
    assert!(answer.starts_with("new is stronger (sequential test). new scores "), "{answer}");
    assert_eq!(json["decision"], "yes");
    assert_eq!(json["pairings"][0]["verdict"], "stronger (sequential test)");
    // The model has the same name as in a config.
    assert_eq!(test["model"], "logistic");
    let bayes = dir.path().join("bayes");
    let output =
        sprt(&bayes, &["--set", "sprt.model=bayeselo", "--format", "json", "--elo1", "80"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["sprt"]["model"], "bayeselo", "{}", stderr(&output));
    // The resolved config contains the test and plays the same games.
    let resolved = one.join("resolved.toml");
    play(resolved.to_str().expect("text"), &two, &[]);
    assert_eq!(games_without_times(&one), games_without_times(&two));

    let output = sprt(&two, &["--fresh", "--elo0", "-30", "--elo1", "-40"]);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(text.contains("--elo1 -40") && text.contains("exchange the two"), "{text}");
    let output = agon(&["sprt"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("agon init"), "{}", stderr(&output));
    let help = stdout(&agon(&["sprt", "--help"]));
    assert!(help.contains("--elo0") && help.contains("4: undecided"), "{help}");
}

#[test]
fn a_plan_says_what_would_be_shown_and_records_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = config("minimax", "random", "[sprt]\nelo1 = 10\nmax_games = 1000");
    let path = write(dir.path(), "c.toml", &text);
    let output = ok(agon(&["plan", "--config", &path, "-j", "2"]));
    let text = stdout(&output);
    for words in [
        "at most 1 000 games of one pairing",
        "distinct openings: 1\n",
        "on 2 threads",
        "Expected length of SPRT(0, 10)\n",
        "warning: the sequential test probably stays undecided",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert_eq!(text.matches("warning").count(), 1, "{text}");
    assert_eq!(fs::read_dir(dir.path()).expect("a folder").count(), 1, "nothing is written");

    let output = agon(&["plan", "--config", &path, "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["games"], 1000);
    assert_eq!(json["pairings"][0]["distinct_games"], 1000);
    let power = json["pairings"][0]["power"]["50"].as_f64().expect("a power");
    let resolution = json["pairings"][0]["resolution_elo"].as_f64().expect("a resolution");
    assert!((0.5..1.0).contains(&power) && (5.0..25.0).contains(&resolution), "{json}");
    assert!(json["sprt"]["expected_games"]["h0"].as_f64().expect("a length") > 1000.0);
    assert!(json["seconds"].as_f64().expect("a time") > 0.0);
}

#[test]
fn a_plan_warns_of_repetition_and_of_too_few_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = "[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"mm{depth}\"\n\
                kind = \"minimax\"\ndepth = [1, 2, 3]\n[schedule]\ngames = 60\n\
                [openings]\nkind = \"start\"\n";
    let path = write(dir.path(), "c.toml", text);
    let plan = |more: &[&str]| {
        let output = ok(agon(&[&["plan", "--config", &path], more].concat()));
        stdout(&output)
    };
    let text = plan(&[]);
    let repeats =
        "mm1 and mm2 always play the same moves (and 2 more pairings), so at most 2 of 60";
    assert!(text.contains(repeats), "{text}");
    assert!(text.contains("exact over these openings"), "{text}");
    assert!(
        text.contains("agon refuses this run unless you set `allow_duplicates = true`"),
        "{text}"
    );
    assert!(!text.contains("SPRT"), "{text}");
    let text = plan(&["--set", "schedule.allow_duplicates=true"]);
    assert!(text.contains("play the same moves") && !text.contains("refuses"), "{text}");
    let few = ["--set", "openings.kind=random", "--set", "openings.plies=4", "--games", "20"];
    let text = plan(&few);
    assert!(text.contains("distinct openings: 10 of 1"), "{text}");
    let random = ["--set", "openings.kind=random", "--set", "openings.plies=2", "--games", "24"];
    let text = plan(&random);
    assert!(
        text.contains("distinct openings: 12 of 12 available, chosen at random\n")
            && !text.contains("play the same moves"),
        "{text}"
    );
    let output = agon(&["plan", "--config", &path, "--games", "25"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("even"), "{}", stderr(&output));
}

#[test]
fn a_plan_promises_no_more_than_calibration_can_vouch_for() {
    let dir = tempfile::tempdir().expect("a folder");
    // Perfect play: all games are draws, and one opening has only two different games.
    let text = "[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"p\"\nkind = \"alphabeta\"\n\
                depth = 9\n[[agents]]\nname = \"q\"\nkind = \"alphabeta\"\ndepth = 9\n\
                ordering = \"none\"\n[schedule]\nformat = \"match\"\ngames = 20\n\
                [openings]\nkind = \"start\"\n";
    let path = write(dir.path(), "c.toml", text);
    let plan = |more: &[&str]| {
        let output = ok(agon(&[&["plan", "--config", &path, "--format", "json"], more].concat()));
        serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON")
    };
    let json = plan(&[]);
    let figures = &json["pairings"][0];
    assert_eq!(figures["exact"], true, "{json}");
    assert!(figures["resolution_elo"].is_null() && figures["power"]["10"].is_null(), "{json}");
    // After twenty draws, the interval is still ±112 Elo.
    let options = ["--set", "agents.p.ties=random", "--set", "agents.q.ties=random"];
    let json = plan(&options);
    let resolution = json["pairings"][0]["resolution_elo"].as_f64().expect("a resolution");
    assert!((105.0..120.0).contains(&resolution), "{json}");
    // The hypotheses are too far apart for this share of draws: the output says so.
    let wide = ["--set", "sprt.elo0=200", "--set", "sprt.elo1=800"];
    let output = agon(&[&["plan", "--config", &path][..], &options, &wide].concat());
    let text = stdout(&output);
    assert!(text.contains("Expected length of SPRT(200, 800)"), "{text}");
    assert!(text.contains("no values: with ") && text.contains('—'), "{text}");
}

#[test]
fn a_closed_pipe_does_not_change_the_verdict() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = config("random", "minimax", "[sprt]\nelo1 = 80");
    let path = write(dir.path(), "c.toml", &text);
    let out = dir.path().join("out");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["--config", &path, "--quiet", "--out", out.to_str().expect("text")])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("an end").code(), Some(3));
}

#[test]
fn forfeited_games_do_not_hide_the_verdict() {
    let dir = tempfile::tempdir().expect("a folder");
    let good = "[[agents]]\nname = \"good\"\nkind = \"random\"\n";
    let bad = "[[agents]]\nname = \"bad\"\nkind = \"engine\"\nprotocol = \"ugi\"\nnodes = 5\n\
               command = \"false\"\n";
    let rest = "[schedule]\nformat = \"match\"\ngames = 2000\non_start_failure = \"forfeit\"\n\
                [openings]\nkind = \"random\"\nplies = 8\n[sprt]\nelo0 = 0\nelo1 = 100\n";
    for (agents, code) in [([good, bad], 0), ([bad, good], 3)] {
        let text = format!("[game]\nkind = \"connect4\"\n{}{rest}", agents.concat());
        let path = write(dir.path(), "c.toml", &text);
        let out = dir.path().join(format!("out{code}"));
        let out = out.to_str().expect("text");
        let output = agon(&["--config", &path, "--out", out, "--format", "json"]);
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(stdout(&output).contains("forfeited games: bad "), "{}", stdout(&output));
        // The same without a game to play.
        let output = agon(&["--config", &path, "--out", out]);
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    }
}

/// With shared dice, the two games of a pair are correlated, so pairs vary more than single games.
#[test]
fn a_plan_for_dice_counts_how_much_pairs_vary() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = "[game]\nkind = \"pig\"\n[[agents]]\nname = \"a\"\nkind = \"hold\"\nat = 20\n\
                [[agents]]\nname = \"b\"\nkind = \"hold\"\nat = 15\n[schedule]\nformat = \"match\"\n\
                games = 3000\n[output]\nreport = false\n";
    let path = write(dir.path(), "c.toml", text);
    let json = |args: &[&str]| -> serde_json::Value {
        serde_json::from_str(&stdout(&ok(agon(args)))).expect("JSON")
    };
    let plan = json(&["plan", &path, "--format", "json"]);
    let correlation = plan["pair_correlation"].as_f64().expect("a correlation");
    let planned = plan["pairings"][0]["resolution_elo"].as_f64().expect("a resolution");
    let single = 1_361.9 * (0.25_f64 / 3_000.0).sqrt();
    assert!((planned / single - (1.0 + correlation).sqrt()).abs() < 0.01, "{plan}");
    let out = dir.path().join("out").display().to_string();
    let results = json(&["run", &path, "--out", &out, "-q", "--format", "json"]);
    let figure = |key: &str| results["pairings"][0][key].as_f64().expect("a number");
    // In scores, because the interval in Elo is wider away from equality.
    let seen = (figure("score_high") - figure("score_low")) / 2.0;
    let planned = planned / 694.87;
    assert!(seen > 1.02 * single / 694.87, "pairs vary more: {results}");
    assert!(planned > 0.97 * seen, "planned {planned}, seen {seen}");
    let alone = json(&["plan", &path, "--format", "json", "--set", "schedule.shared_dice=false"]);
    assert!(alone["pair_correlation"].as_f64().expect("a correlation") < 0.1, "{alone}");
}

#[test]
fn a_plan_ends_if_a_game_does_not() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = "[game]\nkind = \"mnk\"\nm = 5\nn = 5\nk = 4\n[[agents]]\nkind = \"random\"\n\
                [[agents]]\nname = \"deep\"\n\
                kind = \"minimax\"\ndepth = 25\n[schedule]\nformat = \"self-play\"\ngames = 20\n";
    let path = write(dir.path(), "c.toml", text);
    let output = ok(agon(&["plan", &path, "--format", "json"]));
    let said = stderr(&output);
    assert!(
        said.contains("a test game of deep against itself did not end within 10 s")
            && said.contains("`movetime`"),
        "{said}"
    );
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    // The time of the games that end is not the time of the run.
    assert!(json["seconds"].is_null() && json["calibration_games"] != 0, "{json}");
}

#[test]
fn equal_pairings_share_a_row_of_a_plan() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = "[game]\nkind = \"pig\"\n[[agents]]\nname = \"hold-{at}\"\nkind = \"hold\"\n\
                at = [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]\n[schedule]\ngames = 20\n";
    let path = write(dir.path(), "c.toml", text);
    let text = stdout(&ok(agon(&["plan", &path])));
    assert!(text.contains("45 pairings"), "{text}");
    assert_eq!(text.matches("hold-").count(), 0, "{text}");
    let both = |agent: &str, against: &str| {
        let row = |line: &str| line.contains(agent) && line.contains(against);
        text.lines().filter(|line| row(line)).count()
    };
    assert_eq!(both("10 agents", "each other"), 1, "{text}");
}
