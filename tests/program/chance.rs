//! Tests of dice, seats and game files: results, tables and errors.

use std::fs;

use agon::games::{
    Configurable, Einstein, Game, GameTree, Notation, Pacman, Pig, Player, Scoring, Turn,
};
use agon::params::{Value, Values};

use crate::support::{agon, ok, play, rows, stderr, stdout, write};

fn build<G: Configurable>(given: &[(&str, Value)]) -> G {
    let mut values = Values::default();
    given.iter().for_each(|(key, value)| values.set(key, value.clone()));
    G::build(&values).expect("a game")
}

/// Plays a config and replays every row from its moves alone, including the dice.
fn replay<G: Game>(game: &G, config: &str) {
    let dir = tempfile::tempdir().expect("a folder");
    ok(play(dir.path(), config, &[]));
    let rows = rows(&dir.path().join("out/games.csv"));
    assert!(rows.len() >= 20);
    for row in rows {
        let mut state = game.start();
        let mut plies = 0;
        for word in row["opening_moves"].split(' ').chain(row["moves"].split(' ')) {
            if word.is_empty() {
                continue;
            }
            plies += u32::from(matches!(game.turn(&state), Turn::Player(_)));
            let mv = game.notation().read_move(&state, word).expect(word);
            game.play(&mut state, mv);
        }
        assert_eq!(game.turn(&state), Turn::Over);
        let winner = match game.scoring().winner(&state) {
            Some(Player::First) => "first",
            Some(Player::Second) => "second",
            None => "draw",
        };
        assert_eq!((row["result"].as_str(), row["reason"].as_str()), (winner, game.reason(&state)));
        assert_eq!(row["plies"], plies.to_string());
    }
}

const RANDOMS: &str = "[[agents]]\nname = \"a\"\nkind = \"random\"\n\
                       [[agents]]\nname = \"b\"\nkind = \"random\"\n\
                       [schedule]\ngames = 20\n";

#[test]
fn a_record_replays_without_a_seed() {
    let openings = "[openings]\nkind = \"random\"\nplies = 3\n";
    replay(&build::<Pig>(&[]), &format!("[game]\nkind = \"pig\"\n{RANDOMS}"));
    replay(&build::<Pig>(&[]), &format!("[game]\nkind = \"pig\"\n{RANDOMS}{openings}"));
    replay(&build::<Einstein>(&[]), &format!("[game]\nkind = \"einstein\"\n{RANDOMS}"));
    replay(&build::<Pacman>(&[]), &format!("[game]\nkind = \"pacman\"\n{RANDOMS}"));
    let text = "max = [{ chance = [1, -1], weights = [1, 2] }, { min = [0, 3] }]";
    let tree = build::<GameTree>(&[("text", Value::Text(text.to_owned()))]);
    replay(&tree, &format!("[game]\nkind = \"tree\"\ntext = \"{text}\"\n{RANDOMS}"));
}

#[test]
fn a_pair_shares_its_dice_unless_that_is_not_wanted() {
    let config = "[game]\nkind = \"pig\"\n[[agents]]\nname = \"a\"\nkind = \"hold\"\n\
                  [[agents]]\nname = \"b\"\nkind = \"hold\"\n[schedule]\ngames = 40\n";
    for (shared, more) in [(true, ""), (false, "shared_dice = false\n")] {
        let dir = tempfile::tempdir().expect("a folder");
        ok(play(dir.path(), &format!("{config}{more}"), &[]));
        let games = rows(&dir.path().join("out/games.csv"));
        let alike = games.chunks(2).filter(|pair| pair[0]["moves"] == pair[1]["moves"]).count();
        // Both agents play the same way, so the dice decide everything.
        assert_eq!(alike, if shared { 20 } else { 0 });
        let distinct: std::collections::HashSet<&String> =
            games.iter().map(|game| &game["moves"]).collect();
        assert_eq!(distinct.len(), if shared { 20 } else { 40 });
        assert!(games[0]["moves"].starts_with("roll d"), "{}", games[0]["moves"]);
        // In both cases, the pair is the unit of evidence.
        let pairing = &rows(&dir.path().join("out/pairings.csv"))[0];
        assert_eq!((pairing["pairs"].as_str(), pairing["games"].as_str()), ("20", "40"));
        let level = pairing["pair_1"].parse::<u32>().expect("a count");
        assert_eq!(level == 20, shared);
    }
}

const SEATS: &str = "[game]\nkind = \"pacman\"\nlayout = \"dead_end\"\n\
    [[agents]]\nname = \"{kind} {depth}\"\nkind = \"expectimax\"\ndepth = [\"1r\", \"2r\"]\n\
    seat = \"first\"\n[[agents]]\nname = \"ghosts\"\nkind = \"random\"\nseat = \"second\"\n";

#[test]
fn agents_with_a_seat_keep_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let output = ok(play(dir.path(), &format!("{SEATS}[schedule]\ngames = 9\n"), &["-v"]));
    let games = rows(&dir.path().join("out/games.csv"));
    assert_eq!(games.len(), 18);
    assert!(games.iter().all(|game| game["second"] == "ghosts"));
    for pairing in rows(&dir.path().join("out/pairings.csv")) {
        assert_eq!((pairing["games"].as_str(), pairing["pairs"].as_str()), ("9", "0"));
        assert_eq!(pairing["agent_b"], "ghosts");
    }
    let text = stdout(&output);
    for expected in [
        "expectimax 1r (first) vs ghosts (second)",
        "ratings include the advantage of the seat",
        "these figures measure the agent and its seat together",
    ] {
        assert!(text.contains(expected), "{text}");
    }
    let resolved = fs::read_to_string(dir.path().join("out/resolved.toml")).expect("a file");
    assert!(resolved.contains("seat = \"second\"") && resolved.contains("depth = \"2r\""));
    // The resolved config gives the same games, and a complete run prints the same tables again.
    let path = dir.path().join("out/resolved.toml");
    let again = agon(&[
        "--config",
        path.to_str().expect("text"),
        "--out",
        dir.path().join("out").to_str().expect("text"),
        "-v",
    ]);
    assert_eq!(stdout(&again), text);
}

#[test]
fn two_agents_with_seats_are_told_so() {
    let dir = tempfile::tempdir().expect("a folder");
    let output = ok(play(dir.path(), SEATS, &["--set", "agents.0.depth=1r", "--games", "6", "-v"]));
    let text = stdout(&output);
    assert!(text.contains("expectimax 1r first, ghosts second"), "{text}");
    assert!(!text.contains("pairs by points"), "{text}");
}

/// The errors of an invalid config.
fn refused(config: &str) -> String {
    let dir = tempfile::tempdir().expect("a folder");
    let output = play(dir.path(), config, &[]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(!dir.path().join("out").exists());
    let text = stderr(&output);
    assert_eq!(text.matches("error:").count(), 1, "{text}");
    text
}

#[test]
fn seats_that_leave_no_pairing_are_refused() {
    let agent = |name: &str, seat: &str| {
        format!("[[agents]]\nname = \"{name}\"\nkind = \"random\"\nseat = \"{seat}\"\n")
    };
    let game = "[game]\nkind = \"tictactoe\"\n";
    let three = [agent("a", "second"), agent("b", "first"), agent("c", "second")].concat();
    let gauntlet = format!("{game}{three}[schedule]\nformat = \"gauntlet\"\n");
    assert!(refused(&gauntlet).contains("`c` has no opponent: it only moves second"));
    let both = format!("{game}{}{}", agent("a", "first"), agent("b", "both"));
    let with_self = refused(&format!("{both}[schedule]\ninclude_self = true\n"));
    assert!(with_self.contains("`a` cannot play itself"), "{with_self}");
    let tested = refused(&format!("{both}[sprt]\n"));
    assert!(tested.contains("games do not come in pairs"), "{tested}");
    let unknown = refused(&format!("{game}{}{}", agent("a", "left"), agent("b", "both")));
    assert!(unknown.contains("`agents.a.seat` must be \"both\", \"first\", \"second\""));
}

#[test]
fn rounds_beyond_the_deepest_search_are_refused() {
    let config = SEATS.replace("[\"1r\", \"2r\"]", "\"67r\"");
    let text = refused(&config);
    assert!(text.contains("a depth of 201 plies is not supported"), "{text}");
    assert!(text.contains("a round has 3 plies here: at most `\"66r\"`"), "{text}");
}

#[test]
fn paths_of_games_are_seen_from_the_config() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::create_dir(dir.path().join("mazes")).expect("a folder");
    let maze = "%%%%%\n%P .%\n%%%%%\n";
    write(&dir.path().join("mazes"), "small.txt", maze);
    let config = "[game]\nkind = \"pacman\"\nlayout = \"mazes/small.txt\"\n\
                  [[agents]]\nname = \"a\"\nkind = \"expectimax\"\ndepth = 2\n\
                  [[agents]]\nname = \"b\"\nkind = \"random\"\n[schedule]\ngames = 4\n\
                  [limits]\nmax_plies = 100\n";
    let output = ok(play(dir.path(), config, &["-v"]));
    assert!(stdout(&output).contains("layout mazes/small.txt"), "{}", stdout(&output));
    // The results contain the maze, so replay works without the file.
    let resolved = fs::read_to_string(dir.path().join("out/resolved.toml")).expect("a file");
    assert!(resolved.contains("%P .%"), "{resolved}");
    // A different maze with the same name is a different experiment.
    write(&dir.path().join("mazes"), "small.txt", "%%%%%\n%P..%\n%%%%%\n");
    let path = dir.path().join("c.toml");
    let out = dir.path().join("out");
    let again =
        agon(&["--config", path.to_str().expect("text"), "--out", out.to_str().expect("text")]);
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("game.layout"), "{}", stderr(&again));
}

#[test]
fn what_is_wrong_with_a_file_is_named_with_the_file() {
    let dir = tempfile::tempdir().expect("a folder");
    for (text, expected) in [
        ("max = [1, \"absent\"]", "there is no node `absent`"),
        ("max = [\"a\", 2]\n[nodes]\na = { min = [\"b\"] }\nb = { max = [\"a\"] }", "in a circle"),
        ("chance = [1, 2]\nweights = [0, 1]", "a weight of zero"),
    ] {
        write(dir.path(), "t.toml", text);
        let config = format!("[game]\nkind = \"tree\"\nfile = \"t.toml\"\n{RANDOMS}");
        let output = play(dir.path(), &config, &[]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
        assert!(stderr(&output).contains("t.toml:"), "{}", stderr(&output));
    }
    for (maze, expected) in [
        ("%%%%/%. %/%%%%", "the layout has no Pacman"),
        ("%%%%/%P.%%/%%%%", "has 5 cells, but the first row has 4"),
        ("nowhere.txt", "cannot be read"),
    ] {
        let config = format!("[game]\nkind = \"pacman\"\nlayout = \"{maze}\"\n{RANDOMS}");
        assert!(refused(&config).contains(expected), "{}", refused(&config));
    }
}

#[test]
fn a_maze_that_cannot_be_won_is_a_warning() {
    let dir = tempfile::tempdir().expect("a folder");
    let maze = "%%%%%%/%P.%.%/%%%%%%";
    let config = format!("[game]\nkind = \"pacman\"\nlayout = \"{maze}\"\n{RANDOMS}");
    for more in [&["--dry-run"][..], &["--games", "2", "--set", "limits.max_plies=5"]] {
        let output = ok(play(dir.path(), &config, more));
        let text = stderr(&output);
        assert!(text.contains("warning: Pacman cannot reach the food in row 2"), "{text}");
    }
}

#[test]
fn agents_that_a_game_cannot_serve_are_refused() {
    let config = |game: &str, agent: &str| {
        format!(
            "[game]\n{game}\n[[agents]]\nname = \"x\"\n{agent}\n[[agents]]\nkind = \"random\"\n"
        )
    };
    let gomoku = "kind = \"mnk\"\nm = 15\nn = 15\nk = 5";
    let perfect = "kind = \"perfect\"";
    for (game, agent, expected) in [
        (gomoku, perfect, "5 in a row on a board of 15 by 15 takes too long"),
        ("kind = \"einstein\"", perfect, "6 stones of each side on 5x5"),
        ("kind = \"checkers\"", perfect, "solved with at most 4 pieces on the board"),
        ("kind = \"pacman\"", perfect, "there is no exact solver for pacman"),
        ("kind = \"pig\"\ngoal = 301", "kind = \"optimal\"", "a goal of at most 300"),
        ("kind = \"tictactoe\"", "kind = \"directional\"", "plays pacman only, not tictactoe"),
        ("kind = \"pacman\"", "kind = \"hold\"", "`hold` plays pig only, not pacman"),
    ] {
        let text = refused(&config(game, agent));
        assert!(text.contains(expected), "{text}");
        assert!(text.contains("help:"), "{text}");
    }
}

/// Memory is added up over agents, seats and threads before the first game.
#[test]
#[cfg(target_os = "linux")]
fn more_memory_than_there_is_is_refused() {
    let available = agon::arena::available_memory().expect("Linux tells");
    // Each tree fits alone, so only the sum is too large.
    let available = available >> 20;
    let tree = (available / 3).clamp(1, 65_536);
    let fewer = ", or play with fewer threads (at most `-j 1`)";
    // First, all trees of one thread fit, but not those of two threads. Then not even one thread
    // fits.
    for (trees, help) in [(available * 3 / 4 / tree, fewer), (available / tree + 2, "\n")] {
        let weights: Vec<String> = (0..trees).map(|n| format!("{n}")).collect();
        let config = format!(
            "[game]\nkind = \"tictactoe\"\n[[agents]]\nkind = \"mcts\"\nsimulations = 1\n\
             tree_mb = {tree}\nexploration = [{}]\n[schedule]\ngames = 4\n",
            weights.join(", ")
        );
        let dir = tempfile::tempdir().expect("a folder");
        for more in [&["-j", "2"][..], &["-j", "2", "--dry-run"]] {
            let output = play(dir.path(), &config, more);
            let text = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{text}");
            assert!(text.contains("of memory for their tables and trees"), "{text}");
            assert!(text.contains(&format!("lower `tree_mb`{help}")), "{text}");
            assert!(!dir.path().join("out").exists(), "nothing is begun");
        }
    }
}

#[test]
fn a_dry_run_refuses_games_that_would_repeat_as_the_run_does() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = |agent: &str, game: &str| {
        format!(
            "[game]\nkind = \"{game}\"\n[[agents]]\nkind = \"expectimax\"\ndepth = 1\n\
             [[agents]]\n{agent}\n[schedule]\ngames = 8\n[openings]\nkind = \"start\"\n"
        )
    };
    let other = "kind = \"expectimax\"\nname = \"other\"\ndepth = 2";
    for (agent, game, code) in
        [(other, "tictactoe", 2), ("kind = \"random\"", "tictactoe", 0), (other, "pig", 0)]
    {
        let output = play(dir.path(), &config(agent, game), &["--dry-run"]);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{text}");
        assert_eq!(text.contains("at most 2 of 8 games can be different"), code == 2, "{text}");
        assert_eq!(text.contains("add openings"), code == 2, "{text}");
    }
    // In a game without random openings, the help does not name them.
    let bare = config(other, "tree").replace("[openings]\nkind = \"start\"\n", "");
    let text = stderr(&play(dir.path(), &bare, &["--dry-run"]));
    assert!(text.contains("games can be different") && !text.contains("add openings"), "{text}");
    assert!(text.contains("play at most 2 games (`--games 2`)"), "{text}");
}
