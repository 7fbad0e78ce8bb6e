//! Tests of engines that use the Go Text Protocol.

use std::path::Path;

use crate::support::{agon, rows, stderr, write};

const AGON: &str = env!("CARGO_BIN_EXE_agon");

fn config(agents: &str, game: &str) -> String {
    format!(
        "seed = 5\n[game]\n{game}\n{agents}\n[openings]\nkind = \"random\"\nplies = 3\n[schedule]\ngames = 6\n[limits]\nmax_plies = 60\n"
    )
}

fn run(dir: &Path, name: &str, config: &str) -> (Option<i32>, String, std::path::PathBuf) {
    let path = write(dir, &format!("{name}.toml"), config);
    let out = dir.join(name);
    let output = agon(&["--config", &path, "--out", out.to_str().expect("text")]);
    (output.status.code(), stderr(&output), out)
}

/// The text of the summary without its line breaks.
fn summary(out: &Path) -> String {
    let text = std::fs::read_to_string(out.join("summary.txt")).expect("summary.txt");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn served(name: &str, game: &str, agent: &str, limit: &str) -> String {
    format!(
        "[[agents]]\nname = \"{name}\"\nkind = \"engine\"\nprotocol = \"gtp\"\n\
         command = [\"{AGON}\", \"serve\", \"--protocol\", \"gtp\", \"--game\", \"{game}\", \"--agent\", \"{agent}\"]\n{limit}\n"
    )
}

/// A shell script as engine; `genmove` is its answer to that command.
fn scripted(dir: &Path, name: &str, genmove: &str, more: &str) -> String {
    let script = format!(
        "while read -r id word rest; do case $word in \
         protocol_version) text=2;; \
         list_commands) text='boardsize\nclear_board\nplay\ngenmove';; \
         genmove) {genmove};; {more} *) text='';; esac; \
         printf '%s%s %s\n\n' \"${{sign:-=}}\" \"$id\" \"$text\"; sign='='; done"
    );
    let path = write(dir, &format!("{name}.sh"), &script);
    format!(
        "[[agents]]\nname = \"{name}\"\nkind = \"engine\"\nprotocol = \"gtp\"\ncommand = [\"sh\", \"{path}\"]\nmovetime = 5000\n"
    )
}

const RANDOM: &str = "[[agents]]\nname = \"r\"\nkind = \"random\"\n";

#[test]
fn served_agents_play_as_they_would_inside_of_agon() {
    let mut all = 0;
    for (kind, board) in [("go", "kind = \"go\"\nsize = 5"), ("othello", "kind = \"othello\"")] {
        let dir = tempfile::tempdir().expect("a folder");
        let inside = "[[agents]]\nname = \"a\"\nkind = \"minimax\"\ndepth = 2\n\
                      [[agents]]\nname = \"b\"\nkind = \"minimax\"\ndepth = 1\nevaluator = \"linear\"\n";
        let inside = config(inside, board);
        let outside = served("a", kind, "minimax:depth=2", "movetime = 9000")
            + &served("b", kind, "minimax:depth=1,evaluator=linear", "clock = \"60+1\"");
        let outside = config(&outside, board);
        let mut told = String::new();
        let moves = [("in", &inside), ("out", &outside)].map(|(name, config)| {
            let (code, error, out) = run(dir.path(), name, config);
            assert_eq!(code, Some(0), "{error}");
            told = summary(&out);
            let table = rows(&out.join("games.csv"));
            let kept = ["opening_moves", "moves", "result", "reason"];
            let line =
                |row: &std::collections::BTreeMap<String, String>| kept.map(|key| row[key].clone());
            table.iter().map(line).collect::<Vec<_>>()
        });
        assert_eq!(moves[0].len(), 6);
        assert_eq!(moves[0], moves[1], "{kind}");
        let ended = moves[0].iter().filter(|row| row[3] != "max plies").count();
        let s = if ended == 1 { "" } else { "s" };
        let counted = format!("`a` gave a final score in {ended} game{s}; 0 differ from the");
        assert_eq!(ended > 0, told.contains(&counted), "{told}");
        all += ended;
    }
    assert!(all > 0, "no game had a final score");
}

#[test]
fn resigning_is_no_fault_and_other_words_cost_the_game() {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, answer, reason) in [
        ("resign", "text=resign", "resignation"),
        ("outside", "text=Z9", "illegal move"),
        ("refuses", "sign='?'; text='no idea'", "illegal move"),
        ("exit", "exit 4", "crash"),
    ] {
        let agents = scripted(dir.path(), name, answer, "") + RANDOM;
        let (_, error, out) = run(dir.path(), name, &config(&agents, "kind = \"go\"\nsize = 5"));
        let table = rows(&out.join("games.csv"));
        let lost: Vec<_> = table.iter().map(|row| row["reason"].as_str()).collect();
        assert!(!lost.is_empty() && lost.iter().all(|found| *found == reason), "{lost:?} {error}");
    }
}

#[test]
fn final_scores_that_differ_are_counted() {
    let dir = tempfile::tempdir().expect("a folder");
    let score = "final_score) text='B+99';;";
    let passes = |name| scripted(dir.path(), name, "text=pass", score);
    let agents = passes("one") + &passes("two");
    let config = config(&agents, "kind = \"go\"\nsize = 5");
    let told = "`one` gave a final score in 6 games; 6 differ from the result, such as `B+99`";
    // The counts of two games are part of those of six.
    for games in ["games = 2", "games = 6"] {
        let config = config.replace("games = 6", games);
        let (code, error, out) = run(dir.path(), "scores", &config);
        assert_eq!(code, Some(0), "{error}");
        assert_eq!(summary(&out).contains(told), games == "games = 6", "{}", summary(&out));
    }
}

#[test]
fn what_an_engine_does_not_play_is_refused_before_the_first_game() {
    let dir = tempfile::tempdir().expect("a folder");
    let size = scripted(dir.path(), "size", "text=pass", "boardsize) sign='?'; text='too large';;");
    let option = scripted(dir.path(), "option", "text=pass", "level) sign='?'; text='what?';;")
        + "options = { level = \"9\" }\n";
    let nodes = served("n", "go", "random", "nodes = 5");
    let five = "kind = \"go\"\nsize = 5";
    for (name, agents, game, said) in [
        ("size", &size, five, "it answers `boardsize 5` with `? too large`"),
        ("option", &option, five, "it answers `level 9` with `? what?`"),
        ("nodes", &nodes, five, "the Go Text Protocol knows no limit on `nodes`"),
        ("chess", &size, "kind = \"chess\"", "the Go Text Protocol is for `go` and `othello`"),
    ] {
        let (code, error, _) = run(dir.path(), name, &config(&(agents.clone() + RANDOM), game));
        assert_eq!(code, Some(2), "{name}: {error}");
        assert!(error.contains(said), "{name}: {error}");
    }
    let output = agon(&["serve", "--protocol", "gtp", "--game", "chess", "--agent", "random"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`--protocol gtp` supports only `go` and `othello`"));
}

#[test]
fn a_served_agent_passes_the_check_of_engines() {
    let serve = ["serve", "--protocol", "gtp", "--game", "go", "--agent", "mcts:simulations=50"];
    let check = ["check-engine", "--protocol", "gtp", "--game", "go:size=5", "--", AGON];
    let output = agon(&[&check[..], &serve[..]].concat());
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{table}");
    assert!(table.contains("legal moves"), "{table}");
}
