//! Tests of chess against known results: move counts, endings, notation, repetition.

use crate::support::games::build;
use crate::support::rules::check_counts;
use agon::games::{
    Chess, Drawing, Game, Notation, Player, PlayoutBuffer, Repetition, SearchHints, Shortcuts,
    Turn, Weights, below, conformance, perft,
};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

fn chess() -> Chess {
    build::<Chess>("chess")
}

/// The standard perft positions, with their counts by depth, from 1.
const COUNTS: [(&str, &[u64]); 6] = [
    ("startpos", &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324]),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2_039, 97_862, 4_085_603, 193_690_690],
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624]),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9_467, 422_333, 15_833_292],
    ),
    (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[44, 1_486, 62_379, 2_103_487, 89_941_194],
    ),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890, 3_894_594, 164_075_551],
    ),
];

fn counts(most: u64) {
    let game = chess();
    for (fen, counts) in COUNTS {
        check_counts(&game, fen, counts, most);
    }
}

#[test]
fn moves_are_counted() {
    counts(200_000);
}

#[test]
#[ignore = "takes seconds with optimisation, minutes without"]
fn moves_are_counted_deeply() {
    counts(200_000_000);
}

/// The bulk count equals the count by playing every move.
#[test]
fn counting_is_playing() {
    fn count(game: &Chess, state: &agon::games::chess::ChessState, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if game.turn(state) == Turn::Over {
            return 0;
        }
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let after = |mv| {
            let mut child = state.clone();
            game.play(&mut child, mv);
            child
        };
        moves.into_iter().map(|mv| count(game, &after(mv), depth - 1)).sum()
    }
    let game = chess();
    let ends = [
        "8/8/8/8/8/1k6/1p6/1K4B1 w - - 0 1",
        "7k/8/8/8/8/8/R7/K7 w - - 98 90",
        "k7/8/1K6/8/8/8/8/7R w - - 97 60",
    ];
    for fen in ends.into_iter().chain(COUNTS.map(|(fen, _)| fen)) {
        let state = game.read_position(fen).unwrap();
        for depth in 1..=2 {
            assert_eq!(perft(&game, &state, depth), count(&game, &state, depth), "{fen}");
        }
    }
}

/// Known results of random play: about 7.8 % white wins, 78.8 % draws, 7.5 % black wins, 5.9 %
/// unfinished after 500 plies, 340 plies on average.
#[test]
fn random_games_are_what_they_are() {
    const GAMES: usize = 200;
    let game = chess();
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (mut ends, mut plies, mut moves) = ([0; 4], 0, Vec::new());
    for _ in 0..GAMES {
        let mut state = game.start();
        let mut length = 0;
        while game.turn(&state) != Turn::Over && length < 500 {
            let mv = game.shortcuts().random_move(&state, &mut rng, &mut moves);
            game.play(&mut state, mv);
            length += 1;
        }
        plies += length;
        let over = game.turn(&state) == Turn::Over;
        ends[if over { (1 - game.payoff(&state)) as usize } else { 3 }] += 1;
    }
    let share = |n: i32| 100.0 * f64::from(n) / GAMES as f64;
    // Four standard deviations of a share of 200 games.
    for (found, known) in ends.map(share).into_iter().zip([7.8, 78.8, 7.5, 5.9]) {
        let deviation = (known * (100.0 - known) / GAMES as f64).sqrt();
        assert!((found - known).abs() < 4.0 * deviation, "{ends:?}");
    }
    let mean = plies as f64 / GAMES as f64;
    assert!((310.0..370.0).contains(&mean), "{mean} plies");
}

#[test]
fn ends_have_their_reasons() {
    let game = chess();
    let ends = [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "checkmate", -1),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate", 0),
        ("7k/8/8/8/8/8/8/KR6 w - - 100 80", "fifty moves", 0),
        // Checkmate with the 100th half-move.
        ("R6k/8/6K1/8/8/8/8/8 b - - 100 80", "checkmate", 1),
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", "insufficient material", 0),
        ("7k/8/8/8/8/8/8/KN6 w - - 0 1", "insufficient material", 0),
        ("5b1k/8/8/8/8/8/8/KB6 w - - 0 1", "two colours", 0),
        ("5b1k/8/8/8/8/8/8/K1B5 w - - 0 1", "insufficient material", 0),
        ("5n1k/8/8/8/8/8/8/KN6 w - - 0 1", "may be mated", 0),
    ];
    for (fen, reason, payoff) in ends {
        let state = game.read_position(fen).unwrap();
        if game.turn(&state) == Turn::Over {
            assert_eq!((game.reason(&state), game.payoff(&state)), (reason, payoff), "{fen}");
        } else {
            assert!(["two colours", "may be mated"].contains(&reason), "{fen}");
        }
    }
}

/// Plays moves and returns the end by history after each of them.
fn history(fen: &str, moves: &str) -> Vec<Option<&'static str>> {
    let game = chess();
    let mut state = game.read_position(fen).unwrap();
    let (mut keys, mut ends) = (Vec::new(), Vec::new());
    for word in moves.split(' ') {
        let mv = game.notation().read_move(&state, word).unwrap();
        keys.push(game.key(&state));
        game.play(&mut state, mv);
        ends.push(game.repetition().ended_by_history(&state, &keys));
    }
    ends
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let dance = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    let ends = history("startpos", dance);
    assert_eq!(ends[..7], [None; 7]);
    assert_eq!(ends[7], Some("threefold"));
    // The first time White could castle, later White could not.
    let kings = "Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8 Ke2 Ke7";
    let ends = history("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", kings);
    assert_eq!(ends.iter().position(Option::is_some), Some(9));
    // An en passant capture that was once legal makes a difference; one that was never legal does
    // not.
    let possible = "e4 Kd7 Ke2 Kd8 Ke1 Kd7 Ke2 Kd8 Ke1";
    let ends = history("3k4/8/8/8/3p4/8/4P3/4K3 w - - 0 1", possible);
    assert_eq!(ends.iter().position(Option::is_some), None);
    let ends = history("3k4/8/8/8/8/8/4P3/4K3 w - - 0 1", possible);
    assert_eq!(ends.iter().position(Option::is_some), Some(8));
}

#[test]
fn moves_are_written_and_read() {
    let game = chess();
    let cases = [
        ("startpos", "g1f3", "Nf3", "Nf3 nope"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O", "O-O 0-0 e1h1 E1G1 e1-g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O", "0-0-0 e8a8 o-o-o O-O-O+"),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q", "a8=Q+", "a8Q a8=q a7a8=Q a7-a8Q a8=Q+!"),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8n", "a8=N", "a8N a7a8N"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6", "ed6 e5xd6 exd6e.p. exd6!?"),
        ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2", "Nb1d2 Nb1-d2 N1d2"),
        ("4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1", "b1c3", "N1c3", "Nb1c3 N1c3"),
        // A capital B with a rank is a bishop, never the pawn on that square.
        ("6k1/8/8/8/3B4/2p5/1P1B4/6K1 w - - 0 1", "d2c3", "B2xc3", "B2c3 Bd2xc3 d2c3 D2C3"),
        ("6k1/8/8/8/3B4/2p5/1P1B4/6K1 w - - 0 1", "b2c3", "bxc3", "b2xc3 B2C3 b2c3 bc3"),
        ("2k5/8/8/Q7/8/8/8/Q3Q2K w - - 0 1", "a1e5", "Qa1e5", "Qa1-e5"),
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "d1d8", "Rd8#", "Rd8 Rd8+ Rd8# rook"),
    ];
    for (fen, written, san, texts) in cases {
        let state = game.read_position(fen).unwrap();
        let mv = game.notation().read_move(&state, written).unwrap();
        let mut text = String::new();
        game.write_move(&state, mv, &mut text);
        assert_eq!(
            (text.as_str(), game.notation().san(&state, mv).as_str()),
            (written, san),
            "{fen}"
        );
        for text in texts.split(' ').chain([san]) {
            let read = game.notation().read_move(&state, text);
            if ["nope", "rook"].contains(&text) {
                assert!(read.unwrap_err().contains("is not a legal move; legal: "));
            } else {
                assert_eq!(read, Ok(mv), "{text} in {fen}");
            }
        }
    }
    let state = game.read_position("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1").unwrap();
    assert_eq!(
        game.notation().read_move(&state, "Nd2").unwrap_err(),
        "`Nd2` is not clear: b1d2 or f3d2"
    );
    assert!(
        game.notation()
            .read_move(&state, "Qd2")
            .unwrap_err()
            .starts_with("`Qd2` is not a legal move; legal: N")
    );
    assert!(game.notation().read_move(&state, "0000").is_err());
}

#[test]
fn signs_of_other_score_sheets_are_read_or_named() {
    let game = chess();
    let state = game.read_position("r3k3/1P4P1/8/3pP3/8/8/8/RN2K1NR w KQq d6 0 1").unwrap();
    let read = |word: &str| game.notation().read_move(&state, word);
    for (word, same) in [
        ("♘f3", "Nf3"),
        ("♞f3", "Nf3"),
        ("♖h5", "Rh5"),
        ("♔\u{fe0e}e2", "Ke2"),
        ("♙exd6", "exd6"),
        ("b×a8♕", "bxa8=Q"),
        ("bxa8/N", "bxa8=N"),
        ("exd6e.p.", "exd6"),
        ("exd6ep", "exd6"),
        ("N1c3", "Nc3"),
        ("Rh8†", "Rh8"),
    ] {
        assert_eq!(read(word), read(same), "{word}");
        assert!(read(same).is_ok(), "{same}");
    }
    for word in ["Pf3", "Sf3", "Cf3", "--", "Z0", "nf3", "♘", "e6d6", "Nf3Nc6"] {
        let error = read(word).expect_err(word);
        assert!(error.contains(&format!("`{word}`")), "{error}");
    }
}

#[test]
fn no_pawn_becomes_a_king_or_a_pawn() {
    for (fen, words) in [
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2a3k a2a3p a2a4q a3=K"),
        ("8/P7/8/8/8/8/8/k1K5 w - - 0 1", "a7a8k a7a8p a8=K a8P"),
    ] {
        let game = chess();
        let state = game.read_position(fen).expect("a position");
        for word in words.split(' ') {
            assert!(game.notation().read_move(&state, word).is_err(), "{word}");
        }
    }
}

#[test]
fn captures_and_promotions_to_a_queen_are_noisy() {
    let game = chess();
    for (fen, expected) in [
        ("3r2k1/2P5/8/3pP3/8/8/4P3/4K2R w - d6 0 1", "c7c8q c7d8q e5d6"),
        // In check every move is.
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1d1 e1f1 e1e2"),
    ] {
        let state = game.read_position(fen).expect("a position");
        let (mut moves, mut texts) = (Vec::new(), Vec::new());
        game.hints().noisy(&state, &mut moves);
        for mv in moves {
            let mut text = String::new();
            game.write_move(&state, mv, &mut text);
            texts.push(text);
        }
        assert_eq!(texts.join(" "), expected, "{fen}");
    }
}

/// SAN can be read back, for every move of random games.
#[test]
fn san_is_read_back() {
    let game = chess();
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let (mut state, mut moves) = (game.start(), Vec::new());
    for _ in 0..150 {
        moves.clear();
        game.moves(&state, &mut moves);
        for &mv in &moves {
            let san = game.notation().san(&state, mv);
            assert_eq!(game.notation().read_move(&state, &san), Ok(mv), "{san} in {state:?}");
        }
        game.play(&mut state, moves[below(&mut rng, moves.len() as u32) as usize]);
        if game.turn(&state) == Turn::Over {
            state = game.start();
        }
    }
}

#[test]
fn positions_are_read_leniently() {
    let game = chess();
    let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let cases = [
        ("startpos".to_owned(), format!("{usual} w KQkq - 0 1")),
        (usual.to_owned(), format!("{usual} w - - 0 1")),
        (format!("  {usual}  b  KQkq - "), format!("{usual} b KQkq - 0 1")),
        (format!("{usual} w HAha - 3 7"), format!("{usual} w KQkq - 3 7")),
        (format!("{usual} w KQkq - hmvc 4; fmvn 9; id \"x\";"), format!("{usual} w KQkq - 4 9")),
        (format!("{usual} w KQkq - bm e4;"), format!("{usual} w KQkq - 0 1")),
        // The fields of a FEN and operations.
        (format!("{usual} w KQkq - 9 70; D1 20"), format!("{usual} w KQkq - 9 70")),
        (format!("{usual} w KQkq - 9 70 bm Bf4;"), format!("{usual} w KQkq - 9 70")),
        (format!("{usual} w KQkq - 9 70 ;D1 20"), format!("{usual} w KQkq - 9 70")),
        (format!("{usual} w KQkq - 9 70;D1"), format!("{usual} w KQkq - 9 70")),
        (format!("{usual} w KQkq - 9 70 id \"hmvc 5;\";"), format!("{usual} w KQkq - 9 70")),
        (format!("{usual} w KQkq - ;D1 20 ;D2 400"), format!("{usual} w KQkq - 0 1")),
        (format!("{usual} w KQkq - fmvn 70;hmvc 9;"), format!("{usual} w KQkq - 9 70")),
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1".to_owned(),
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".to_owned(),
        ),
        (
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1".to_owned(),
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1".to_owned(),
        ),
    ];
    for (text, written) in cases {
        assert_eq!(game.write_position(&game.read_position(&text).unwrap()), written, "{text}");
    }
    let wrong = [
        ("", "begins with the pieces"),
        ("8/8/8 w - - 0 1", "3 ranks"),
        ("9/8/8/8/8/8/8/8 w - - 0 1", "not a piece"),
        ("7/8/8/8/8/8/8/8 w - - 0 1", "rank 8 has 7"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "one king"),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "adjacent squares"),
        ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "does not fit the position"),
        ("4k3/8/8/8/8/8/8/2K3R1 w G - 0 1", "only a king on the e-file"),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "has just moved"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 151 1", "`151` is not a number of half-moves"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 1 65536", "`65536` is not a number of the move"),
        ("4k3/8/8/8/8/8/8/4K3 w - - hmvc +4;", "`+4` is not a number of half-moves"),
        ("4k3/8/8/8/8/8/8/4K3 w - - hmvc 4; fmvn -9;", "`-9` is not a number of the move"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "`w` or `b`"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", "after the number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - what", "not a number of half-moves"),
    ];
    for (text, what) in wrong {
        let error = game.read_position(text).unwrap_err();
        assert!(error.contains(what), "{text}: {error}");
    }
}

/// A game goes on after fifty moves until a player claims the draw, so other programs write up to
/// 150 half-moves.
#[test]
fn more_than_a_hundred_half_moves_are_a_draw() {
    let game = chess();
    for clock in [100, 101, 120, 150] {
        let state = game.read_position(&format!("8/8/8/4k3/8/8/4K3/4R3 w - - {clock} 90")).unwrap();
        assert_eq!((game.turn(&state), game.payoff(&state)), (Turn::Over, 0), "{clock}");
        assert_eq!(game.reason(&state), "fifty moves", "{clock}");
    }
    let mate = game.read_position("R5k1/5ppp/8/8/8/8/8/6K1 b - - 130 90").unwrap();
    assert_eq!((game.reason(&mate), game.payoff(&mate)), ("checkmate", 1));
}

#[test]
fn boards_are_drawn() {
    let game = chess();
    assert_eq!(
        game.drawing().text(&game.start()),
        "8  r n b q k b n r\n7  p p p p p p p p\n6  . . . . . . . .\n5  . . . . . . . .\n\
         4  . . . . . . . .\n3  . . . . . . . .\n2  P P P P P P P P\n1  R N B Q K B N R\n   \
            a b c d e f g h\nWhite to move\n"
    );
    let mut values = crate::support::games::values::<Chess>("chess");
    values.set("board_style", agon::params::Value::Text("unicode".to_owned()));
    let game = <Chess as agon::games::Configurable>::build(&values).unwrap();
    let drawn = game.drawing().text(&game.read_position("R6k/8/6K1/8/8/8/8/8 b - - 0 1").unwrap());
    assert!(drawn.starts_with("8  ♖ · · · · · · ♚\n"), "{drawn}");
    assert!(drawn.ends_with("checkmate: White has won\n"), "{drawn}");
}

/// The board rotated with the colours exchanged.
fn exchanged(fen: &str) -> String {
    let words: Vec<&str> = fen.split(' ').collect();
    let flip = |c: char| {
        if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
    };
    let ranks: Vec<&str> = words[0].rsplit('/').collect();
    let side = if words[1] == "w" { "b" } else { "w" };
    let castling: String = words[2].chars().map(flip).collect();
    let passing = words[3].replace('3', "x").replace('6', "3").replace('x', "6");
    let board: String = ranks.join("/").chars().map(flip).collect();
    format!("{board} {side} {castling} {passing} {} {}", words[4], words[5])
}

#[test]
fn evaluators_change_sign_with_the_colours() {
    let game = chess();
    let positions = conformance::positions(&game, 3, 4);
    let swap = |state: &_| game.read_position(&exchanged(&game.write_position(state))).ok();
    for name in ["material", "pst", "zero"] {
        conformance::antisymmetric(&game, &positions, name, &Weights::new(), swap);
    }
}

#[test]
fn a_whole_game_can_be_played_out() {
    let game = build::<Chess>("chess");
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut buffer = PlayoutBuffer::default();
    let (payoff, plies) = agon::games::playout(&game, game.start(), &mut rng, &mut buffer);
    assert!((-1..=1).contains(&payoff) && plies > 3);
    assert_eq!(game.turn(&game.start()), Turn::Player(Player::First));
}
