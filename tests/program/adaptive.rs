//! Tests of formats in rounds: the answer, the same bytes whatever happens, and refusals.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::{agon, games_without_times, ok, rows, stderr, stdout, write};

/// Rules of thumb in Pig. Exact values of their games are known: more is better up to 25.
const PIG: &str = "seed = 11\n[game]\nkind = \"pig\"\n[[agents]]\nname = \"hold-5\"\n\
    kind = \"hold\"\nat = 5\n[[agents]]\nname = \"hold-25\"\nkind = \"hold\"\nat = 25\n\
    [[agents]]\nname = \"hold-10\"\nkind = \"hold\"\nat = 10\n[[agents]]\nkind = \"random\"\n";

fn run(config: &str, out: &Path, more: &[&str]) -> Output {
    agon(&[&["run", config, "--out", out.to_str().expect("text")], more].concat())
}

fn best(more: &str) -> String {
    format!("{PIG}[schedule]\nformat = \"best\"\n{more}")
}

#[test]
fn the_best_agent_is_named_with_its_error_and_its_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", &best(""));
    let out = dir.path().join("out");
    let text = stdout(&ok(run(&config, &out, &["-q"])));
    assert!(
        text.contains(
            "hold-25 is the best of 4 agents (this answer is wrong in at most 5 % of runs)"
        ),
        "{text}"
    );
    assert!(text.contains("Its own games against each other agent prove this."), "{text}");
    assert!(text.contains("out after"), "{text}");
    let decisions = rows(&out.join("decisions.csv"));
    assert_eq!(decisions.len(), 3, "{decisions:?}");
    for decision in &decisions {
        assert_ne!(decision["worse"], "hold-25");
        let e_value: f64 = decision["e_value"].parse().expect("a number");
        assert!(decision["proof"] == "e-value" && e_value >= 20.0, "{decision:?}");
    }
    let games: u64 = decisions[2]["games"].parse().expect("a number");
    assert_eq!(games, rows(&out.join("games.csv")).len() as u64, "the run ends with its answer");
    let page = fs::read_to_string(out.join("report.html")).expect("a page");
    for part in ["id=\"chart-eliminated\"", "id=\"chart-e-values\"", "Games of each pairing"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("chart-undecided-pairs"), "there is no order");
    let again = ok(run(&config, &out, &[]));
    assert!(stdout(&again).contains("hold-25 is the best"), "{}", stdout(&again));
    ok(agon(&["report", out.to_str().expect("text"), "--verify", "-q"]));
    let json = stdout(&ok(agon(&["report", out.to_str().expect("text"), "--format", "json"])));
    assert!(json.contains("\"decisions\""), "{json}");
}

#[test]
fn the_games_do_not_depend_on_threads_or_kills() {
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), "pool.jsonl", POOL);
    for (format, schedule) in [
        ("best", "format = \"best\"\n"),
        ("ranking", "format = \"ranking\"\n"),
        ("pool", "format = \"best\"\npool = \"pool.jsonl\"\n"),
    ] {
        let text = PIG.to_owned()
            + &format!("[schedule]\n{schedule}[adaptive]\nmax_games = 400\n")
            + "[output]\nreport = false\n";
        let config = write(dir.path(), &format!("{format}.toml"), &text);
        let place = |name: &str| dir.path().join(format!("{format}-{name}"));
        run(&config, &place("one"), &["-q", "-j", "1"]);
        let whole = games_without_times(&place("one"));
        for threads in ["2", "7"] {
            run(&config, &place(threads), &["-q", "-j", threads]);
            assert_eq!(games_without_times(&place(threads)), whole, "{threads} threads");
        }
        // A run that was cut off after any row, between and inside rounds.
        let games = fs::read_to_string(place("one").join("games.csv")).expect("games");
        let lines: Vec<&str> = games.lines().collect();
        for kept in [1, 2, 9, 24, 25, 26, 57, lines.len() - 1] {
            let cut = place(&format!("cut-{kept}"));
            fs::create_dir_all(&cut).expect("a folder");
            for file in ["resolved.toml", "config.toml", "manifest.json"] {
                fs::copy(place("one").join(file), cut.join(file)).expect("copied");
            }
            fs::write(cut.join("games.csv"), lines[..kept].join("\n") + "\n").expect("written");
            let output = run(&config, &cut, &["-q", "-j", "3"]);
            assert_eq!(games_without_times(&cut), whole, "{kept}: {}", stderr(&output));
        }
    }
}

/// A pool in which `hold-25` beats `hold-5`, and the two others are not.
const POOL: &str = "{\"players\":[[\"hold-25\"],[\"other\"]],\"ranks\":[1,2]}\n\
    {\"players\":[[\"hold-25\"],[\"hold-5\"],[\"other\"]],\"ranks\":[1,3,2]}\n";

#[test]
fn a_pool_chooses_the_first_games_and_is_no_evidence() {
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), "pool.jsonl", POOL);
    let first_round = |schedule: &str| {
        let text = best(&format!("{schedule}[adaptive]\nmax_games = 24\n"));
        let config = write(dir.path(), "c.toml", &text);
        let out = dir.path().join(format!("out{}", schedule.len()));
        run(&config, &out, &["-q"]);
        let resolved = fs::read_to_string(out.join("resolved.toml")).expect("a config");
        (out, resolved)
    };
    let (out, resolved) = first_round("pool = \"pool.jsonl\"\n");
    let games = rows(&out.join("games.csv"));
    assert_eq!(games.len(), 24);
    assert!(games.iter().all(|game| game["first"] == "hold-25" || game["second"] == "hold-25"));
    let ratings = "ratings = [[-161.0, 2.0], [202.0, 3.0], [0.0, 0.0], [0.0, 0.0]]";
    assert!(resolved.contains(ratings) && !resolved.contains("pool"), "{resolved}");
    // The ratings are all that a run keeps of the pool.
    let (again, _) = first_round(&format!("{ratings}\n"));
    assert_eq!(games_without_times(&again), games_without_times(&out));
}

#[test]
fn a_pool_that_has_changed_names_the_command_that_continues_and_a_plan_uses_it() {
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), "pool.jsonl", POOL);
    let text = best("pool = \"pool.jsonl\"\n[adaptive]\nmax_games = 24\n");
    let config = write(dir.path(), "c.toml", &text);
    let out = dir.path().join("out");
    run(&config, &out, &["-q"]);
    let games = games_without_times(&out);
    write(dir.path(), "pool.jsonl", &POOL.repeat(20));
    let refused = run(&config, &out, &["-q"]);
    let said = stderr(&refused);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    let command = format!("`agon run {0}/resolved.toml --out {0}` continues", out.display());
    assert!(said.contains("`pool`, which has changed") && said.contains(&command), "{said}");
    let resolved = out.join("resolved.toml");
    let continued = run(resolved.to_str().expect("text"), &out, &["-q"]);
    assert_eq!(games_without_times(&out), games, "{}", stderr(&continued));
    let plan = stdout(&ok(agon(&["plan", &config, "--format", "json"])));
    let plan: serde_json::Value = serde_json::from_str(&plan).expect("JSON");
    // 40 + 60 games of four agents, and three opponents of each.
    assert_eq!(plan["earlier_games"], 8, "{plan}");
    assert_eq!(plan["formats"][0]["field"], "as in the pool");
    let guessed = stdout(&ok(agon(&["plan", &config, "--gap", "30", "--format", "json"])));
    assert!(guessed.contains("\"30 apart\"") && !guessed.contains("as in the pool"), "{guessed}");
}

#[test]
fn scores_without_luck_decide_with_the_same_games_on_all_threads_and_after_kills() {
    let dir = tempfile::tempdir().expect("a folder");
    let three = PIG.replace("[[agents]]\nkind = \"random\"\n", "");
    let three = three.replace("kind = \"pig\"", "kind = \"pig\"\ngoal = 50");
    for format in ["best", "ranking"] {
        let text =
            format!("{three}[schedule]\nformat = \"{format}\"\n[luck]\nadjusted_verdicts = true\n");
        let config = write(dir.path(), &format!("{format}.toml"), &text);
        let place = |name: &str| dir.path().join(format!("{format}-{name}"));
        let played = ok(run(&config, &place("one"), &["-j", "1", "-v"]));
        let shown = stdout(&played);
        assert!(
            shown.contains(
                "(this answer is wrong in at most 5 % of runs: asymptotic, without luck)"
            ),
            "{shown}"
        );
        assert!(shown.contains("strict e-value of raw scores"), "{shown}");
        match format {
            "best" => assert!(shown.contains("hold-25 is the best of 3 agents"), "{shown}"),
            _ => assert!(shown.contains("Order: hold-25, hold-10, hold-5."), "{shown}"),
        }
        let whole = games_without_times(&place("one"));
        let decisions = rows(&place("one").join("decisions.csv"));
        let decided = decisions.iter().filter(|row| row["proof"] == "asymptotic e-value");
        assert!(decided.clone().count() >= 2, "{decisions:?}");
        for row in decided {
            let [e_value, strict] = ["e_value", "strict_raw_e_value"]
                .map(|key| row[key].parse::<f64>().expect("a number"));
            assert!(e_value >= 20.0 && strict > 0.0, "{row:?}");
        }
        run(&config, &place("three"), &["-q", "-j", "3"]);
        assert_eq!(games_without_times(&place("three")), whole);
        // A run that was cut off inside a round.
        let games = place("three").join("games.csv");
        let text = fs::read_to_string(&games).expect("games");
        fs::write(&games, text.split_inclusive('\n').take(101).collect::<String>()).expect("cut");
        ok(run(&config, &place("three"), &["-q"]));
        assert_eq!(games_without_times(&place("three")), whole);
        let folder = place("three");
        let report = stdout(&ok(agon(&["report", folder.to_str().expect("text"), "-v"])));
        let first = |text: &str| text.lines().nth(1).map(str::to_owned);
        assert_eq!(first(&report), first(&shown));
    }
}

#[test]
fn an_answer_that_does_not_come_is_undecided() {
    let dir = tempfile::tempdir().expect("a folder");
    let equal = PIG.replace("at = 5\n", "at = 25\n").replace("at = 10\n", "at = 25\n");
    let text = format!("{equal}[schedule]\nformat = \"best\"\n[adaptive]\nmax_games = 300\n");
    let config = write(dir.path(), "c.toml", &text);
    let output = run(&config, &dir.path().join("out"), &["-q"]);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(stdout(&output).contains("can still be better"), "{}", stdout(&output));
    let close = text.replace("max_games = 300", "epsilon_elo = 200");
    let config = write(dir.path(), "close.toml", &close);
    let output = ok(run(&config, &dir.path().join("close"), &["-q"]));
    assert!(
        stdout(&output)
            .contains("is the best of 4 agents within 200 Elo: no other one is better by more"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn agents_that_repeat_their_games_are_compared_exactly() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = "[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"mm{depth}\"\nkind = \"minimax\"\n\
        depth = [1, 2, 4, 6]\n[schedule]\nformat = \"ranking\"\nallow_duplicates = true\n\
        [openings]\nkind = \"random\"\nplies = 2\n";
    let config = write(dir.path(), "c.toml", text);
    let out = dir.path().join("out");
    ok(run(&config, &out, &["-q"]));
    let proofs: Vec<String> =
        rows(&out.join("decisions.csv")).iter().map(|row| row["proof"].clone()).collect();
    assert!(!proofs.is_empty() && proofs.iter().all(|p| p != "e-value"), "{proofs:?}");
    // Each pair of agents has 24 openings at most, up to symmetry.
    assert!(rows(&out.join("games.csv")).len() <= 6 * 2 * 32, "no endless repetition");
}

#[test]
fn one_agent_is_compared_with_all_others() {
    let dir = tempfile::tempdir().expect("a folder");
    let text =
        PIG.to_owned() + "[schedule]\nformat = \"ranking\"\n[adaptive]\nagainst = \"hold-10\"\n";
    let config = write(dir.path(), "c.toml", &text);
    let text = stdout(&ok(run(&config, &dir.path().join("out"), &["-q"])));
    assert!(text.contains("Better than hold-10: hold-25."), "{text}");
    assert!(text.contains("Worse than hold-10: "), "{text}");
}

#[test]
fn wrong_settings_are_refused_with_help() {
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), "pool.jsonl", POOL);
    write(dir.path(), "table.csv", "a,b,1-0\n");
    let others = "{\"players\":[[\"a\"],[\"b\"]],\"ranks\":[1,2]}\n";
    write(dir.path(), "others.jsonl", others);
    let out = dir.path().join("out");
    for (text, message, help) in [
        (best("games = 10\n"), "decides the number of games itself", "remove `games`"),
        (best("include_self = true\n"), "none plays itself", "remove `include_self`"),
        (best("[adaptive]\nagainst = \"hold-5\"\n"), "compares all agents", "ranking"),
        (
            format!("{PIG}[adaptive]\nalpha = 0.1\n"),
            "does not apply to a round-robin",
            "choose `format = \"best\"`",
        ),
        (
            format!("{PIG}[schedule]\nformat = \"ranking\"\n[adaptive]\nagainst = \"hold5\"\n"),
            "there is no agent `hold5`",
            "did you mean `hold-5`?",
        ),
        (
            "[game]\nkind = \"pig\"\n[[agents]]\nkind = \"random\"\n[[agents]]\nkind = \"optimal\"\n\
             [schedule]\nformat = \"best\"\n"
                .to_owned(),
            "needs at least three agents",
            "`[sprt]`",
        ),
        (best("[adaptive]\nalpha = 0.0\n"), "`adaptive.alpha`", "0.5"),
        (best("pool = \"pol.jsonl\"\n"), "cannot use the pool `pol.jsonl`", "did you mean"),
        (best("pool = \"table.csv\"\n"), "line 1: no column is known to hold", "--pool POOL"),
        (best("pool = \"others.jsonl\"\n"), "no game of these agents", "its players are a, b"),
        (best("ratings = [[0, 0]]\n"), "one pair of numbers for each agent", "remove it"),
        (
            format!("{PIG}[schedule]\npool = \"pool.jsonl\"\n"),
            "only `best` and `ranking` choose games by ratings",
            "remove the key",
        ),
        (
            format!(
                "{PIG}[schedule]\nformat = \"ranking\"\npool = \"pool.jsonl\"\n[adaptive]\n\
                 against = \"hold-5\"\n"
            ),
            "with `against`, all agents play one agent",
            "remove the key",
        ),
    ] {
        let config = write(dir.path(), "c.toml", &text);
        let output = run(&config, &out, &[]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(message) && said.contains(help), "{message}: {said}");
    }
    let config = write(dir.path(), "c.toml", &best(""));
    let output = run(&config, &out, &["--shard", "1/2"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("shard"), "{}", stderr(&output));
    assert!(!out.exists(), "nothing is written");
}

#[test]
fn a_match_finds_the_best_of_three() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("out");
    let agents = ["match", "hold:at=25", "hold:at=5", "random", "--game", "pig"];
    let more = ["--schedule", "best", "--out", out.to_str().expect("text"), "-q"];
    let text = stdout(&ok(agon(&[&agents[..], &more].concat())));
    assert!(text.contains("is the best of 3 agents"), "{text}");
}

#[test]
fn a_plan_simulates_formats_in_rounds() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", &best("[adaptive]\nmax_games = 2000\n"));
    let plan = |more: &[&str]| agon(&[&["plan", &config], more].concat());
    let text = stdout(&ok(plan(&["--gap", "150"])));
    assert!(text.contains("150 apart") && text.contains("round robin"), "{text}");
    let json = |more: &[&str]| -> serde_json::Value {
        let text = stdout(&ok(plan(&[&["--format", "json"], more].concat())));
        serde_json::from_str(&text).expect("JSON")
    };
    let (one, two) = (json(&["--gap", "300"]), json(&["--gap", "300"]));
    let games = |plan: &serde_json::Value| -> Vec<serde_json::Value> {
        let rows = plan["formats"].as_array().expect("rows");
        rows.iter().map(|row| row["games"].clone()).collect()
    };
    assert_eq!(games(&one)[..2], games(&two)[..2], "the seed decides");
    assert_eq!(one["formats"][0]["format"], "best");
    assert_eq!(one["formats"][0]["undecided"], 0.0);
    // The worst agent of four is 900 Elo below the best: few games suffice.
    assert!(games(&one)[0].as_f64().expect("a number") < 300.0, "{one}");
    assert_eq!(json(&[])["formats"].as_array().expect("rows").len(), 9);
    let out = dir.path().join("out");
    run(&config, &out, &["-q"]);
    let rated = stdout(&ok(plan(&["--ratings", out.to_str().expect("text")])));
    assert!(rated.contains("as rated") && rated.contains("round robin, best"), "{rated}");
    let other = write(dir.path(), "o.toml", &best("").replace("hold-25", "hold-26"));
    let output = agon(&["plan", &other, "--ratings", out.to_str().expect("text")]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("no rating of `hold-26`"), "{}", stderr(&output));
    let fixed = write(dir.path(), "f.toml", PIG);
    let output = agon(&["plan", &fixed, "--gap", "9"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(plan(&["--gap", "nan"]).status.code(), Some(2));
}

#[test]
fn a_gap_between_rounds_is_found_and_repaired() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", &best("[output]\nreport = false\n"));
    let out = dir.path().join("out");
    let folder = out.to_str().expect("text");
    ok(run(&config, &out, &["-q"]));
    let whole = games_without_times(&out);
    let games = fs::read_to_string(out.join("games.csv")).expect("games");
    let lines: Vec<&str> = games.lines().collect();
    let gap = [&lines[..20], &lines[22..]].concat().join("\n") + "\n";
    fs::write(out.join("games.csv"), gap).expect("written");
    let verified = agon(&["report", folder, "--verify", "-q"]);
    assert_eq!(verified.status.code(), Some(9), "{}", stderr(&verified));
    let said = stderr(&verified);
    assert!(said.contains("later rounds are not checked") && said.lines().count() < 9, "{said}");
    let report = agon(&["report", folder, "-q"]);
    assert_eq!(report.status.code(), Some(2), "{}", stderr(&report));
    assert!(stderr(&report).contains("plays damaged games again"), "{}", stderr(&report));
    ok(run(&config, &out, &["-q"]));
    assert_eq!(games_without_times(&out), whole);
}

/// Perfect play with a share of random moves: less is better, so the order is known.
#[test]
fn perfect_players_with_random_moves_are_ordered_by_their_share() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = "seed = 3\n[game]\nkind = \"connect4\"\ncolumns = 5\nrows = 4\n[[agents]]\n\
        name = \"{epsilon}\"\nkind = \"noisy\"\nagent = { kind = \"perfect\" }\n\
        epsilon = [0.5, 0.1, 0.3, 0.7]\n[openings]\nkind = \"random\"\nplies = 2\n[schedule]\n";
    let config = write(dir.path(), "c.toml", &format!("{text}format = \"ranking\"\n"));
    let out = dir.path().join("out");
    ok(run(&config, &out, &["-q"]));
    let decisions = rows(&out.join("decisions.csv"));
    assert_eq!(decisions.len(), 6, "{decisions:?}");
    for decision in &decisions {
        let share = |column: &str| decision[column].parse::<f64>().expect("a share");
        assert!(share("better") < share("worse"), "{decision:?}");
    }
}
