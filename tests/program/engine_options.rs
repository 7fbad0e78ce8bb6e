//! The options that reach an engine: which, and in which order.

use std::path::Path;

use crate::support::{agon, stderr, write};

/// An engine of tic-tac-toe that has these options and adds all `setoption` lines to a file. It
/// offers no move, so it loses each of its games.
fn engine(dir: &Path) -> String {
    let heard = dir.join("heard");
    let script = format!(
        "while read -r line; do case $line in ugi) echo 'option name Zeta type spin'; \
         echo 'option name Hash type spin'; echo 'option name Alpha type spin'; \
         echo 'option name Clear Hash type button'; echo 'option name Note type string'; \
         echo 'option name Ponder type check'; echo ugiok;; isready) echo readyok;; \
         setoption*) echo \"$line\" >> {};; go*) echo bestmove none;; quit) exit;; esac; done\n",
        heard.display()
    );
    write(dir, "engine.sh", &script)
}

/// The distinct names and values that the engine heard, in order; the file is removed.
fn heard(dir: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(dir.join("heard")).unwrap_or_default();
    let _ = std::fs::remove_file(dir.join("heard"));
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("setoption name ")) {
        if !lines.iter().any(|known| known == line) {
            lines.push(line.to_owned());
        }
    }
    lines
}

/// A config of this engine against a random agent; `each` and `own` are the options that agents
/// share and those of the engine.
fn config(engine: &str, each: &str, own: &str) -> String {
    format!(
        "name = \"t\"\n[game]\nkind = \"tictactoe\"\n[each]\nenv = {{ Z = \"1\", A = \"2\" }}\n{each}\n\
         [[agents]]\nname = \"one\"\nkind = \"engine\"\nprotocol = \"ugi\"\nnodes = 1\n\
         command = [\"sh\", \"{engine}\"]\nmax_consecutive_forfeits = 0\n{own}\n\
         [[agents]]\nkind = \"random\"\n[schedule]\ngames = 2\nallow_duplicates = true\n\
         [output]\nreport = false\n"
    )
}

#[test]
fn options_reach_an_engine_in_the_order_of_the_config() {
    let dir = tempfile::tempdir().expect("a folder");
    let engine = engine(dir.path());
    let out = dir.path().join("out");
    let out = out.to_str().expect("text");
    let each = "options = { Zeta = 1, Hash = 2 }";
    let own = "options = { Note = \"x\", Alpha = 4, hash = 3 }";
    let path = write(dir.path(), "t.toml", &config(&engine, each, own));
    let set = ["--set", "agents.one.options.Ponder=true", "--set", "agents.one.options.Alpha=5"];
    let run = |more: &[&str]| agon(&[&["run", &path, "--out", out, "-q"], more, &set].concat());
    let all =
        ["Zeta value 1", "Hash value 3", "Note value x", "Alpha value 5", "Ponder value true"];
    run(&[]);
    assert_eq!(heard(dir.path()), all);
    // Longer: the run goes on with the same options.
    let output = run(&["--games", "4"]);
    assert_eq!(heard(dir.path()), all, "{}", stderr(&output));
    let resolved = std::fs::read_to_string(dir.path().join("out/resolved.toml")).expect("a config");
    let line =
        "options = { Zeta = \"1\", hash = \"3\", Note = \"x\", Alpha = \"5\", Ponder = \"true\" }";
    assert!(resolved.contains(line), "{resolved}");
    // The order of the environment means nothing, so it does not change the run.
    assert!(resolved.contains("env = { A = \"2\", Z = \"1\" }"), "{resolved}");
    let resolved = dir.path().join("out/resolved.toml");
    agon(&["run", resolved.to_str().expect("text"), "--out", &format!("{out}2"), "-q"]);
    assert_eq!(heard(dir.path()), all);
    // Another order of options is another run.
    let own = "options = { Alpha = 5, Note = \"x\", hash = 3 }";
    write(dir.path(), "t.toml", &config(&engine, each, own));
    let output = run(&["--games", "4"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("options"), "{}", stderr(&output));
}

#[test]
fn options_of_specs_and_of_all_players_keep_their_order() {
    let dir = tempfile::tempdir().expect("a folder");
    let engine = engine(dir.path());
    let spec = format!(
        "engine:command=\"sh {engine}\",nodes=1,options.Note=x,options.Alpha=4,options.Hash=3,\
         max_consecutive_forfeits=0"
    );
    let out = dir.path().join("out");
    let out = out.to_str().expect("text");
    agon(&[
        "match",
        &spec,
        "random",
        "--game",
        "tictactoe",
        "--each",
        "options.Zeta=1",
        "--each",
        "options.Hash=2",
        "--games",
        "2",
        "--out",
        out,
        "-q",
    ]);
    assert_eq!(
        heard(dir.path()),
        ["Zeta value 1", "Hash value 3", "Note value x", "Alpha value 4"]
    );
}

#[test]
fn an_option_given_twice_is_a_mistake() {
    let dir = tempfile::tempdir().expect("a folder");
    let own = "options = { Hash = 1, hash = 2 }";
    let path = write(dir.path(), "t.toml", &config("engine.sh", "", own));
    let output = agon(&["run", &path, "--out", "nowhere"]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("the option `hash` is given twice"), "{said}");
}

#[test]
fn a_button_is_pressed_by_true_only() {
    let dir = tempfile::tempdir().expect("a folder");
    let engine = engine(dir.path());
    let play = |own: &str| {
        let path = write(dir.path(), "t.toml", &config(&engine, "", own));
        let out = dir.path().join("out");
        agon(&["run", &path, "--out", out.to_str().expect("text"), "-q", "--fresh"])
    };
    play("options = { \"Clear Hash\" = false, Hash = 2 }");
    assert_eq!(heard(dir.path()), ["Hash value 2"]);
    play("options = { \"clear hash\" = true, Hash = 2 }");
    assert_eq!(heard(dir.path()), ["Clear Hash", "Hash value 2"]);
    for value in ["0", "\"\"", "\"now\""] {
        let output = play(&format!("options = {{ \"Clear Hash\" = {value} }}"));
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(said.contains("it is a button: `true` presses it"), "{said}");
        assert!(heard(dir.path()).is_empty());
    }
}
