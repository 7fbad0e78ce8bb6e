//! Engines that end between two games, and engines that are waited for at the same time.

use std::fs;
use std::path::Path;

use crate::engine_bounds::{GO, TICTACTOE, config, engine, gtp, run, uci};
use crate::support::{agon, stdout, write};

/// The `restart` logs of the engine `name` in the results.
fn restarts(dir: &Path, name: &str) -> Vec<String> {
    let begin = format!("engine-{name}-restart-game-");
    let files = fs::read_dir(dir.join(name)).expect("results").map(|file| file.expect("a file"));
    files
        .filter(|file| file.file_name().to_string_lossy().starts_with(&begin))
        .map(|file| fs::read_to_string(file.path()).expect("a log"))
        .collect()
}

/// Guards the game that an engine lost because it had ended after the game before.
#[test]
fn an_engine_that_ends_between_two_games_loses_no_game() {
    let dir = tempfile::tempdir().expect("a folder");
    let third = "n=$((n+1)); [ $n = 3 ] && exit 4";
    let gomocup = "while read -r word rest; do case $word in START) echo OK;; \
                   RESTART) n=$((n+1)); [ $n = 2 ] && exit 3; echo OK;; \
                   BEGIN) echo 7,7;; DONE) echo $((i%15)),$((i/15)); i=$((i+1));; END) exit;; \
                   esac; done";
    let mnk = "kind = \"mnk\"\nm = 15\nn = 15\nk = 5";
    let ended = "echo ready >&2; echo bestmove 8";
    for (name, protocol, script, game) in [
        ("leaves", "uci", uci(&format!("go) {ended}; exit;;")), TICTACTOE),
        ("slowly", "uci", uci(&format!("go) {ended}; sleep 0.1; exit 3;;")), TICTACTOE),
        ("killed", "uci", uci(&format!("go) {ended}; kill -9 $$;;")), TICTACTOE),
        ("child", "uci", uci(&format!("go) {ended}; sleep 600 & exit 3;;")), TICTACTOE),
        ("closes", "uci", uci(&format!("go) {ended}; exec sleep 600 >&-;;")), TICTACTOE),
        ("crash", "uci", uci(&format!("ucinewgame) {third};;")), TICTACTOE),
        ("ugi", "ugi", uci(&format!("ugi) echo ugiok;; go) {ended}; exit 3;;")), TICTACTOE),
        ("gtp", "gtp", gtp(&format!("clear_board) {third};;")), GO),
        ("gomocup", "gomocup", gomocup.to_owned(), mnk),
    ] {
        let agents = engine(dir.path(), name, protocol, &script, "movetime = 20000");
        let (_, said, reasons, _) = run(dir.path(), name, &config(game, &agents, 4, ""));
        assert_eq!(reasons.len(), 4, "{name}: {said}");
        // The random agent may occupy the cell that the simple script of Gomocup names.
        let faults = ["crash", "disconnected", "handshake failure"];
        assert!(!reasons.iter().any(|it| faults.contains(&it.as_str())), "{name}: {reasons:?}");
        let logs = restarts(dir.path(), name);
        assert_eq!(logs.len(), 1, "{name}: {logs:?}");
        let begin = format!("# restart of `{name}` in game ");
        assert!(logs.iter().all(|log| log.starts_with(&begin)), "{name}: {logs:?}");
        assert!(logs.iter().all(|log| log.contains("no game is lost")), "{name}: {logs:?}");
    }
}

/// The engine ends while its opponent thinks about the first move.
#[test]
fn an_engine_that_ends_before_its_first_order_is_started_again() {
    let dir = tempfile::tempdir().expect("a folder");
    let last = "position) case $rest in *' 6') m=8;; *) m=6;; esac;; go) THINK echo bestmove $m;;";
    // Kills itself in the first game only.
    let killed = dir.path().join("killed").display().to_string();
    let kill = format!("[ -e {killed} ] || (: >{killed}; sleep 0.1; kill -9 $$) &");
    let dying = uci(&format!("ucinewgame) {kill} ;; {}", last.replace("THINK", "")));
    let slow = uci(&last.replace("THINK", "sleep 1;"));
    let agents = engine(dir.path(), "dying", "uci", &dying, "nodes = 1")
        + &engine(dir.path(), "slow", "uci", &slow, "nodes = 1");
    let text = config(TICTACTOE, &agents, 2, "format = \"match\"")
        .replace("[[agents]]\nname = \"r\"\nkind = \"random\"\n", "")
        .replace("0 1 2 4 7 5 3 6", "0 1 2 4 7 5 3");
    let (code, said, reasons, _) = run(dir.path(), "dying", &text);
    assert_eq!((code, reasons), (Some(0), vec!["board full".to_owned(); 2]), "{said}");
    assert_eq!(restarts(dir.path(), "dying").len(), 1, "{said}");
}

#[test]
fn an_engine_that_ends_at_each_start_fails_its_handshake() {
    let dir = tempfile::tempdir().expect("a folder");
    let mark = dir.path().join("started");
    let first = format!("[ -e {0} ] && exit 9; : >{0}; ", mark.display());
    let script = first + &uci("go) echo bestmove 8; exit;;");
    let agents = engine(dir.path(), "once", "uci", &script, "nodes = 1");
    let (code, said, reasons, _) = run(dir.path(), "once", &config(TICTACTOE, &agents, 4, ""));
    assert_eq!(code, Some(5), "{said}");
    // In every second game the engine has no move to make.
    assert_eq!(reasons, ["board full", "board full", "handshake failure", "board full"], "{said}");
}

/// An engine that answers `word` only after another engine heard it as often.
fn waits_for(dir: &Path, own: &str, other: &str, word: &str, more: &str) -> String {
    let heard = |name: &str| format!("{}/{name}.$n", dir.display());
    let (own_file, other_file) = (heard(own), heard(other));
    uci(&format!(
        "{word}) n=1; while [ -e {own_file} ]; do n=$((n+1)); done; : >{own_file}; \
         while [ ! -e {other_file} ]; do sleep 0.05; done; echo {word}ok;; {more}"
    ))
}

/// Two engines that hang in one game have one deadline, because both are asked at the same time.
#[test]
fn both_engines_of_a_game_are_waited_for_together() {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, word, restart) in
        [("greeting", "uci", "always"), ("game", "ucinewgame", "auto"), ("ended", "uci", "auto")]
    {
        let own = dir.path().join(format!("{name}.heard"));
        fs::create_dir(&own).expect("a folder");
        let end = if name == "ended" { "go) echo bestmove 8; exit;;" } else { "" };
        let limit = format!("nodes = 1\nstartup_timeout = 20\nrestart = \"{restart}\"");
        let agents = engine(dir.path(), "a", "uci", &waits_for(&own, "a", "b", word, end), &limit)
            + &engine(dir.path(), "b", "uci", &waits_for(&own, "b", "a", word, end), &limit);
        let text = config(TICTACTOE, &agents, 2, "format = \"match\"")
            .replace("[[agents]]\nname = \"r\"\nkind = \"random\"\n", "");
        let (code, said, reasons, _) = run(dir.path(), name, &text);
        assert_eq!((code, reasons), (Some(0), vec!["board full".to_owned(); 2]), "{name}: {said}");
    }
}

/// `check-engine` greets the engines of a config at the same time, as a run does.
#[test]
fn the_engines_of_a_config_are_greeted_together() {
    let dir = tempfile::tempdir().expect("a folder");
    let waits = |own: &str, other: &str| {
        let [own_file, other_file] = [own, other].map(|name| dir.path().join(name));
        let (own_file, other_file) = (own_file.display(), other_file.display());
        let script = uci(&format!(
            "uci) : >{own_file}; while [ ! -e {other_file} ]; do sleep 0.05; done; echo uciok;;"
        ));
        engine(dir.path(), own, "uci", &script, "nodes = 1")
    };
    let agents = waits("a", "b") + &waits("b", "a");
    let path = write(dir.path(), "two.toml", &config(TICTACTOE, &agents, 2, ""));
    let said = stdout(&agon(&["check-engine", "--config", &path, "--format", "json"]));
    let document: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    for engine in document.as_array().expect("engines") {
        assert_eq!(engine["steps"][0]["step"], "greeting", "{said}");
        assert_eq!(engine["steps"][0]["verdict"], "pass", "{said}");
    }
}
