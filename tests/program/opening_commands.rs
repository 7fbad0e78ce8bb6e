//! The rule for openings of files holds for every kind of run.

use std::collections::BTreeMap;

use crate::support::{agon, rows, stderr, write};

const BOOK: &str = "\
    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\
    rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\n\
    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 3 9\n\
    rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\n\
    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";

const GAMES: &str = "\
    [Result \"*\"]\n\n1. e4 *\n\n\
    [FEN \"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\"]\n\n*\n\n\
    [Result \"*\"]\n\n1. e4 *\n\n\
    [Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
    [Result \"*\"]\n\n*\n";

/// A book with a repeated opening, one that is mate, and one of 0 plies.
#[test]
fn every_kind_of_run_leaves_out_the_same_openings() {
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), "book.epd", BOOK);
    write(dir.path(), "book.pgn", GAMES);
    let agent = |name: &str| {
        format!(
            "[[agents]]\nname = \"{name}\"\nkind = \"alphabeta\"\ndepth = 1\nties = \"random\"\n"
        )
    };
    let (a, b, c) = (agent("a"), agent("b"), agent("c"));
    for (command, agents, more) in [
        ("sprt", a.clone() + &b, "[sprt]\nelo0 = 0\nelo1 = 4\nmax_games = 6\n"),
        (
            "tune",
            a.clone() + "weights = { pawn = 100 }\n",
            "[tune]\nparameters = { \"weights.pawn\" = [50, 150] }\ngames = 16\nelo = 100\n",
        ),
        ("run", a.clone() + &b + &c, "[schedule]\ngames = 6\n"),
    ] {
        for book in ["book.epd", "book.pgn"] {
            let text = format!(
                "seed = 1\n[game]\nkind = \"chess\"\n{agents}[openings]\nkind = \"file\"\n\
                 file = \"{book}\"\n[limits]\nmax_plies = 4\n[output]\nreport = false\n{more}"
            );
            let config = write(dir.path(), "c.toml", &text);
            let out = dir.path().join(format!("{command}-{book}"));
            let output = agon(&[command, &config, "--out", out.to_str().expect("text")]);
            let said = stderr(&output);
            assert!(said.contains("1 of 5 ") && said.contains("checkmate: 1"), "{command}: {said}");
            assert!(said.contains("their position is there already"), "{command}: {said}");
            let mut openings: BTreeMap<String, u32> = BTreeMap::new();
            for game in rows(&out.join("games.csv")) {
                assert!(game["plies"].parse::<u32>().expect("a number") > 0, "{game:?}");
                assert_eq!(game["reason"], "max plies", "{command}: {game:?}");
                *openings.entry(game["opening"].clone()).or_default() += 1;
            }
            assert_eq!(openings.len(), 3, "{command} {book}: {openings:?}");
            assert!(openings.values().all(|games| games % 2 == 0), "{command}: {openings:?}");
        }
    }
}
