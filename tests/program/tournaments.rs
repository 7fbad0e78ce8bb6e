//! Tests of Swiss tournaments and knockouts: tables, the same bytes whatever happens, and refusals.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::{agon, games_without_times, ok, rows, stderr, stdout, write};

/// Rules of thumb in Pig, the weakest first.
const PIG: &str = "seed = 3\n[game]\nkind = \"pig\"\n[[agents]]\nname = \"hold-{at}\"\n\
    kind = \"hold\"\nat = [3, 6, 12, 18, 25]\n";

fn run(config: &str, out: &Path, more: &[&str]) -> Output {
    agon(&[&["run", config, "--out", out.to_str().expect("text")], more].concat())
}

fn config(format: &str, more: &str) -> String {
    format!("{PIG}[schedule]\nformat = \"{format}\"\n{more}")
}

#[test]
fn a_swiss_tournament_has_standings_matches_and_byes() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("out");
    let text = write(dir.path(), "c.toml", &config("swiss", "games = 40\n"));
    let text = stdout(&ok(run(&text, &out, &["-q"])));
    assert!(text.contains("hold-25 wins the Swiss tournament of 5 agents with 3 of 3"), "{text}");
    assert!(text.contains("Buchholz") && text.lines().all(|line| line.chars().count() <= 200));
    let matches = rows(&out.join("matches.csv"));
    assert_eq!(matches.len(), 3 * 3);
    let mut met: Vec<[&str; 2]> =
        (matches.iter()).map(|row| [row["agent_a"].as_str(), row["agent_b"].as_str()]).collect();
    met.iter_mut().for_each(|pair| pair.sort_unstable());
    met.sort_unstable();
    met.dedup();
    assert_eq!(met.len(), 9, "no rematch and no second bye: {met:?}");
    let standings = rows(&out.join("standings.csv"));
    assert_eq!(standings[0]["agent"], "hold-25");
    let sum: f64 = standings.iter().map(|row| row["points"].parse::<f64>().expect("points")).sum();
    assert_eq!(sum, 9.0, "each match and each bye is one point");
    assert_eq!(rows(&out.join("games.csv")).len(), 6 * 40);
    assert!(!out.join("decisions.csv").exists());
    let folder = out.to_str().expect("text");
    ok(agon(&["report", folder, "--verify", "-q"]));
    let json = stdout(&ok(agon(&["report", folder, "--format", "json"])));
    assert!(json.contains("\"standings\"") && json.contains("\"matches\""), "{json}");
    let page = fs::read_to_string(out.join("report.html")).expect("a page");
    assert!(page.contains("Sonneborn-Berger") && page.contains("Who met in which round?"));
}

#[test]
fn a_rematch_and_another_bye_are_named_in_every_output() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("out");
    let text = write(dir.path(), "c.toml", &config("swiss", "games = 2\nrounds = 5\n"));
    let text = stdout(&ok(run(&text, &out, &["-q"])));
    let sentences = [
        "round 4: hold-6 has another bye, because every other pairing breaks a rule",
        "round 5: hold-25 and hold-18 meet again, because every other pairing breaks a rule",
    ];
    let page = fs::read_to_string(out.join("report.html")).expect("a page");
    let json = stdout(&ok(agon(&["report", out.to_str().expect("text"), "--format", "json"])));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    for sentence in sentences {
        assert!(text.contains(sentence) && page.contains(sentence), "{text}");
    }
    let relaxed = [("4", "hold-6", "another bye"), ("5", "hold-25", "rematch")];
    let matches = rows(&out.join("matches.csv"));
    let in_csv: Vec<_> = (matches.iter())
        .filter(|row| !row["relaxed_rule"].is_empty())
        .map(|row| (&*row["round"], &*row["agent_a"], &*row["relaxed_rule"]))
        .collect();
    assert_eq!(in_csv, relaxed);
    let in_json: Vec<_> = (json["matches"].as_array().expect("matches").iter())
        .filter(|game| game["relaxed_rule"] != "")
        .map(|game| {
            [&game["round"], &game["agent_a"], &game["relaxed_rule"]].map(|v| v.to_string())
        })
        .collect();
    assert_eq!(
        in_json,
        relaxed.map(|(round, agent, rule)| {
            [round.to_owned(), format!("{agent:?}"), format!("{rule:?}")]
        })
    );
}

#[test]
fn a_knockout_has_a_bracket_with_byes_for_the_seeds() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("out");
    let more = "games = 60\nseeds = [\"hold-25\", \"hold-18\"]\n[adaptive]\nalpha = 0.1\n";
    let text = write(dir.path(), "c.toml", &config("knockout", more));
    let text = stdout(&ok(run(&text, &out, &["-q"])));
    assert!(text.contains("hold-25 wins the knockout of 5 agents: it beats hold-18"), "{text}");
    let matches = rows(&out.join("matches.csv"));
    let byes: Vec<&str> = (matches.iter())
        .filter(|row| row["decided_by"] == "bye")
        .map(|row| row["agent_a"].as_str())
        .collect();
    assert_eq!(byes, ["hold-25", "hold-18", "hold-3"]);
    let early: Vec<_> = matches.iter().filter(|row| row["decided_by"] == "e-value").collect();
    assert!(!early.is_empty(), "{matches:?}");
    for row in early {
        let e_value: f64 = row["e_value"].parse().expect("a number");
        let games: u64 = row["games"].parse().expect("a number");
        assert!(e_value >= 20.0 && games < 60, "{row:?}");
    }
    let places = rows(&out.join("standings.csv"));
    assert_eq!((&*places[1]["agent"], &*places[1]["place"]), ("hold-18", "2"));
    let page = fs::read_to_string(out.join("report.html")).expect("a page");
    let bracket = page.split("class=\"bracket\"").nth(1).expect("a bracket");
    let bracket = bracket.split("</section></div>").next().expect("its end");
    let names = ["quarter-final", "semi-final", "final"].map(|name| format!("<h3>{name}</h3>"));
    assert!(names.iter().all(|name| bracket.contains(name)), "{bracket}");
    // Four, two and one match, each with one winner; three byes.
    assert_eq!((bracket.matches("<li>").count(), bracket.matches("\"won\"").count()), (7, 7));
    assert_eq!(bracket.matches("<span>bye</span>").count(), 3);
}

#[test]
fn the_games_do_not_depend_on_threads_or_kills() {
    let dir = tempfile::tempdir().expect("a folder");
    for (format, more) in [
        ("swiss", "games = 6\nrounds = 5\n"),
        ("knockout", "games = 6\n"),
        ("knockout", "games = 40\n[adaptive]\nalpha = 0.2\n"),
    ] {
        let name = format!("{format}-{}", more.len());
        let more = &format!("{more}[output]\nreport = false\n");
        let config = write(dir.path(), &format!("{name}.toml"), &config(format, more));
        let place = |part: &str| dir.path().join(format!("{name}-{part}"));
        ok(run(&config, &place("one"), &["-q", "-j", "1"]));
        let whole = games_without_times(&place("one"));
        let tables = |folder: &Path| {
            ["standings.csv", "matches.csv"]
                .map(|file| fs::read_to_string(folder.join(file)).expect("a table"))
        };
        for threads in ["2", "5"] {
            ok(run(&config, &place(threads), &["-q", "-j", threads]));
            assert_eq!(games_without_times(&place(threads)), whole, "{threads} threads");
            assert_eq!(tables(&place(threads)), tables(&place("one")));
        }
        // A run that was cut off after any row, between and inside rounds.
        let games = fs::read_to_string(place("one").join("games.csv")).expect("games");
        let lines: Vec<&str> = games.lines().collect();
        for kept in [1, 12, 13, 20, lines.len() - 1] {
            let cut = place(&format!("cut-{kept}"));
            fs::create_dir_all(&cut).expect("a folder");
            for file in ["resolved.toml", "config.toml", "manifest.json"] {
                fs::copy(place("one").join(file), cut.join(file)).expect("copied");
            }
            fs::write(cut.join("games.csv"), lines[..kept].join("\n") + "\n").expect("written");
            let output = run(&config, &cut, &["-q", "-j", "3"]);
            assert_eq!(games_without_times(&cut), whole, "{kept}: {}", stderr(&output));
            assert_eq!(tables(&cut), tables(&place("one")), "{kept}");
        }
    }
}

#[test]
fn agents_that_only_repeat_their_games_are_decided_by_seed() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = "[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"one\"\nkind = \"perfect\"\n\
        [[agents]]\nname = \"two\"\nkind = \"perfect\"\n[openings]\nkind = \"start\"\n\
        [schedule]\nformat = \"knockout\"\ngames = 2\nseeds = [\"two\"]\n";
    let config = write(dir.path(), "c.toml", text);
    let out = dir.path().join("out");
    let text = stdout(&ok(run(&config, &out, &["-q"])));
    assert!(text.contains("is drawn, and the higher seed wins"), "{text}");
    let matches = rows(&out.join("matches.csv"));
    assert_eq!((&*matches[0]["winner"], &*matches[0]["decided_by"]), ("two", "repeats"));
    assert_eq!(rows(&out.join("games.csv")).len(), 2, "no endless repetition");
}

#[test]
fn a_longer_run_and_shards_are_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("out");
    let config = write(dir.path(), "c.toml", &config("swiss", "games = 4\n"));
    ok(run(&config, &out, &["-q"]));
    let longer = run(&config, &out, &["-q", "--games", "6"]);
    assert_eq!(longer.status.code(), Some(2), "{}", stderr(&longer));
    assert!(stderr(&longer).contains("cannot get other games or agents"), "{}", stderr(&longer));
    let shard = run(&config, &dir.path().join("shards"), &["--shard", "1/2"]);
    assert_eq!(shard.status.code(), Some(2), "{}", stderr(&shard));
    let dry = stdout(&ok(run(&config, &dir.path().join("dry"), &["--dry-run"])));
    assert!(dry.contains("24 games: 3 rounds of 2 pairings, 4 games each"), "{dry}");
}

#[test]
fn a_plan_says_how_often_the_best_agent_wins() {
    let dir = tempfile::tempdir().expect("a folder");
    for (format, more, most) in [
        ("swiss", "games = 40\n", 3 * 2 * 40),
        ("knockout", "games = 40\n", 4 * 60),
        ("knockout", "games = 400\n[adaptive]\nalpha = 0.1\n", 4 * 420),
    ] {
        let config = write(dir.path(), "c.toml", &config(format, more));
        let plan = stdout(&ok(agon(&["plan", &config, "--gap", "150"])));
        assert!(plan.contains("How often does the best agent win?"), "{plan}");
        let json = stdout(&ok(agon(&["plan", &config, "--gap", "150", "--format", "json"])));
        let plan: serde_json::Value = serde_json::from_str(&json).expect("json");
        let rows = plan["formats"].as_array().expect("rows");
        assert_eq!((rows.len(), &rows[0]["format"]), (2, &format.into()), "{json}");
        let games = rows[0]["games"].as_f64().expect("a number");
        assert!(games <= f64::from(most) && games > 50.0, "{json}");
        for row in rows {
            let share = |key: &str| row[key].as_f64().expect("a share");
            // 150 Elo are a score of 70 %: 40 games decide this match in almost all runs.
            assert!(share("best_wins") > 0.85 && share("tied") < 0.1, "{json}");
        }
    }
}

#[test]
fn wrong_settings_are_refused_with_help() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("out");
    let two =
        "[game]\nkind = \"pig\"\n[[agents]]\nkind = \"random\"\n[[agents]]\nkind = \"optimal\"\n";
    for (text, message, help) in [
        (config("swiss", "rounds = 6\n"), "at most 5 rounds without a rematch", "use at most 5"),
        (config("knockout", "rounds = 3\n"), "`rounds` does not apply", "remove `rounds`"),
        (config("round-robin", "seeds = [\"hold-3\"]\n"), "`seeds` does not apply", "swiss"),
        (config("swiss", "seeds = [\"hold3\"]\n"), "no agent `hold3`", "did you mean `hold-3`?"),
        (config("swiss", "seeds = [\"hold-3\", \"hold-3\"]\n"), "named twice", "once"),
        (config("swiss", "include_self = true\n"), "none plays itself", "remove `include_self`"),
        (config("swiss", "games = 3\n"), "must be even", "use 2 or 4"),
        (config("swiss", "[adaptive]\nalpha = 0.1\n"), "does not apply to a swiss", "remove"),
        (config("knockout", "[adaptive]\nmax_games = 10\n"), "`max_games` does not", "`games` in"),
        (format!("{two}[schedule]\nformat = \"swiss\"\n"), "needs at least three agents", "match"),
        (
            format!("{two}[schedule]\nformat = \"knockout\"\n[sprt]\nelo1 = 30\n"),
            "`[sprt]` does not apply to `knockout`",
            "remove `[sprt]`",
        ),
    ] {
        let config = write(dir.path(), "c.toml", &text);
        let output = run(&config, &out, &[]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{message}: {said}");
        assert!(said.contains(message) && said.contains(help), "{message}: {said}");
    }
    assert!(!out.exists(), "nothing is written");
}

#[test]
fn a_match_plays_a_swiss_tournament_of_three() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("out");
    let agents = ["match", "hold:at=25", "hold:at=5", "random", "--game", "pig"];
    let more = ["--schedule", "swiss", "--games", "20", "--out", out.to_str().expect("text"), "-q"];
    let text = stdout(&ok(agon(&[&agents[..], &more].concat())));
    assert!(text.contains("wins the Swiss tournament of 3 agents"), "{text}");
}
