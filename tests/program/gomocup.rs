//! Tests of engines that use the Gomocup protocol.

use std::path::Path;

use crate::support::{agon, rows, stderr, write};

const AGON: &str = env!("CARGO_BIN_EXE_agon");

fn config(agents: &str, game: &str) -> String {
    format!(
        "seed = 5\n[game]\n{game}\n{agents}\n[openings]\nkind = \"random\"\nplies = 3\n[schedule]\ngames = 6\n[limits]\nmax_plies = 40\n"
    )
}

fn run(dir: &Path, name: &str, config: &str) -> (Option<i32>, String, std::path::PathBuf) {
    let path = write(dir, &format!("{name}.toml"), config);
    let out = dir.join(name);
    let output = agon(&["--config", &path, "--out", out.to_str().expect("text"), "-q"]);
    (output.status.code(), stderr(&output), out)
}

fn brain(name: &str, agent: &str, more: &str) -> String {
    format!(
        "[[agents]]\nname = \"{name}\"\nkind = \"engine\"\nprotocol = \"gomocup\"\n\
         command = [\"{AGON}\", \"serve\", \"--protocol\", \"gomocup\", \"--game\", \"mnk\", \"--agent\", \"{agent}\"]\n{more}\n"
    )
}

const SQUARE: &str = "kind = \"mnk\"\nm = 9\nn = 9\nk = 5";

/// The size that each engine of Gomocup must support.
const TWENTY: &str = "kind = \"mnk\"\nm = 20\nn = 20\nk = 5";

#[test]
fn brains_play_as_they_would_inside_of_agon() {
    for board in [SQUARE, TWENTY] {
        brains_play_as_inside(board);
    }
}

fn brains_play_as_inside(board: &str) {
    let dir = tempfile::tempdir().expect("a folder");
    let inside = "[[agents]]\nname = \"a\"\nkind = \"minimax\"\ndepth = 1\n\
                  [[agents]]\nname = \"b\"\nkind = \"minimax\"\ndepth = 1\nevaluator = \"zero\"\n";
    let inside = config(inside, board);
    // These agents have no time limit and keep their depth.
    let outside = brain("a", "minimax:depth=1", "movetime = 9000")
        + &brain("b", "minimax:depth=1,evaluator=zero", "clock = \"60+1\"");
    let outside = config(&outside, board);
    let moves = [("in", &inside), ("out", &outside)].map(|(name, config)| {
        let (code, error, out) = run(dir.path(), name, config);
        assert_eq!(code, Some(0), "{error}");
        let table = rows(&out.join("games.csv"));
        let kept = ["opening_moves", "moves", "result", "reason"];
        let line =
            |row: &std::collections::BTreeMap<String, String>| kept.map(|key| row[key].clone());
        table.iter().map(line).collect::<Vec<_>>()
    });
    assert_eq!(moves[0].len(), 6);
    assert_eq!(moves[0], moves[1]);
}

#[test]
fn messages_are_passed_over_and_errors_cost_the_game() {
    let dir = tempfile::tempdir().expect("a folder");
    // All answers that the protocol allows: upper or lower case, with messages in between.
    let script = |answer: &str| {
        format!(
            "while read -r word rest; do case $word in \
             START|RESTART) echo 'MESSAGE hello'; echo ''; echo 'OK - ready';; \
             DONE|BEGIN) echo 'DEBUG 1,1'; {answer};; END) exit;; esac; done"
        )
    };
    let shell = |name: &str, answer: &str| {
        let path = write(dir.path(), &format!("{name}.sh"), &script(answer));
        format!(
            "[[agents]]\nname = \"{name}\"\nkind = \"engine\"\nprotocol = \"gomocup\"\ncommand = [\"sh\", \"{path}\"]\nmovetime = 5000\n"
        )
    };
    let random = "[[agents]]\nname = \"r\"\nkind = \"random\"\n";
    for (name, answer, reason) in [
        ("error", "echo 'ERROR no idea'", "illegal move"),
        ("outside", "echo '9,0'", "illegal move"),
        ("chatter", "echo 'I play 3,3'", "illegal move"),
        ("twice", "echo '-1,4'; echo '0,0 '", "illegal move"),
        ("exit", "exit 4", "crash"),
    ] {
        let text = config(&(shell(name, answer) + random), SQUARE);
        let (_, error, out) = run(dir.path(), name, &text);
        let table = rows(&out.join("games.csv"));
        let reasons: Vec<&str> = table.iter().map(|row| row["reason"].as_str()).collect();
        let fault = reasons.iter().filter(|word| **word == reason).count();
        assert!(fault >= 3, "{name}: {reasons:?} {error}");
    }
}

/// Regression: a second answer came when the next move was due, and named an occupied cell.
#[test]
fn a_move_that_is_said_twice_counts_once() {
    let dir = tempfile::tempdir().expect("a folder");
    // Five in the last row; the other side fills the first row, and the first player wins.
    let script = |next: &str| {
        format!(
            "while read -r word rest; do case $word in START|RESTART) n=0; echo OK;; \
             DONE|BEGIN) echo $n,8; sleep 0.02; echo $n,8; {next};; END) exit;; esac; done"
        )
    };
    for (name, next, reason) in
        [("counts", "n=$((n+1))", "line"), ("stubborn", "n=0", "illegal move")]
    {
        let path = write(dir.path(), &format!("{name}.sh"), &script(next));
        let agents = format!(
            "[[agents]]\nname = \"e\"\nkind = \"engine\"\nprotocol = \"gomocup\"\n\
             command = [\"sh\", \"{path}\"]\nmovetime = 900\n\
             [[agents]]\nname = \"m\"\nkind = \"minimax\"\ndepth = 1\nevaluator = \"zero\"\n"
        );
        let text = format!(
            "[game]\n{SQUARE}\n{agents}[openings]\nkind = \"start\"\n[schedule]\ngames = 2\n"
        );
        let (_, error, out) = run(dir.path(), name, &text);
        for row in rows(&out.join("games.csv")) {
            assert_eq!(row["reason"], reason, "{name}: {error}");
            let loser = if row["first"] == "e" { "second" } else { "first" };
            assert!(reason == "line" || row["result"] == loser, "{name}: {row:?}");
        }
    }
}

#[test]
fn games_and_limits_that_the_protocol_does_not_know_are_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let random = "[[agents]]\nname = \"r\"\nkind = \"random\"\n";
    for (name, game, limit, about) in [
        ("oblong", "kind = \"mnk\"\nm = 9\nn = 8\nk = 5", "movetime = 50", "square board"),
        ("four", "kind = \"mnk\"\nm = 9\nn = 9\nk = 4", "movetime = 50", "five in a row"),
        ("other", "kind = \"connect4\"", "movetime = 50", "five in a row"),
        ("nodes", SQUARE, "nodes = 50", "no limit on `nodes`"),
    ] {
        let text = config(&(brain("b", "random", limit) + random), game);
        let (code, error, _) = run(dir.path(), name, &text);
        assert_eq!(code, Some(2), "{name}: {error}");
        assert!(error.contains(about), "{name}: {error}");
    }
}
