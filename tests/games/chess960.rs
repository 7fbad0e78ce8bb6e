//! Tests of Chess960: starts, castling, texts, and published numbers of positions.

use crate::support::games::build;
use crate::support::rules::check_counts;
use agon::games::chess::ChessParams;
use agon::games::{Chess, Configurable, Drawing, Game, Notation, Turn, below};
use agon::params::{Params, Value, Values};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

fn chess960() -> Chess {
    build::<Chess>("chess:variant=960")
}

/// The first positions of the published list of Chess960, with their counts by depth, from 1.
const COUNTS: [(&str, &[u64]); 12] = [
    (
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        &[21, 528, 12_189, 326_672, 8_146_062],
    ),
    (
        "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
        &[21, 807, 18_002, 667_366, 16_253_601],
    ),
    (
        "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9",
        &[20, 479, 10_471, 273_318, 6_417_013],
    ),
    (
        "qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9",
        &[22, 593, 13_440, 382_958, 9_183_776],
    ),
    (
        "1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9",
        &[28, 1_120, 31_058, 1_171_749, 34_030_312],
    ),
    (
        "qnbnr1kr/ppp1b1pp/4p3/3p1p2/8/2NPP3/PPP1BPPP/QNB1R1KR w HEhe - 1 9",
        &[29, 899, 26_578, 824_055, 24_851_983],
    ),
    (
        "q1bnrkr1/ppppp2p/2n2p2/4b1p1/2NP4/8/PPP1PPPP/QNB1RRKB w ge - 1 9",
        &[30, 860, 24_566, 732_757, 21_093_346],
    ),
    (
        "qbn1brkr/ppp1p1p1/2n4p/3p1p2/P7/6PP/QPPPPP2/1BNNBRKR w HFhf - 0 9",
        &[25, 635, 17_054, 465_806, 13_203_304],
    ),
    (
        "qnnbbrkr/1p2ppp1/2pp3p/p7/1P5P/2NP4/P1P1PPP1/Q1NBBRKR w HFhf - 0 9",
        &[24, 572, 15_243, 384_260, 11_110_203],
    ),
    (
        "qn1rbbkr/ppp2p1p/1n1pp1p1/8/3P4/P6P/1PP1PPPK/QNNRBB1R w hd - 2 9",
        &[28, 811, 23_175, 679_699, 19_836_606],
    ),
    (
        "qnr1bkrb/pppp2pp/3np3/5p2/8/P2P2P1/NPP1PP1P/QN1RBKRB w GDg - 3 9",
        &[33, 823, 26_895, 713_420, 23_114_629],
    ),
    (
        "qb1nrkbr/1pppp1p1/1n3p2/p1B4p/8/3P1P1P/PPP1P1P1/QBNNRK1R w HEhe - 0 9",
        &[31, 855, 25_620, 735_703, 21_796_206],
    ),
];

fn counts(most: u64) {
    let usual = ("startpos", &[20, 400, 8_902, 197_281][..]);
    let game = chess960();
    for (fen, counts) in COUNTS.into_iter().chain([usual]) {
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
    counts(40_000_000);
}

/// The first rank of a start by the rule of R. Scharnagl: two bishops, the queen, two knights, and
/// rook, king, rook on the squares that are left.
fn first_rank(number: usize) -> String {
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let mut rank = [' '; 8];
    rank[2 * (number % 4) + 1] = 'B';
    rank[2 * (number / 4 % 4)] = 'B';
    let free = |rank: &[char; 8]| (0..8).filter(|&file| rank[file] == ' ').collect::<Vec<_>>();
    let queen = free(&rank)[number / 16 % 6];
    rank[queen] = 'Q';
    let (left, right) = KNIGHTS[number / 96];
    let empty = free(&rank);
    for file in [left, right] {
        rank[empty[file]] = 'N';
    }
    for (file, piece) in free(&rank).into_iter().zip(['R', 'K', 'R']) {
        rank[file] = piece;
    }
    rank.into_iter().collect()
}

#[test]
fn the_starts_have_their_numbers() {
    assert_eq!(first_rank(518), "RNBQKBNR");
    let mut ranks = std::collections::HashSet::new();
    for number in 0..960 {
        let game = build::<Chess>(&format!("chess:variant=960,position={number}"));
        let rank = first_rank(number);
        let rooks = rank.match_indices('R').map(|(file, _)| char::from(b'A' + file as u8));
        let rights: String = rooks.rev().collect();
        let fen = format!(
            "{}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w {rights}{} - 0 1",
            rank.to_lowercase(),
            rights.to_lowercase()
        );
        assert_eq!(game.write_position(&game.start()), fen, "{number}");
        assert!(ranks.insert(rank));
        assert!(game.random_starts().is_empty());
    }
    let game = chess960();
    let starts = game.random_starts();
    assert_eq!(starts.len(), 960);
    assert_eq!(starts[518], game.start());
    assert_eq!(game.start(), build::<Chess>("chess").start());
}

#[test]
fn castling_is_king_takes_rook() {
    let game = chess960();
    // Position, move, SAN, other texts, position afterwards.
    let cases = [
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "e1h1", "O-O", "e1g1 0-0 O-O+ E1H1", "R4RK1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "e1a1", "O-O-O", "e1c1 0-0-0", "2KR3R"),
        // The king does not move.
        ("6k1/8/8/8/8/8/8/R5KR w HA - 0 1", "g1h1", "O-O", "0-0 g1g1", "R4RK1"),
        // The rook does not move.
        ("6k1/8/8/8/8/8/8/3RK2R w HD - 0 1", "e1d1", "O-O-O", "e1c1", "2KR3R"),
        // King and rook change places.
        ("k7/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "O-O", "0-0", "5RK1"),
        // The king passes the rook's square.
        ("7k/8/8/8/8/8/8/1RK5 w B - 0 1", "c1b1", "O-O-O", "", "2KR4"),
        ("8/8/8/8/8/8/7k/1K4R1 w G - 0 1", "b1g1", "O-O", "", ""),
        ("1k6/8/8/8/8/8/8/1K4R1 w G - 0 1", "b1g1", "O-O", "", "5RK1"),
    ];
    for (fen, written, san, others, after) in cases {
        let state = game.read_position(fen).unwrap();
        if after.is_empty() {
            // The king would pass an attacked square.
            assert!(game.notation().read_move(&state, written).is_err(), "{fen}");
            continue;
        }
        let mv = game.notation().read_move(&state, written).expect(fen);
        let mut text = String::new();
        game.write_move(&state, mv, &mut text);
        assert_eq!(
            (text.as_str(), game.notation().san(&state, mv).trim_end_matches('+')),
            (written, san)
        );
        for other in others.split_whitespace().chain([san]) {
            assert_eq!(game.notation().read_move(&state, other), Ok(mv), "{other} in {fen}");
        }
        let mut next = state.clone();
        game.play(&mut next, mv);
        let rank = game.write_position(&next);
        let rank = rank.split([' ', '/']).nth(7).unwrap().to_owned();
        assert_eq!(rank, after, "{fen}");
    }
    // A step of the king is never castling where both are legal.
    let state = game.read_position("k7/8/8/8/8/8/8/5K1R w H - 0 1").unwrap();
    let read = |text| game.notation().read_move(&state, text).unwrap();
    assert_eq!(game.notation().san(&state, read("f1g1")), "Kg1");
    assert_eq!(game.notation().san(&state, read("f1h1")), "O-O");
    // A page tells moves apart by their squares.
    assert_ne!(
        game.drawing().cells(&state, read("f1g1")),
        game.drawing().cells(&state, read("O-O"))
    );
}

#[test]
fn both_forms_of_fen_are_read() {
    let game = chess960();
    let read = |fen: &str| game.read_position(fen).map(|state| game.write_position(&state));
    let cases = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "HAha"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w AHah - 0 1", "HAha"),
        ("bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1", "HFhf"),
        ("bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w Qk - 0 1", "Fh"),
        // The outermost rook, and the inner one by its file.
        ("4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1", "HA"),
        ("4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1", "GB"),
        ("4k3/8/8/8/8/8/8/RR2K1RR w GQ - 0 1", "GA"),
        ("4k3/8/8/8/8/8/8/RR2K1RR w - - 0 1", "-"),
    ];
    for (fen, rights) in cases {
        let written = read(fen).expect(fen);
        assert_eq!(written.split(' ').nth(2), Some(rights), "{fen}");
        assert_eq!(read(&written).as_ref(), Ok(&written));
    }
    for rights in ["K", "Q", "B", "HH", "KH", "x", "Hh", "D"] {
        let error = read(&format!("3rk3/8/8/8/8/8/8/4K1R1 w {rights} - 0 1"));
        let fits = rights == "K";
        assert_eq!(error.is_ok(), fits, "{rights}: {error:?}");
        assert!(fits || error.unwrap_err().contains("the file of a rook (`HAha`)"), "{rights}");
    }
    // Rights of different rooks are different positions.
    let key = |rights| {
        let fen = format!("4k3/8/8/8/8/8/8/RR2K1RR w {rights} - 0 1");
        game.key(&game.read_position(&fen).unwrap())
    };
    let keys: std::collections::HashSet<_> =
        ["HA", "HB", "GA", "GB", "H", "G", "A", "B", "-"].map(key).into_iter().collect();
    assert_eq!(keys.len(), 9);
}

/// All texts of random games from random starts can be read back.
#[test]
fn texts_are_read_back() {
    let game = chess960();
    let starts = game.random_starts();
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let (mut castled, mut moves) = (0, Vec::new());
    for _ in 0..40 {
        let mut state = starts[below(&mut rng, 960) as usize].clone();
        for _ in 0..40 {
            if game.turn(&state) == Turn::Over {
                break;
            }
            moves.clear();
            game.moves(&state, &mut moves);
            let mut chosen = moves[below(&mut rng, moves.len() as u32) as usize];
            for &mv in &moves {
                let san = game.notation().san(&state, mv);
                let mut text = String::new();
                game.write_move(&state, mv, &mut text);
                for text in [&san, &text] {
                    assert_eq!(game.notation().read_move(&state, text), Ok(mv), "{state:?}");
                }
                if san.starts_with("O-O") {
                    (castled, chosen) = (castled + 1, mv);
                }
            }
            game.play(&mut state, chosen);
            let written = game.write_position(&state);
            let read = game.read_position(&written).unwrap();
            assert_eq!(game.key(&read), game.key(&state), "{written}");
        }
    }
    assert!(castled > 10, "{castled}");
}

#[test]
fn wrong_parameters_are_refused() {
    let wrong = |entries: &[(&str, Value)]| {
        let mut values = Values::default();
        entries.iter().for_each(|(key, value)| values.set(key, value.clone()));
        ChessParams::read(&values).and_then(Chess::from_params).expect_err("wrong").to_string()
    };
    let text = |text: &str| Value::Text(text.to_owned());
    assert!(wrong(&[("position", Value::Int(3))]).contains("variant = \"960\""));
    assert!(wrong(&[("variant", text("960")), ("position", Value::Int(960))]).contains("959"));
    let bad = "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HAha - 0 1";
    let said = wrong(&[("variant", text("960")), ("fen", text(bad))]);
    assert!(said.contains("`HAha` does not fit the position"), "{said}");
    let good = "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1";
    assert!(wrong(&[("fen", text(good))]).contains("variant = \"960\""));
    let both = [("variant", text("960")), ("fen", text(good)), ("position", Value::Int(3))];
    assert!(wrong(&both).contains("leave one of them out"));
}
