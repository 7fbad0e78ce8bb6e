//! Tests of Chess960 from the config to games.pgn, and with engines.

use std::collections::HashSet;
use std::fs;

use crate::engines::ROGUE;
use crate::support::{agon, ok, play, rows, stderr, stdout, write};

const AGON: &str = env!("CARGO_BIN_EXE_agon");

fn config(game: &str, games: u32, agents: &str) -> String {
    format!(
        "name = \"c\"\nseed = 3\n[game]\nkind = \"chess\"\nvariant = \"960\"\n{game}\n{agents}\n\
         [schedule]\ngames = {games}\nallow_duplicates = true\n[limits]\nmax_plies = 16\n"
    )
}

const RANDOM: &str =
    "[[agents]]\nname = \"a\"\nkind = \"random\"\n[[agents]]\nname = \"b\"\nkind = \"random\"\n";

/// The first positions of the games in games.pgn.
fn starts(pgn: &str) -> Vec<&str> {
    pgn.lines().filter_map(|line| line.strip_prefix("[FEN \"")).collect()
}

#[test]
fn each_start_is_played_from_both_sides() {
    let dir = tempfile::tempdir().expect("a folder");
    let run = |text: &str| {
        let output = ok(play(dir.path(), text, &["-v"]));
        let pgn = fs::read_to_string(dir.path().join("out/games.pgn")).expect("games.pgn");
        (stdout(&output), pgn, rows(&dir.path().join("out/games.csv")))
    };
    let (said, pgn, games) = run(&config("", 40, RANDOM));
    assert!(said.contains("random starts"), "{said}");
    for tag in ["[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"", "/pppppppp/8/8/8/8/PPPPPPPP/"] {
        assert_eq!(pgn.matches(tag).count(), 40, "{tag}: {pgn}");
    }
    let all = starts(&pgn);
    for pair in all.chunks(2) {
        assert_eq!(pair[0], pair[1]);
    }
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 20);
    assert_eq!(games[0]["first"], games[1]["second"]);

    // More games keep the starts of the first games, and all 960 are played.
    let (_, more, _) = run(&config("", 1920, RANDOM).replace("max_plies = 16", "max_plies = 1"));
    let more = starts(&more);
    assert_eq!(more[..40], all[..]);
    assert_eq!(more.iter().collect::<HashSet<_>>().len(), 960);
    let section = |plies| format!("[openings]\nkind = \"random\"\n{plies}");
    let refused = play(dir.path(), &(config("", 1922, RANDOM) + &section("")), &[]);
    let said = stderr(&refused);
    assert!(said.contains("there are not 961 different random starts"), "{said}");
    assert!(said.contains("at most 1920 games"), "{said}");

    // Random plies may follow. One start has openings of random plies.
    let (said, pgn, _) = run(&(config("", 4, RANDOM) + &section("plies = 3")));
    assert!(said.contains("random openings of 3 plies"), "{said}");
    assert_eq!(starts(&pgn).iter().filter(|fen| fen.contains(" b ")).count(), 4, "{pgn}");
    let (said, pgn, _) = run(&(config("position = 0", 4, RANDOM) + &section("")));
    assert!(said.contains("random openings of 4 plies"), "{said}");
    assert!(starts(&pgn).iter().all(|fen| fen.starts_with("bbqnnrkr/pppppppp/")), "{pgn}");

    // games.pgn is a book of this variant.
    write(dir.path(), "book.pgn", &pgn);
    let book = "[openings]\nkind = \"file\"\nfile = \"book.pgn\"\nplies = 6\n";
    let (_, again, _) = run(&(config("", 4, RANDOM) + book));
    assert_eq!(starts(&again).len(), 4);
}

fn engine(command: &str) -> String {
    format!(
        "[[agents]]\nname = \"a\"\nkind = \"engine\"\ncommand = \"{command}\"\nprotocol = \"uci\"\n\
         depth = 1\n[[agents]]\nname = \"b\"\nkind = \"random\"\n"
    )
}

#[test]
fn engines_are_told_the_variant() {
    let dir = tempfile::tempdir().expect("a folder");
    let served = format!("{AGON} serve --game chess --agent alphabeta:depth=1");
    ok(play(dir.path(), &config("", 6, &engine(&served)), &[]));
    for row in rows(&dir.path().join("out/games.csv")) {
        assert!(["max plies", "checkmate"].contains(&row["reason"].as_str()), "{row:?}");
    }
    // The option is an error of the config before the first game, whatever the schedule says.
    let rogue = engine(&format!("{ROGUE} instant --game chess"));
    let said = stderr(&play(dir.path(), &config("", 6, &rogue), &[]));
    assert!(said.contains("the engine has no option `UCI_Chess960`"), "{said}");
    assert!(said.contains("use an engine that plays Chess960"), "{said}");
    let off = engine(&served).replace("depth = 1", "depth = 1\noptions = { UCI_Chess960 = false }");
    let said = stderr(&play(dir.path(), &config("", 6, &off), &[]));
    assert!(said.contains("`UCI_Chess960` cannot be `false` in this game"), "{said}");
    let checked = agon(&[
        "check-engine",
        "--game",
        "chess:variant=960",
        "--",
        AGON,
        "serve",
        "--game",
        "chess",
        "--agent",
        "random",
    ]);
    assert!(stdout(&checked).contains("plies against itself"), "{}", stdout(&checked));
}

#[test]
fn positions_are_swept() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = config("", 2, RANDOM) + "[sweep]\ngame.position = [0, 518]\n";
    let path = write(dir.path(), "sweep.toml", &text);
    let said = stdout(&ok(agon(&["run", &path, "--dry-run"])));
    assert!(said.contains("game.position=0 ") && said.contains("game.position=518 "), "{said}");
}
