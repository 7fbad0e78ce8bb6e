//! Tests of `agon compare`: errors, output and exit codes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use crate::support::{agon, ok, resealed, stderr, stdout, write};

const AGENTS: &str = "[[agents]]\nname = \"engine\"\nkind = \"alphabeta\"\ndepth = 3\n\
    [[agents]]\nname = \"rival\"\nkind = \"minimax\"\ndepth = 2\n\
    [[agents]]\nname = \"random\"\nkind = \"random\"\n";

fn config(agents: &str) -> String {
    format!(
        "seed = 3\n[game]\nkind = \"connect4\"\n{agents}\
         [schedule]\nformat = \"gauntlet\"\ngames = 60\n\
         [openings]\nkind = \"random\"\nplies = 4\n"
    )
}

/// Plays the config with these overrides into a folder with this name.
fn play(dir: &Path, name: &str, text: &str, set: &[&str]) -> PathBuf {
    let config = write(dir, &format!("{name}.toml"), text);
    let out = dir.join(name);
    let mut arguments = vec!["--config", &config, "--out", out.to_str().expect("text"), "-q"];
    arguments.extend(["-j", "2"]);
    arguments.extend(set.iter().flat_map(|set| ["--set", set]));
    // A sequential test or a format in rounds may be undecided.
    let output = agon(&arguments);
    assert!(matches!(output.status.code(), Some(0 | 3 | 4)), "{}", stderr(&output));
    out
}

fn compare(base: &Path, candidate: &Path, more: &[&str]) -> Output {
    let folders = [base, candidate].map(|path| path.to_str().expect("text"));
    agon(&[&["compare", folders[0], folders[1]], more].concat())
}

fn json(base: &Path, candidate: &Path, more: &[&str]) -> (Option<i32>, Value) {
    let output = compare(base, candidate, &[more, &["--format", "json"]].concat());
    let code = output.status.code();
    let json = serde_json::from_slice(&output.stdout);
    (code, json.unwrap_or_else(|_| panic!("no JSON: {}", stderr(&output))))
}

/// The gate of an agent with this name.
fn gate<'a>(json: &'a Value, what: &str, agent: &str) -> &'a Value {
    let gates = json["gates"].as_array().expect("gates");
    (gates.iter().find(|gate| gate["what"] == what && gate["agent"] == agent))
        .unwrap_or_else(|| panic!("no {what} of {agent}: {json}"))
}

/// Writes a time of 1 ns per game for this agent into `games.csv`, instead of the measured time.
fn think_for_a_nanosecond(folder: &Path, agent: &str) {
    let path = folder.join("games.csv");
    let text = fs::read_to_string(&path).expect("games.csv");
    let head: Vec<&str> = text.lines().next().expect("a header").split(',').collect();
    let column = |name: &str| head.iter().position(|field| *field == name).expect("a column");
    let seats = [("first", "time_first_ns"), ("second", "time_second_ns")]
        .map(|(seat, time)| (column(seat), column(time)));
    let mut out = String::new();
    for line in text.lines() {
        let mut fields: Vec<&str> = line.split(',').collect();
        for (seat, time) in seats {
            if fields[seat] == agent {
                fields[time] = "1";
            }
        }
        out += &(fields.join(",") + "\n");
    }
    fs::write(&path, resealed(&out)).expect("writable");
}

/// Without times, which depend on the load of the machine.
const UNTIMED: [&str; 4] = ["--limit", "time=off", "--limit", "memory=off"];

#[test]
fn the_same_run_twice_is_not_worse() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = config(AGENTS);
    let (one, two) = (play(dir.path(), "one", &text, &[]), play(dir.path(), "two", &text, &[]));
    let (code, json) = json(&one, &two, &UNTIMED);
    assert_eq!(code, Some(0), "{json}");
    assert_eq!(json["verdict"], "not worse");
    assert_eq!(json["changes"], serde_json::json!([]));
    // Nothing is random: the games are the same.
    assert_eq!(json["intervals"], 0);
    for agent in ["engine", "rival", "random"] {
        assert_eq!(gate(&json, "strength", agent)["verdict"], "the same", "{json}");
    }
    let work = gate(&json, "nodes per move", "engine");
    assert_eq!((work["change"].as_f64(), &work["low"]), (Some(1.0), &Value::Null));
    assert!(work["basis"].as_str().expect("text").contains("exact: "), "{work}");
    // Moves that are too fast for the clock have no ratio, even on a slow machine. Those of
    // `rival` take long enough, even on a fast one.
    for run in [&one, &two] {
        edit(run, "games.csv", &|text| {
            let quick = |line: &str| {
                let mut cells: Vec<&str> = line.split(',').collect();
                for (agent, time) in [(3, 12), (4, 13)] {
                    match cells[agent] {
                        "random" => cells[time] = "999",
                        "rival" => cells[time] = "99999",
                        _ => {}
                    }
                }
                cells.join(",") + "\n"
            };
            resealed(&text.lines().map(quick).collect::<String>())
        });
    }
    for folder in [&one, &two] {
        think_for_a_nanosecond(folder, "random");
    }
    let text = stdout(&compare(&one, &two, &[]));
    assert!(text.contains("time per move of engine: not judged"), "{text}");
    assert!(text.contains("less than 1 µs per move") && text.contains("peak memory"), "{text}");
}

#[test]
fn less_pruning_is_more_work_for_the_same_moves() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = config(AGENTS);
    let base = play(dir.path(), "base", &text, &[]);
    let set = ["agents.engine.ordering=none", "agents.engine.table_mb=0"];
    let slow = play(dir.path(), "slow", &text, &set);
    let (code, found) = json(&base, &slow, &UNTIMED);
    assert_eq!(code, Some(3), "{found}");
    // Only the agent that changed is judged, and the changes are listed.
    assert_eq!(found["gates"].as_array().expect("gates").len(), 2, "{found}");
    assert_eq!(found["changes"][0]["key"], "ordering of engine");
    assert_eq!(gate(&found, "strength", "engine")["verdict"], "the same");
    let work = gate(&found, "nodes per move", "engine");
    assert_eq!(work["verdict"], "worse");
    let factor = work["change"].as_f64().expect("a factor");
    assert!(factor > 1.1 && work["low"].is_null(), "{work}");
    // In the other direction, the change is an improvement with the inverse factor.
    let (code, back) = json(&slow, &base, &UNTIMED);
    assert_eq!(code, Some(0), "{back}");
    let back = gate(&back, "nodes per move", "engine").clone();
    assert_eq!(back["verdict"], "better");
    assert!((back["change"].as_f64().expect("a factor") * factor - 1.0).abs() < 1e-12);
    // A limit that allows the change, for this agent only.
    let allowed = format!("engine.work={}", factor + 0.01);
    let (code, json) = json(&base, &slow, &[&UNTIMED[..], &["--limit", &allowed]].concat());
    assert_eq!(code, Some(0), "{json}");
    assert_eq!(gate(&json, "nodes per move", "engine")["verdict"], "not worse");
}

/// The part before the fold has at most 12 lines, and the fold is closed.
fn fits_a_comment(text: &str) {
    let (shown, folded) = text.split_once("<details>").expect("a fold");
    assert!(shown.lines().count() <= 12 && text.starts_with("## "), "{text}");
    assert!(
        folded.ends_with("</details>\n") && folded.matches("\n</details>").count() == 1,
        "{text}"
    );
}

#[test]
fn names_with_signs_of_a_format_do_not_break_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let sign = "</details> & \\\"*x*";
    let agents = (0..6)
        .map(|i| format!("[[agents]]\nname = \"{i} {sign}\"\nkind = \"minimax\"\ndepth = 1\n"))
        .collect::<String>();
    let base = play(dir.path(), "base", &config(&agents), &[]);
    let output = compare(&base, &base, &["--format", "markdown"]);
    fits_a_comment(&stdout(&output));
    assert!(stdout(&output).contains("\\</details> & \"\\*x\\*"), "{}", stdout(&output));
    let xml = stdout(&compare(&base, &base, &["--format", "junit"]));
    assert!(xml.contains("name=\"strength of 0 &lt;/details&gt; &amp; &quot;*x*\""), "{xml}");
    let count = |word: &str| xml.matches(word).count();
    assert_eq!(count("<testcase "), count("</testcase>"), "{xml}");
    assert!(xml.contains(&format!("skipped=\"{}\"", count("<skipped "))), "{xml}");
}

#[test]
fn a_weaker_engine_is_seen_by_its_paired_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = config(AGENTS);
    let base = play(dir.path(), "base", &text, &[]);
    let weak = play(dir.path(), "weak", &text, &["agents.engine.evaluator=zero"]);
    let (code, found) = json(&base, &weak, &UNTIMED);
    assert_eq!(code, Some(3), "{found}");
    let strength = gate(&found, "strength", "engine");
    assert_eq!(strength["verdict"], "worse");
    assert!(strength["high"].as_f64().expect("an end") < -10.0, "{strength}");
    assert!(strength["basis"].as_str().expect("text").contains("same seed"), "{strength}");
    let output = compare(&base, &weak, &[&UNTIMED[..], &["--format", "markdown"]].concat());
    let text = stdout(&output);
    assert!(text.starts_with("## worse: strength of engine\n"), "{text}");
    assert!(text.contains("| strength "), "{text}");
    fits_a_comment(&text);
    let xml = stdout(&compare(&base, &weak, &[&UNTIMED[..], &["--format", "junit"]].concat()));
    assert!(xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite "), "{xml}");
    assert!(
        xml.contains("<testcase name=\"strength of engine\" classname=\"strength\"><failure"),
        "{xml}"
    );
    // Smaller is better in every figure: a loss of Elo is positive.
    let output = compare(&base, &weak, &["--format", "benchmark"]);
    assert_eq!(output.status.code(), Some(3));
    let entries: Vec<Value> = serde_json::from_slice(&output.stdout).expect("JSON");
    let strength = &entries[0];
    assert_eq!(
        (&strength["name"], &strength["unit"]),
        (&"strength of engine".into(), &"Elo lost".into())
    );
    assert!(strength["value"].as_f64().expect("a number") > 10.0, "{strength}");
    assert!(strength["range"].is_string() && strength["extra"].is_string(), "{strength}");
    // The opponents have not changed, but the user can still select them.
    let (code, json) = json(&base, &weak, &[&UNTIMED[..], &["--agent", "rival"]].concat());
    assert_eq!(code, Some(4), "{json}");
    let strength = gate(&json, "strength", "rival");
    assert_eq!(strength["verdict"], "not compared", "its only opponent has changed: {strength}");
    // The changes of its opponent are listed, and the gate that was not compared is counted.
    let text = stdout(&compare(&base, &weak, &[&UNTIMED[..], &["--agent", "rival"]].concat()));
    let change = "\n  evaluator of engine  —         \"zero\"\n";
    assert!(text.contains(change) && !text.contains("nothing has changed"), "{text}");
    assert!(text.contains("\n  0 gates, 1 not compared\n"), "{text}");
    let both = [&UNTIMED[..], &["--agent", "rival", "--agent", "engine"]].concat();
    let text = stdout(&compare(&base, &weak, &both));
    assert!(text.contains("\n  2 gates, 1 not compared, 2 with intervals of"), "{text}");
}

#[test]
fn two_agents_of_one_run_are_compared_head_to_head_too() {
    let dir = tempfile::tempdir().expect("a folder");
    let agent = |name: &str, more: &str| {
        format!("[[agents]]\nname = \"{name}\"\nkind = \"alphabeta\"\ndepth = 3\n{more}\n")
    };
    let agents = agent("new", "") + &agent("old", "evaluator = \"zero\"") + AGENTS;
    let text = config(&agents).replace("gauntlet", "round-robin");
    let run = play(dir.path(), "run", &text, &[]);
    let (code, found) = json(&run, &run, &[&UNTIMED[..], &["--agent", "old=new"]].concat());
    let head_to_head = gate(&found, "head to head", "new");
    assert_eq!(head_to_head["verdict"], "better", "{found}");
    assert_eq!(gate(&found, "strength", "new")["verdict"], "better");
    assert!(matches!(code, Some(0 | 3)), "{found}");
    // The same figures as in the pairings table of the run.
    let pairings = fs::read_to_string(run.join("pairings.csv")).expect("pairings.csv");
    let line = pairings.lines().find(|line| line.starts_with("new,old,")).expect("the pairing");
    let score: f64 = line.split(',').nth(19).expect("a_score").parse().expect("a number");
    assert!((head_to_head["candidate"].as_f64().expect("a score") - score).abs() < 1e-12, "{line}");
    let (code, back) = json(&run, &run, &[&UNTIMED[..], &["--agent", "new=old"]].concat());
    assert_eq!(code, Some(3), "{back}");
    assert_eq!(gate(&back, "head to head", "old")["verdict"], "worse");
}

#[test]
fn other_questions_and_budgets_are_refused_with_the_keys() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = config(AGENTS);
    let base = play(dir.path(), "base", &text, &[]);
    let other = ["seed=4", "game.columns=8", "schedule.games=40", "openings.plies=6"];
    let other = [&other[..], &["limits.max_plies=100"]].concat();
    let changed = play(dir.path(), "changed", &text, &other);
    let output = compare(&base, &changed, &[]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    for key in ["seed", "game.columns", "schedule.games", "openings.plies", "limits.max_plies"] {
        assert!(said.contains(&format!("  {key}: ")), "{key}: {said}");
    }
    assert!(said.contains("seed: 3 in the baseline, 4 in the candidate"), "{said}");
    let deep = play(dir.path(), "deep", &text, &["agents.engine.depth=4"]);
    let output = compare(&base, &deep, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("depth of engine: 3 against 4"), "{}", stderr(&output));
    let renamed = config(&AGENTS.replace("rival", "foe"));
    let renamed = play(dir.path(), "renamed", &renamed, &[]);
    let output = compare(&base, &renamed, &[]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("only in the baseline: rival") && said.contains("OLD=NEW"), "{said}");
    // With the new name given, the renamed agent is judged. Games against it are not compared.
    ok(compare(&base, &renamed, &[&UNTIMED[..], &["--agent", "rival=foe"]].concat()));
    for (more, words) in [
        (["--agent", "absent"], "there is no agent `absent`"),
        (["--limit", "absent.work=2"], "no agent `absent` in the candidate's run"),
        (["--limit", "work=fast"], "a factor from 1"),
    ] {
        let output = compare(&base, &base, &more);
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(said.contains(words) && said.contains("help: "), "{said}");
    }
}

/// Replaces text in a file.
fn edit(folder: &Path, name: &str, change: &dyn Fn(String) -> String) {
    let path = folder.join(name);
    let text = fs::read_to_string(&path).expect("text");
    fs::write(path, change(text)).expect("writable");
}

/// Damages a folder and checks the error message.
fn refused(run: &Path, words: &str, damage: impl Fn(&Path)) {
    let dir = tempfile::tempdir().expect("a folder");
    for name in ["manifest.json", "resolved.toml", "games.csv"] {
        fs::copy(run.join(name), dir.path().join(name)).expect("copied");
    }
    damage(dir.path());
    for (base, candidate) in [(run, dir.path()), (dir.path(), run)] {
        let output = compare(base, candidate, &[]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(said.contains(words) && said.contains("help: "), "{words}: {said}");
        assert!(!said.contains("panicked"), "{said}");
    }
}

#[test]
fn damaged_folders_are_refused_with_help() {
    let dir = tempfile::tempdir().expect("a folder");
    let run = play(dir.path(), "run", &config(AGENTS), &[]);
    let remove = |name: &'static str| {
        move |folder: &Path| fs::remove_file(folder.join(name)).expect("removed")
    };
    refused(&run, "has no resolved.toml", remove("resolved.toml"));
    refused(&run, "has no games.csv", remove("games.csv"));
    refused(&run, "format_version 2, and not 99", |folder| {
        edit(folder, "manifest.json", &|text| {
            text.replace("\"format_version\": 2", "\"format_version\": 99")
        });
    });
    for (status, words) in [("running", "still being played"), ("interrupted", "before its end")] {
        refused(&run, words, |folder| {
            edit(folder, "manifest.json", &|text| {
                text.replace("\"complete\"", &format!("\"{status}\""))
            });
        });
    }
    refused(&run, "this version of agon cannot read", |folder| {
        edit(folder, "resolved.toml", &|text| text.replace("alphabeta", "gammabeta"));
    });
    refused(&run, "the last line is cut off", |folder| {
        edit(folder, "games.csv", &|text| text[..text.len() - 9].to_owned());
    });
    refused(&run, "but manifest.json says 120", |folder| {
        edit(folder, "games.csv", &|text| {
            text.lines().take(2).map(|line| format!("{line}\n")).collect()
        });
    });
    refused(&run, "`game` is missing", |folder| edit(folder, "games.csv", &|_| String::new()));
    refused(&run, "line 1 is damaged", |folder| {
        edit(folder, "games.csv", &|text| text.replacen("result", "outcome", 1));
    });
    refused(&run, "is not a valid result", |folder| {
        edit(folder, "games.csv", &|text| {
            resealed(&text.replacen(",first,line,", ",won,line,", 1))
        });
    });
    refused(&run, "has the agent `stranger`, which is not in resolved.toml", |folder| {
        edit(folder, "games.csv", &|text| resealed(&text.replacen(",rival,", ",stranger,", 1)));
    });
    let empty = tempfile::tempdir().expect("a folder");
    let output = compare(&run, empty.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("not a results folder"), "{}", stderr(&output));
    let output = compare(&run, &empty.path().join("nowhere"), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("does not exist"), "{}", stderr(&output));
    // Extra columns that a user added are ignored.
    let more = dir.path().join("more");
    fs::create_dir(&more).expect("a folder");
    for name in ["manifest.json", "resolved.toml"] {
        fs::copy(run.join(name), more.join(name)).expect("copied");
    }
    let text = fs::read_to_string(run.join("games.csv")).expect("games.csv");
    let mut lines = text.lines();
    let head = format!("{},mine\n", lines.next().expect("a header"));
    let rows: String = lines.map(|line| format!("{line},7\n")).collect();
    fs::write(more.join("games.csv"), head + &rows).expect("writable");
    assert_eq!(json(&run, &more, &UNTIMED).1["verdict"], "not worse");
}

#[test]
fn few_games_decide_nothing_unless_they_are_the_same() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = config(AGENTS).replace("games = 60", "games = 2");
    let base = play(dir.path(), "base", &text, &[]);
    let weak = play(dir.path(), "weak", &text, &["agents.engine.evaluator=zero"]);
    let (code, found) = json(&base, &weak, &[&UNTIMED[..], &["--limit", "work=off"]].concat());
    assert_eq!(code, Some(4), "{found}");
    assert_eq!(gate(&found, "strength", "engine")["verdict"], "undecided");
    assert!(!found.to_string().contains("inf"), "{found}");
    let (code, _) = json(&base, &base, &UNTIMED);
    assert_eq!(code, Some(0));
    let text = stdout(&compare(&base, &base, &[&UNTIMED[..], &["--agent", "rival"]].concat()));
    assert!(text.contains("strength of rival: 2 paired games in 1 pair (same opponent"), "{text}");
    assert!(text.contains("\n  2 gates, none with an interval: all figures are exact"), "{text}");
    // With every gate disabled, no verdict is possible.
    let off = ["strength=off", "work=off", "time=off", "memory=off"];
    let off: Vec<&str> = off.iter().flat_map(|limit| ["--limit", limit]).collect();
    let (code, json) = json(&base, &weak, &off);
    assert_eq!((code, json["gates"].as_array().map(Vec::len)), (Some(4), Some(0)));
}

#[test]
fn agents_with_a_budget_of_time_are_judged_by_the_time_of_a_node() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = config(AGENTS).replace("depth = 3", "movetime = 1").replace("= 60", "= 20");
    let (one, two) = (play(dir.path(), "one", &text, &[]), play(dir.path(), "two", &text, &[]));
    let (_, json) = json(&one, &two, &["--agent", "engine"]);
    let work = gate(&json, "nodes per move", "engine");
    assert_eq!(work["verdict"], "not compared");
    assert!(work["basis"].as_str().expect("text").contains("its budget is time"), "{work}");
    let speed = gate(&json, "time per node", "engine");
    assert_eq!(speed["verdict"], "not judged", "{json}");
    let nanoseconds = speed["candidate"].as_f64().expect("a time");
    assert!((1.0..1e6).contains(&nanoseconds), "{speed}");
    // Times of a different machine are not compared.
    let path = two.join("manifest.json");
    let manifest = fs::read_to_string(&path).expect("manifest.json");
    let other = manifest.replace("\"os\": \"", "\"os\": \"other-");
    fs::write(&path, other).expect("writable");
    let (_, json) = self::json(&one, &two, &["--agent", "engine"]);
    let speed = gate(&json, "time per node", "engine");
    assert_eq!(speed["basis"], "the runs were played on different machines");
    fs::write(&path, manifest.replace("\"jobs\": 2", "\"jobs\": 3")).expect("writable");
    let (_, json) = self::json(&one, &two, &["--agent", "engine"]);
    let memory = json["gates"].as_array().expect("gates").last().expect("memory");
    assert_eq!(memory["basis"], "played on 2 threads and on 3");
}

/// The figure, as a number.
fn number(gate: &Value, key: &str) -> f64 {
    gate[key].as_f64().unwrap_or_else(|| panic!("no {key}: {gate}"))
}

#[test]
fn times_have_a_ratio_and_no_verdict() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = config(AGENTS).replace("= 60", "= 20");
    let base = play(dir.path(), "base", &text, &[]);
    let other = play(dir.path(), "other", &text, &["agents.engine.ordering=none"]);
    let reason = "not judged: the machine's own changes are not in it";
    for (from, to) in [(&base, &base), (&base, &other), (&other, &base)] {
        let (_, found) = json(from, to, &["--agent", "engine"]);
        let time = gate(&found, "time per move", "engine");
        assert_eq!(time["verdict"], "not judged", "{time}");
        for key in ["low", "high", "limit"] {
            assert_eq!(time[key], Value::Null, "{key}: {time}");
        }
        assert!(time["basis"].as_str().expect("text").starts_with(reason), "{time}");
        // The ratio is that of the two figures beside it.
        let ratio = number(time, "candidate") / number(time, "baseline");
        assert!((number(time, "change") / ratio - 1.0).abs() < 1e-12, "{time}");
        for format in ["text", "markdown", "benchmark"] {
            let output = compare(from, to, &["--agent", "engine", "--format", format]);
            let text = stdout(&output);
            assert!(
                text.split_whitespace().collect::<Vec<_>>().join(" ").contains(reason),
                "{text}"
            );
            assert!(!text.contains("Wilcoxon") && !text.contains("geometric"), "{text}");
        }
    }
    // Times alone decide nothing.
    let off = ["strength=off", "work=off", "memory=off"];
    let off: Vec<&str> = off.iter().flat_map(|limit| ["--limit", limit]).collect();
    let output = compare(&base, &other, &off);
    assert_eq!(output.status.code(), Some(4), "{}", stdout(&output));
    assert!(stdout(&output).ends_with("undecided: nothing could be judged\n"));
    // A limit on times never passes in silence.
    for limit in ["time=1.05", "speed=1.05", "engine.time=900", "rival.speed=2"] {
        let output = compare(&base, &other, &["--limit", limit]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{limit}: {said}");
        assert!(said.contains("is not judged") && said.contains("help: `agon gate`"), "{said}");
    }
    let (_, found) = json(&base, &other, &["--limit", "engine.time=off"]);
    assert!(!found.to_string().contains("not judged"), "{found}");
}

#[test]
fn work_in_different_games_has_a_median_and_no_figures_of_another_kind() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = config(AGENTS);
    let base = play(dir.path(), "base", &text, &[]);
    let weak = play(dir.path(), "weak", &text, &["agents.engine.evaluator=zero"]);
    let (_, found) = json(&base, &weak, &UNTIMED);
    let work = gate(&found, "nodes per move", "engine");
    assert!(work["basis"].as_str().expect("text").starts_with("median of"), "{work}");
    assert!(work["change"].is_f64() && work["low"].is_f64(), "{work}");
    assert_eq!((&work["baseline"], &work["candidate"]), (&Value::Null, &Value::Null), "{work}");
}

/// Plays two runs with this config into folders of this name: an engine, and a weaker one.
fn both(dir: &Path, name: &str, text: &str) -> [PathBuf; 2] {
    let weaker = ["agents.engine.evaluator=zero"];
    [play(dir, &format!("{name}-1"), text, &weaker), play(dir, &format!("{name}-2"), text, &[])]
}

#[test]
fn the_kind_of_the_runs_decides_which_interval_holds() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = config(AGENTS);
    let strength = |[base, candidate]: &[PathBuf; 2]| {
        let (_, found) = json(base, candidate, &UNTIMED);
        gate(&found, "strength", "engine").clone()
    };
    let fixed = both(dir.path(), "fixed", &text);
    let of_fixed = strength(&fixed);
    assert_eq!(of_fixed["anytime"], false);
    // The same games, but the run was extended when its results could be seen.
    both(dir.path(), "extended", &text.replace("= 60", "= 20"));
    let extended = both(dir.path(), "extended", &text);
    for runs in [
        extended.clone(),
        [fixed[0].clone(), extended[1].clone()],
        [extended[0].clone(), fixed[1].clone()],
    ] {
        let found = strength(&runs);
        assert_eq!(found["anytime"], true, "{found}");
        assert_eq!(found["change"], of_fixed["change"], "{found}");
        assert!(number(&found, "low") < number(&of_fixed, "low"), "{found} {of_fixed}");
    }
    let shown = stdout(&compare(&extended[0], &extended[1], &UNTIMED));
    assert!(shown.contains("the number of games followed from results"), "{shown}");
    // Formats whose results decide how many games are played.
    for (format, section) in [
        ("best", "[adaptive]\nmax_games = 600\n"),
        ("ranking", "[adaptive]\nmax_games = 600\n"),
        ("match", "[sprt]\nelo0 = 0\nelo1 = 400\n"),
    ] {
        let mut text = config(AGENTS).replace("gauntlet", format);
        match format {
            "match" => {
                text = text.replace("[[agents]]\nname = \"random\"\nkind = \"random\"\n", "")
            }
            _ => text = text.replace("games = 60\n", ""),
        }
        let found = strength(&both(dir.path(), format, &(text + section)));
        assert_eq!(found["anytime"], true, "{format}: {found}");
    }
}

#[test]
fn a_folder_and_its_copy_do_not_differ() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = config(AGENTS);
    let base = play(dir.path(), "base", &text, &["schedule.games=4"]);
    let copy = dir.path().join("copy");
    fs::create_dir(&copy).expect("a folder");
    for entry in fs::read_dir(&base).expect("a folder") {
        let path = entry.expect("an entry").path();
        fs::copy(&path, copy.join(path.file_name().expect("a name"))).expect("copied");
    }
    let again = play(dir.path(), "again", &text, &["schedule.games=4", "seed=3"]);
    for (candidate, said) in [
        (&base, "nothing differs: baseline and candidate are the same folder"),
        (&copy, "nothing differs: all games are the same"),
        (&again, "all games are the same; only times and memory may differ"),
    ] {
        let text = stdout(&compare(&base, candidate, &[]));
        assert!(text.contains(said), "{text}");
    }
}
