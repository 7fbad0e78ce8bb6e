//! Tests of `agon init`, `agon example`, and of opponents by level.

use std::path::Path;
use std::process::{Command, Output};

use crate::support::{agon, played, stderr, stdout};

fn within(folder: &Path, arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_agon");
    Command::new(program).args(arguments).current_dir(folder).output().expect("the program runs")
}

#[test]
fn every_template_can_be_played_and_is_never_overwritten() {
    let dir = tempfile::tempdir().expect("a folder");
    for kind in ["connect4", "class", "chess", "sprt", "sweep", "tune"] {
        let command = if kind == "tune" { "tune" } else { "run" };
        let output = within(dir.path(), &["init", kind]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let file = format!("{kind}.toml");
        assert!(
            stdout(&output).contains(&format!("`agon {command} {file}`")),
            "{}",
            stdout(&output)
        );
        let output = within(dir.path(), &[command, &file, "--dry-run"]);
        assert_eq!(output.status.code(), Some(0), "{kind}: {}", stderr(&output));
        std::fs::write(dir.path().join(&file), "mine").expect("written");
        let output = within(dir.path(), &["init", kind]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("exists already and is kept"), "{}", stderr(&output));
        assert_eq!(std::fs::read_to_string(dir.path().join(&file)).expect("kept"), "mine");
    }
    let output = within(dir.path(), &["init"]);
    assert!(stderr(&output).contains("connect4.toml exists"), "{}", stderr(&output));
    let output = within(dir.path(), &["init", "sprt", "-"]);
    assert!(stdout(&output).contains("[sprt]"), "{}", stdout(&output));
    let output = within(dir.path(), &["init", "chess", "no/such/c.toml"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_game_of_your_own_begins_with_files_that_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("nim.py"), "mine").expect("written");
    let said = stdout(&within(dir.path(), &["init", "game"]));
    assert!(said.contains("nim.py is kept") && said.contains("first.py is written"), "{said}");
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).expect("a file");
    assert_eq!(read("nim.py"), "mine");
    for name in ["agon_game.py", "agon_engine.py", "first.py"] {
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
        assert_eq!(read(name), std::fs::read_to_string(example).expect("an example"));
    }
    let data = dir.path().join("first.py").metadata().expect("a file");
    assert_eq!(data.permissions().mode() & 0o111, 0o111);
}

#[test]
fn an_installed_program_has_its_examples() {
    let dir = tempfile::tempdir().expect("a folder");
    let list = stdout(&within(dir.path(), &["example"]));
    assert!(list.contains("c4_depth") && list.contains("ttt_perfect"), "{list}");
    assert!(!list.contains("layouts"), "{list}");
    let printed = stdout(&within(dir.path(), &["example", "pig", "--print"]));
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/pig.toml");
    assert_eq!(printed, std::fs::read_to_string(config).expect("the config"));
    for name in ["trees", "pacman_trapped", "smoke"] {
        let output = within(dir.path(), &["example", name, "--dry-run"]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
    }
    let output = within(dir.path(), &["example", "ttt_perfect", "--games", "2", "-q"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(dir.path().join("results/ttt_perfect/report.html").exists());
    let output = within(dir.path(), &["example", "--save", "mine"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let output = within(dir.path(), &["solve", "--game", "tree:file=mine/trees/minimax.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for (arguments, message) in [
        (&["example", "c4_dept"][..], "did you mean `c4_depth`?"),
        (&["example", "zzzzzz"], "`agon example` lists"),
        (&["example", "--save", "mine"], "exists already and is kept"),
        (&["example", "--print"], "required"),
    ] {
        let output = within(dir.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn the_opponent_has_a_level_and_the_last_move_a_mark() {
    let game = ["connect4", "--side", "first", "--seed", "1", "--level"];
    for (level, agent) in
        [("1", "random"), ("2", "noisy"), ("5", "alphabeta (depth 3, ties random)")]
    {
        let text = stdout(&played(&[&game[..], &[level]].concat(), "4\nquit\n"));
        assert!(text.contains(agent), "{text}");
        assert_eq!(text.matches("(o)").count(), 1, "{text}");
    }
    // Equal moves are random, so that games differ.
    let reply = |seed: &str| -> String {
        let game = ["connect4", "--side", "first", "--level", "3", "--seed", seed];
        let text = stdout(&played(&game, "4\nquit\n"));
        let reply = text.lines().find(|line| line.starts_with("second plays")).expect("a move");
        reply.split_whitespace().nth(2).expect("a column").to_owned()
    };
    let replies: std::collections::BTreeSet<String> =
        ["1", "2", "3", "4", "5", "6", "7", "8"].map(reply).into();
    assert!(replies.len() > 1, "{replies:?}");
    let text = stdout(&played(&["pig", "--side", "first", "--level", "4"], "quit\n"));
    assert!(text.contains("expectimax (depth 2, ties random)"), "{text}");
    for (arguments, message) in [
        (&["connect4", "--level", "11"][..], "1..=10"),
        (&["connect4", "--level", "3", "--agent", "random"], "cannot be used with"),
        (&["connect4", "--game", "connect4"], "cannot be used with"),
        (&[], "<GAME>"),
        (&["conect4"], "did you mean `connect4`?"),
    ] {
        let output = played(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
    // Both people see the move of the other.
    let text = stdout(&played(&["tictactoe", "--agent", "human"], "4\n0\n"));
    assert!(text.contains("(x)") && text.contains("(o)"), "{text}");
    assert_eq!(agon(&["play", "--help"]).status.code(), Some(0));
}

/// The workflow that docs/ci.md shows.
fn workflow_of_the_page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ci.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let block = page.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next());
    block.expect("a workflow").to_owned()
}

const GATE: &str = "[game]\nkind = \"connect4\"\n[[agents]]\nname = \"a\"\nkind = \"random\"\n\
    [[agents]]\nname = \"b\"\nkind = \"random\"\n[schedule]\ngames = 2\n";

#[test]
fn workflows_are_never_overwritten_and_the_page_shows_one() {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("gate.toml"), GATE).expect("written");
    let engine = ["init", "ci", "--engine", "./engine", "--build", "make"];
    let agent = ["init", "ci", "--config", "gate.toml"];
    let file = dir.path().join(".github/workflows/gate.yml");
    let kinds = [(&engine[..], "in place of OWNER"), (&agent[..], "in a copy of agon")];
    for (words, left) in kinds {
        let output = within(dir.path(), words);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stdout(&output).contains(left), "{}", stdout(&output));
        let written = std::fs::read_to_string(&file).expect("written");
        if words == engine {
            assert_eq!(written, workflow_of_the_page(), "docs/ci.md shows what is written");
        }
        assert!(written.lines().count() <= 25, "{written}");
        let printed = within(dir.path(), &[words, &["-"]].concat());
        assert_eq!(stdout(&printed), written);
        std::fs::write(&file, "mine").expect("written");
        let again = within(dir.path(), words);
        assert_eq!(again.status.code(), Some(2));
        let said = stderr(&again);
        assert!(said.contains("gate.yml exists already and is kept"), "{said}");
        assert_eq!(std::fs::read_to_string(&file).expect("kept"), "mine");
        std::fs::remove_file(&file).expect("removed");
    }
}

#[test]
fn words_of_a_workflow_stay_one_value() {
    let dir = tempfile::tempdir().expect("a folder");
    let line = |key: &str, words: &[&str]| {
        let output = within(dir.path(), &[&["init", "ci", "-"], words].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let text = stdout(&output);
        let found = text.lines().find_map(|line| line.trim().strip_prefix(&format!("{key}: ")));
        found.map(str::to_owned)
    };
    let build = |command| line("build", &["--engine", "bin/engine", "--build", command]);
    assert_eq!(build("make -j2 ARCH=native").as_deref(), Some("make -j2 ARCH=native"));
    for command in ["make # all", "./configure && make", "a: b", "\"x\"", "a\nb: c", " make "] {
        let json = serde_json::to_string(command).expect("JSON");
        assert_eq!(build(command).as_deref(), Some(&*json));
    }
    assert_eq!(line("program", &["--engine", "./engine --uci"]).as_deref(), Some("engine --uci"));
    assert_eq!(line("build", &["--engine", "./engine"]), None);
}

#[test]
fn a_workflow_for_nothing_is_one_error() {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("gate.toml"), GATE).expect("written");
    std::fs::write(dir.path().join("sprt.toml"), format!("{GATE}[sprt]\nelo0 = 0\nelo1 = 5\n"))
        .expect("written");
    let cases: [(&[&str], &str); 9] = [
        (&["ci"], "`agon init ci` needs an engine or a config"),
        (&["ci", "--build", "make"], "--engine <PROGRAM>"),
        (&["ci", "--engine", "/usr/bin/engine"], "is not a path in the repository"),
        (&["ci", "--engine", "../engine"], "is not a path in the repository"),
        (&["ci", "--engine", "./"], "is not a path in the repository"),
        (&["ci", "--config", "no.toml"], "no.toml"),
        (&["ci", "--config", "sprt.toml"], "follow from results"),
        (&["chess", "--engine", "./engine"], "options of `agon init ci` only"),
        (&["--config", "gate.toml"], "options of `agon init ci` only"),
    ];
    for (words, said) in cases {
        let output = within(dir.path(), &[&["init"], words].concat());
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", stdout(&output));
        assert!(stderr(&output).contains(said), "{words:?}: {}", stderr(&output));
        assert_eq!(stderr(&output).matches("error:").count(), 1, "{}", stderr(&output));
    }
    assert!(!dir.path().join(".github").exists(), "nothing is written");
}
