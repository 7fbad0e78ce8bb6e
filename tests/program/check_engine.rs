//! Tests of `agon check-engine`: verdicts about engines that are known to be good or bad.

use std::collections::BTreeMap;
use std::process::Output;

use crate::engines::ROGUE;
use crate::support::{agon, stderr, stdout};

const AGON: &str = env!("CARGO_BIN_EXE_agon");

fn check(game: &str, command: &[&str]) -> Output {
    let mut arguments = vec!["check-engine", "--format", "json", "--game", game, "--"];
    arguments.extend(command);
    agon(&arguments)
}

/// The verdicts by step; `None` if the protocol does not support the step.
fn verdicts(output: &Output) -> BTreeMap<String, Option<String>> {
    let document: serde_json::Value = serde_json::from_str(&stdout(output)).expect("JSON");
    let steps = document["steps"].as_array().expect("steps");
    let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    steps
        .iter()
        .map(|step| (text(&step["step"]).expect("a name"), text(&step["verdict"])))
        .collect()
}

/// Steps that do not depend on the load of the machine.
const STEADY: [&str; 8] = [
    "greeting",
    "options",
    "legal moves",
    "nodes",
    "depth",
    "same move twice",
    "quit",
    "end of input",
];

#[test]
fn served_agents_keep_what_they_are_told() {
    for (game, agent, query) in [
        ("chess", "alphabeta:depth=2", None),
        ("einstein", "expectimax:depth=2", Some("pass")),
        ("connect4", "mcts:simulations=10", Some("pass")),
    ] {
        let output = check(game, &[AGON, "serve", "--game", "tictactoe", "--agent", "random"]);
        let own = check(game, &[AGON, "serve", "--game", game, "--agent", agent]);
        let found = verdicts(&own);
        for step in STEADY {
            // The search of `mcts` has no depth, so the step does not apply.
            let wanted =
                if step == "depth" && agent.starts_with("mcts") { None } else { Some("pass") };
            if let Some(wanted) = wanted {
                assert_eq!(found[step].as_deref(), Some(wanted), "{step}: {}", stdout(&own));
            }
        }
        assert_eq!(found["query"].as_deref(), query, "{}", stdout(&own));
        // The options tell the engine which game it plays; UCI only knows chess.
        let reported = verdicts(&output);
        let wanted = if game == "chess" { "fail" } else { "pass" };
        assert_eq!(reported["legal moves"].as_deref(), Some(wanted), "{}", stdout(&output));
        assert_eq!(output.status.code(), Some(if game == "chess" { 7 } else { 0 }));
    }
}

#[test]
fn rogues_are_found_out() {
    let no_move = [("legal moves", "fail")];
    for (kind, steps) in [
        (
            "instant",
            &[("legal moves", "pass"), ("nodes", "fail"), ("depth", "fail"), ("stop", "warn")][..],
        ),
        ("illegal", &no_move),
        ("none", &no_move),
        ("exit", &no_move),
        ("close-stdout", &no_move),
    ] {
        let output = check("connect4", &[&ROGUE.path(), kind]);
        let found = verdicts(&output);
        for (step, verdict) in steps {
            assert_eq!(found[*step].as_deref(), Some(*verdict), "{kind}: {}", stdout(&output));
        }
        assert_eq!(output.status.code(), Some(7), "{kind}: {}", stdout(&output));
    }
}

#[test]
fn all_engines_of_a_config_are_checked_and_their_errors_shown() {
    let dir = tempfile::tempdir().expect("a folder");
    let engine = |name: &str, command: &str| {
        format!(
            "[[agents]]\nname = \"{name}\"\nkind = \"engine\"\nprotocol = \"ugi\"\n\
             command = {command}\nnodes = 1\n"
        )
    };
    let script = "echo Traceback: >&2; echo ImportError: chess >&2; exit 1";
    let chatty = "while read -r w r; do case $w in ugi) echo ugiok;; isready) echo readyok;; \
                  go) echo move: 3; exit;; esac; done";
    let config = engine("broken", &format!("[\"sh\", \"-c\", \"{script}\"]"))
        + &engine("missing", "\"stokfish-missing\"")
        + &engine("chatty", &format!("[\"sh\", \"-c\", \"{chatty}\"]"))
        + "[game]\nkind = \"connect4\"\n[[agents]]\nkind = \"random\"\n";
    let path = crate::support::write(dir.path(), "c.toml", &config);
    let output = agon(&["check-engine", "--config", &path]);
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(7), "{said}");
    for part in ["broken\n", "exit status 1", "ends with:\n  Traceback:\n  ImportError: chess\n"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(said.contains("missing\n") && said.contains("there is no program"), "{said}");
    assert!(said.contains("its last line was `move: 3`"), "{said}");
    assert!(said.contains(" engines failed: ") && said.contains("broken (greeting)"), "{said}");
    // An engine that passes takes one line, and only the limits of the config are tested.
    let good = format!("\"{AGON} serve --game connect4 --agent random --protocol ugi\"");
    let config = (engine("good", &good)
        + "[game]\nkind = \"connect4\"\n[[agents]]\nkind = \"random\"\n")
        .replace("nodes = 1", "movetime = 30");
    let good = crate::support::write(dir.path(), "good.toml", &config);
    let said = stdout(&agon(&["check-engine", "--config", &good]));
    assert!(said.starts_with("good: ok") && said.lines().count() == 1, "{said}");
    let said = stdout(&agon(&["check-engine", "--config", &good, "-v"]));
    assert!(said.contains("30 ms requested") && !said.contains("on the clock"), "{said}");
    let output = agon(&["check-engine", "--config", &path, "--game", "chess"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn tables_are_for_people_too() {
    let arguments = [
        "check-engine",
        "--game",
        "tictactoe",
        "--format",
        "markdown",
        "--",
        &ROGUE.path(),
        "instant",
    ];
    let text = stdout(&agon(&arguments));
    assert!(text.contains("| greeting "), "{text}");
    assert!(text.contains("| verdict "), "{text}");
}

#[test]
fn what_cannot_be_checked_is_a_mistake() {
    for (arguments, about) in [
        (&["--game", "chess", "--", "stokfish-that-is-nowhere"][..], "there is no program"),
        (&["--game", "ches", "--", "true"], "did you mean `chess`?"),
        (
            &["--game", "chess", "--", "no-such-engine --hash 5"],
            "there is no program `no-such-engine`",
        ),
        (&["--game", "chess", "--option", "Hash", "--", "true"], "--option NAME=VALUE"),
        (&["--game", "chess"], "required"),
        (&["games.toml"], "`agon check-engine --config games.toml`"),
    ] {
        let output = agon(&[&["check-engine"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(about), "{}", stderr(&output));
    }
    // A program that ends at once is a failure, not a wrong command.
    let output = check("chess", &["true"]);
    assert_eq!(output.status.code(), Some(7), "{}", stdout(&output));
    assert_eq!(verdicts(&output)["greeting"].as_deref(), Some("fail"));
}

#[test]
fn an_engine_is_named_as_in_a_match() {
    let own = format!("{AGON} serve --game chess --agent random");
    // Chess by default, and the command in one word or after `--`.
    for words in [
        &[&own[..], "--format", "json"][..],
        &["--format", "json", "--", AGON, "serve", "--game", "chess", "--agent", "random"],
    ] {
        let output = agon(&[&["check-engine"], words].concat());
        assert_eq!(verdicts(&output)["legal moves"].as_deref(), Some("pass"), "{words:?}");
        let document: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        assert_eq!(document["game"], "chess");
    }
}

#[test]
fn the_last_line_says_what_a_failure_means_for_games() {
    let rogue = format!("{ROGUE} instant");
    let text = stdout(&agon(&["check-engine", &rogue, "--game", "connect4"]));
    let last: Vec<&str> = text.trim_end().lines().rev().take(2).collect();
    let (nodes, depth) = (last[1], last[0]);
    assert_eq!(nodes, "nodes: do not limit this engine by `nodes`; use `movetime` or `clock`");
    assert_eq!(depth, "depth: do not limit this engine by `depth`; use `movetime` or `clock`");
    let text = stdout(&agon(&["check-engine", "true"]));
    let last = text.trim_end().lines().last();
    let meaning = "greeting: the engine cannot play; a run with it does not start";
    assert_eq!(last, Some(meaning), "{text}");
}
