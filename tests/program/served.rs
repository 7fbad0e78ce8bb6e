//! Tests that served agents play the same games as agents inside agon.

use std::path::Path;

use crate::support::{agon, rows_without_times, stderr, write};

/// An agent: its `SPEC` and its limit.
type Agent = (&'static str, &'static str);

/// The agent inside agon, with the limit in its own settings.
fn inside(name: &str, (spec, limit): Agent) -> String {
    let (kind, params) = spec.split_once(':').unwrap_or((spec, ""));
    let params: String = params.split(';').map(|param| format!("{param}\n")).collect();
    let limit = if matches!(kind, "random" | "noisy") { "" } else { limit };
    format!("[[agents]]\nname = \"{name}\"\nkind = \"{kind}\"\n{params}{limit}\n")
}

/// The same agent as an engine. If the protocol can send a limit, its own limit is different from
/// the one sent.
fn served(name: &str, game: &str, (spec, limit): Agent) -> String {
    let (kind, params) = spec.split_once(':').unwrap_or((spec, ""));
    let mut settings: Vec<&str> = params.split(';').filter(|param| !param.is_empty()).collect();
    let keys = match kind {
        "random" => "depth = 1",
        "noisy" => limit,
        "mcts" if limit.starts_with("simulations") => {
            settings.push(limit);
            "depth = 1"
        }
        "mcts" => {
            settings.push("simulations=3");
            limit
        }
        _ => {
            settings.push("depth=1");
            limit
        }
    };
    let plain = |text: &str| {
        let text = text.replace("{ kind = \"minimax\", depth = 2 }", "(minimax:depth=2)");
        text.replace([' ', '"'], "")
    };
    let spec = match settings.is_empty() {
        true => kind.to_owned(),
        false => format!("{kind}:{}", plain(&settings.join(","))),
    };
    let agon = env!("CARGO_BIN_EXE_agon");
    let words = format!("[\"{agon}\", \"serve\", \"--game\", \"{game}\", \"--agent\", \"{spec}\"]");
    let protocol = if ["chess", "breakthrough"].contains(&game) { "uci" } else { "ugi" };
    format!(
        "[[agents]]\nname = \"{name}\"\nkind = \"engine\"\ncommand = {words}\n\
         protocol = \"{protocol}\"\n{keys}\n"
    )
}

/// The games of two agents against each other and against themselves.
fn play(folder: &Path, head: &str, agents: [String; 2]) -> [String; 2] {
    let config = format!(
        "seed = 11\n{head}\n{}\n{}\n[schedule]\ninclude_self = true\ngames = 4\nallow_duplicates = true\n\
         [limits]\nmax_plies = 40\n[output]\nmoves = true\n",
        agents[0], agents[1]
    );
    std::fs::create_dir_all(folder).expect("a folder");
    let config = write(folder, "c.toml", &config);
    let out = folder.join("out");
    let output = agon(&["--config", &config, "--out", out.to_str().expect("text"), "-q"]);
    assert_eq!(output.status.code(), Some(0), "{}\n{}", stderr(&output), config);
    let [games, moves] = ["games.csv", "moves.csv"].map(|file| rows_without_times(&out.join(file)));
    // The protocol does not support cut-off counts.
    assert!(moves.starts_with("game,") && moves.contains(",cutoffs,first_cutoffs\n"));
    let without_checksum =
        |line: &str| line.rsplitn(3, ',').nth(2).unwrap_or_default().to_owned() + "\n";
    [games, moves.lines().map(without_checksum).collect()]
}

fn compare(game: &str, head: &str, agents: [Agent; 2]) {
    let dir = tempfile::tempdir().expect("a folder");
    let at_home = ["a", "b"].map(|name| inside(name, agents[usize::from(name == "b")]));
    let abroad = ["a", "b"].map(|name| served(name, game, agents[usize::from(name == "b")]));
    let at_home = play(&dir.path().join("in"), head, at_home);
    let abroad = play(&dir.path().join("out"), head, abroad);
    for (one, other) in at_home.iter().zip(&abroad) {
        assert!(one.lines().count() > 12);
        for (one, other) in one.lines().zip(other.lines()) {
            assert_eq!(one, other, "{game}");
        }
        assert_eq!(one.lines().count(), other.lines().count());
    }
}

#[test]
fn tictactoe() {
    let head = "[game]\nkind = \"tictactoe\"\n[openings]\nkind = \"random\"\nplies = 2\n";
    let noisy = "noisy:agent = { kind = \"minimax\", depth = 2 };epsilon = 0.3";
    compare(
        "tictactoe",
        head,
        [("alphabeta:ties = \"random\"", "depth = 3"), (noisy, "depth = 2")],
    );
}

#[test]
fn mnk_from_positions_told_by_options() {
    let head = "[game]\nkind = \"mnk\"\nm = 6\nn = 5\nk = 4\n[openings]\nkind = \"list\"\n\
                list = [\"0 7\", \"x...../.o..../....../....../......\", \"4 1 9 2\"]\n";
    // The engine is served for the smallest board; the options set the real board.
    compare("mnk", head, [("minimax:", "depth = 2"), ("mcts:tree_mb = 1", "nodes = 900")]);
}

#[test]
fn connect_four() {
    let head = "[game]\nkind = \"connect4\"\n[openings]\nkind = \"random\"\nplies = 3\n";
    let own = ("mcts:tree_mb = 2;reuse = true;ties = \"random\"", "simulations = 60");
    compare("connect4", head, [("alphabeta:table_mb = 1", "nodes = 700"), own]);
}

#[test]
fn chess_by_uci() {
    let head = "[game]\nkind = \"chess\"\n[openings]\nkind = \"random\"\nplies = 4\n";
    compare("chess", head, [("alphabeta:table_mb = 1", "nodes = 400"), ("random", "")]);
}

#[test]
fn breakthrough_by_uci() {
    let head = "[game]\nkind = \"breakthrough\"\n[openings]\nkind = \"random\"\nplies = 4\n";
    compare("breakthrough", head, [("alphabeta:table_mb = 1", "nodes = 400"), ("random", "")]);
}

/// Such an engine would play chess.
#[test]
fn engines_without_the_game_are_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    for (option, says) in [
        ("name Hash type spin", "the engine has no option `UCI_Variant`, which this breakthrough"),
        ("name UCI_Variant type combo var chess var atomic", "cannot be `breakthrough`"),
    ] {
        let script = format!(
            "while read -r word rest; do case $word in uci) printf 'option {option}\nuciok\n';; \
             isready) echo readyok;; esac; done"
        );
        let engine = write(dir.path(), "engine.sh", &script);
        let config = write(
            dir.path(),
            "c.toml",
            &format!(
                "[game]\nkind = \"breakthrough\"\n[[agents]]\nkind = \"random\"\n[[agents]]\n\
                 kind = \"engine\"\nprotocol = \"uci\"\ndepth = 1\ncommand = [\"sh\", \"{engine}\"]\n"
            ),
        );
        let out = dir.path().join("out");
        let output = agon(&["--config", &config, "--out", out.to_str().expect("text")]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(says), "{}", stderr(&output));
    }
}

#[test]
fn pig() {
    let head = "[game]\nkind = \"pig\"\ngoal = 30\n";
    compare("pig", head, [("expectimax:", "depth = 2"), ("mcts:tree_mb = 1", "simulations = 50")]);
}

#[test]
fn einstein() {
    let head = "[game]\nkind = \"einstein\"\n[openings]\nkind = \"random\"\nplies = 2\n";
    let softmax = "expectimax:opponent = \"softmax\";temperature = 50";
    compare("einstein", head, [(softmax, "depth = 2"), ("random", "")]);
}

#[test]
fn pacman() {
    let head = "[game]\nkind = \"pacman\"\n";
    compare("pacman", head, [("expectimax:", "depth = 2"), ("random", "")]);
}

#[test]
fn a_tree() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/trees/minimax.toml");
    let head = format!("[game]\nkind = \"tree\"\nfile = \"{}\"\n", path.display());
    let game = format!("tree:file={}", path.display());
    compare(&game, &head, [("alphabeta:", "depth = 9"), ("random", "")]);
}
