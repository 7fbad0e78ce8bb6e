//! Tests of checkers: rules, texts, and moves that other programs list.

use std::collections::HashSet;

use crate::support::chance::{build, follow};
use crate::support::rules::{RandomGames, random_games};
use agon::games::checkers::CheckersState;
use agon::games::{
    Checkers, Configurable, Drawing, Game, Notation, Repetition, SearchHints, Turn, Weights, perft,
};
use agon::params::{Value, Values};
use agon::play::{AnyGame, OpeningRule, OpeningSource, ReadOpening};

fn game() -> Checkers {
    build(&[], &[])
}

fn position(text: &str) -> CheckersState {
    game().read_position(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn texts(state: &CheckersState) -> String {
    let mut moves = Vec::new();
    game().moves(state, &mut moves);
    let mut texts = Vec::new();
    for mv in moves {
        let mut text = String::new();
        game().write_move(state, mv, &mut text);
        texts.push(text);
    }
    texts.join(" ")
}

#[test]
fn black_begins_on_squares_1_to_12() {
    let (game, start) = (game(), game().start());
    assert_eq!(
        game.write_position(&start),
        "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
    );
    assert_eq!(texts(&start), "9-13 10-14 11-15 12-16 9-14 10-15 11-16");
    let state = follow(&game, &start, "11-15 22-18 15x22");
    assert_eq!(texts(&state), "25x18 26x17");
    let board = [
        "   1-4   b   b   b   b",
        "   5-8 b   b   b   b",
        "  9-12   b   b   .   b",
        " 13-16 .   .   .   .",
        " 17-20   .   .   .   .",
        " 21-24 w   b   w   w",
        " 25-28   w   w   w   w",
        " 29-32 w   w   w   w",
        "White to move",
    ];
    assert_eq!(game.drawing().text(&state).lines().collect::<Vec<_>>(), board);
}

/// The file says which programs list the moves.
#[test]
fn moves_are_those_of_other_programs() {
    let game = game();
    let file = include_str!("../data/games/checkers.txt");
    let mut orders = 0;
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let (text, routes) = line.split_once(" |").expect("a position and its moves");
        let state = position(text);
        assert_eq!(game.write_position(&state), text);
        let read = |route: &str| game.notation().read_move(&state, route);
        let read: Vec<_> =
            routes.split_whitespace().map(|route| read(route).expect(text)).collect();
        let listed: HashSet<_> = read.iter().copied().collect();
        orders += read.len() - listed.len();
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        assert_eq!(moves.len(), listed.len(), "{line}");
        assert!(moves.iter().all(|mv| listed.contains(mv)), "{line}");
    }
    assert_eq!(orders, 2, "captures in two orders");
}

/// The figures after the start are in perft.txt.
#[test]
#[ignore = "takes long without optimisation"]
fn eleven_plies_from_the_start() {
    let game = game();
    for (depth, count) in [(9, 3_963_680), (10, 18_391_564), (11, 85_242_128)] {
        assert_eq!(perft(&game, &game.start(), depth), count, "{depth}");
    }
}

#[test]
fn a_capture_with_one_route_is_written_short() {
    let game = game();
    // Two captures lead from 2 to 18.
    let state = position("B:W6,7,14,15:B2,12");
    assert_eq!(texts(&state), "2x9x18 2x11x18");
    for (text, captured) in
        [("2x9x18", [6, 14]), ("2-9-18", [6, 14]), ("2:11:18", [7, 15]), (" 2X11X18 ", [7, 15])]
    {
        let mv = game.notation().read_move(&state, text).expect(text);
        let bits: u32 = captured.iter().map(|square| 1 << (square - 1)).sum();
        assert_eq!(mv.captured, bits, "{text}");
    }
    let error = game.notation().read_move(&state, "2x18").expect_err("two captures");
    assert_eq!(error, "`2x18` is not clear; it may be: 2x9x18, 2x11x18");
    let error = game.notation().read_move(&state, "12-16").expect_err("captures are forced");
    assert_eq!(error, "`12-16` is not a legal move; legal: 2x9x18, 2x11x18");
    // A single jump and a longer capture: the short form is all squares of the single jump.
    let state = position("B:W18,19,27,31,K5,K9,K10,K11:B21,24,K20,K23,K26,K28,K29");
    let mv = game.notation().read_move(&state, "23x32").expect("a single jump");
    assert_eq!(mv.captured, 1 << 26);
    // With one route the short form is enough, and the long one is read.
    let state = position("B:W6,14:B2");
    assert_eq!(texts(&state), "2x18");
    assert_eq!(follow(&game, &state, "2x9x18"), follow(&game, &state, "2-18"));
}

#[test]
fn men_capture_forwards_and_stop_when_crowned() {
    let game = game();
    // A king could go on over 27, or begin over 10.
    let state = position("B:W10,26,27:B14,22");
    assert_eq!(texts(&state), "22x31");
    let end = follow(&game, &state, "22x31");
    assert_eq!(game.write_position(&end), "W:W10,27:B14,K31");
    assert_eq!(texts(&end), "10-6 27-23 10-7 27-24");
}

#[test]
fn a_king_can_end_where_it_began() {
    let game = game();
    let state = position("B:W18,19,26,27:B1,K31");
    assert_eq!(texts(&state), "31x31");
    let end = follow(&game, &state, "31x24x15x22x31");
    assert_eq!(end, follow(&game, &state, "31x22x15x24x31"));
    assert_eq!(game.write_position(&end), "W:W:B1,K31");
    assert_eq!(
        (game.turn(&end), game.payoff(&end), game.reason(&end)),
        (Turn::Over, 1, "no pieces left")
    );
}

#[test]
fn a_player_without_a_move_loses() {
    let game = game();
    let end = position("W:W12:B8,3");
    assert_eq!(game.turn(&end), Turn::Over);
    assert_eq!((game.payoff(&end), game.reason(&end)), (1, "no moves"));
    assert!(game.drawing().text(&end).ends_with("White cannot move: Black has won\n"));
}

#[test]
fn quiet_moves_are_counted_and_end_the_game() {
    let game: Checkers = build(&[("quiet_moves", 2)], &[]);
    let start = game.read_position("B:W25,K32:B5,K1").expect("a position");
    let state = follow(&game, &start, "1-6 32-27 6-1");
    assert_eq!(game.write_position(&state), "W:W25,K27:B5,K1:H3");
    let end = follow(&game, &state, "27-32");
    assert_eq!(
        (game.turn(&end), game.payoff(&end), game.reason(&end)),
        (Turn::Over, 0, "no progress")
    );
    assert_ne!(end, start, "the game is over in one of them");
    assert_eq!(game.read_position(&game.write_position(&end)), Ok(end));
    // A man's move and a capture begin the count again.
    let state = follow(&game, &state, "25-21");
    assert_eq!(game.write_position(&state), "B:W21,K27:B5,K1");
    // A player without a move has lost, also with the last quiet move.
    let lost = game.read_position("W:W12:BK3,K8:H4").expect("a position");
    assert_eq!((game.payoff(&lost), game.reason(&lost)), (1, "no moves"));
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let game = game();
    let mut state = position("B:WK32:BK1");
    let (mut keys, mut ends) = (Vec::new(), Vec::new());
    for word in "1-6 32-27 6-1 27-32 1-6 32-27 6-1 27-32 1-6".split(' ') {
        keys.push(game.key(&state));
        state = follow(&game, &state, word);
        ends.push(game.repetition().ended_by_history(&state, &keys));
    }
    assert_eq!(ends[..7], [None; 7]);
    assert_eq!(ends[7], Some("threefold"));
}

#[test]
fn positions_that_cannot_be_are_refused() {
    let game = game();
    for (text, why) in [
        ("", "`` is not a side: begin with `B:` or `W:`"),
        ("X:W18:B1", "`X` is not a side"),
        ("B:W18", "Black's pieces are missing: add `:B` and their squares"),
        ("B:B18", "White's pieces are missing"),
        ("B", "Black's pieces are missing"),
        ("B:W18:B1:W19", "two lists of White's pieces: write one"),
        ("B:W33:B1", "`33` of White is not a square: squares are 1 to 32"),
        ("B:W0:B1", "`0` of White is not a square"),
        ("B:W18:BK", "`K` of Black is not a square"),
        ("B:W18,:B1", "`` of White is not a square"),
        ("B:W18,K18:B1", "square 18 of White comes twice: write it once"),
        ("B:W18,19:BK18", "square 18 has a piece of both sides: remove one"),
        ("B:W3:B9", "a man of White on its last row, square 3: write `K3`"),
        ("B:W18:B9,32", "a man of Black on its last row, square 32: write `K32`"),
        ("B:W20-32:B1", "White has 13 pieces: a side has at most 12"),
        ("B:W:B1", "White has no pieces but has just moved"),
        ("W:W:B", "Black has no pieces but has just moved"),
        ("B:W18:B1:H81", "`H81` is not a number of plies without progress: from `H0` to `H80`"),
        ("B:W18:B1:X", "`X` is not a list of pieces"),
        (
            "W:WK15-14:BK28",
            "`K15-14` of White is not a range: the smaller square comes first, `K14-15`",
        ),
        (
            "W:W21,32-22:B1-12",
            "`32-22` of White is not a range: the smaller square comes first, `22-32`",
        ),
        ("W:W21-32:B1-8,7-12", "square 7 of Black comes twice"),
        ("W:W21-33:B1-12", "`21-33` of White is not a square"),
        ("W:W0-3:B1-12", "`0-3` of White is not a square"),
        ("W:W+21:B1", "`+21` of White is not a square"),
        ("W:W21:B1:H+3", "`H+3` is not a number of plies"),
        ("W:W21:B1:H3:H4", "`H` comes twice: write it once"),
        ("W:W21:B1:F-2", "`F-2` is not a number of the move"),
    ] {
        let error = game.read_position(text).expect_err(text);
        assert!(error.contains(why), "{text}: {error}");
    }
    for text in [
        "b:b1-12:w21-32",
        " B : W21-32 : B1-12 . ",
        "B:W21-32:B1-12:H0:F1",
        "B:W21-21,22-32:B01,2-12",
    ] {
        assert_eq!(game.read_position(text), Ok(game.start()), "{text}");
    }
    let kings = "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29";
    assert_eq!(game.write_position(&position(kings)), kings);
}

/// The commas of a position do not separate moves.
#[test]
fn openings_are_positions_or_moves() {
    let any = AnyGame::of(game());
    let fen = "B:W18,24,K10:B12,K22";
    assert_eq!(opening(&any, fen), Ok(fen.to_owned()));
    assert_eq!(opening(&any, "11-15, 22-18 15x22"), Ok("11-15, 22-18 15x22".to_owned()));
    let error = opening(&any, "B:W18,33:B12").expect_err("no such square");
    assert!(error.starts_with("`33` of White is not a square"), "{error}");
    let error = opening(&any, "11-15 22-19").expect_err("not a move");
    assert!(error.starts_with("`22-19` is not a legal move"), "{error}");
}

#[test]
fn parameters_have_a_range() {
    for wrong in [0, 121] {
        let mut values = Values::default();
        values.set("quiet_moves", Value::Int(wrong));
        let error = Checkers::build(&values).expect_err("out of range");
        assert_eq!(error.key.as_deref(), Some("quiet_moves"), "{error}");
    }
}

#[test]
fn captures_are_not_quiet() {
    let (game, mut noisy) = (game(), Vec::new());
    let state = follow(&game, &game.start(), "11-15 22-18");
    assert!(!game.hints().stand_pat(&state));
    game.hints().noisy(&state, &mut noisy);
    assert_eq!(noisy.len(), 1);
    assert!(game.hints().stand_pat(&game.start()));
    game.hints().noisy(&game.start(), &mut noisy);
    assert_eq!(noisy.len(), 1);
}

#[test]
fn evaluators_count_men_and_kings() {
    let (game, state) = (game(), position("B:W18,K22:B9,K1,K29"));
    for (name, weights, value) in [
        ("material", vec![], 130),
        ("material", vec![("kings", 200)], 200),
        ("linear", vec![("home", 0), ("advance", 0), ("centre", 0), ("turn", 0)], 130),
        // Rows advanced: two of the man on 9, three of the man on 18.
        (
            "linear",
            vec![("men", 0), ("kings", 0), ("home", 0), ("advance", 1), ("centre", 0), ("turn", 0)],
            -1,
        ),
        (
            "linear",
            vec![("men", 0), ("kings", 0), ("home", 0), ("advance", 0), ("centre", 1), ("turn", 0)],
            -2,
        ),
    ] {
        let weights: Weights = weights
            .into_iter()
            .map(|(name, weight): (&str, i64)| (name.to_owned(), weight))
            .collect();
        let evaluator = game.evaluator(name, &weights).expect(name);
        let found = agon::games::Evaluator::evaluate(&evaluator, &game, &state);
        assert_eq!(found, value, "{name} {weights:?}");
    }
}

/// A separate program with the move generator of py-draughts 1.10.1 has these shares and lengths in
/// 40 000 random games.
#[test]
fn random_games_agree_with_another_program() {
    let game = game();
    let RandomGames { wins, draws, plies, .. } = random_games(&game, 10_000);
    // Four standard errors of the difference.
    assert!((wins - 0.4851).abs() < 0.0225, "{wins}");
    assert!((draws - 0.0055).abs() < 0.0033, "{draws}");
    assert!((plies - 70.602).abs() < 0.9, "{plies}");
}

/// The line as an entry of a list of openings.
fn opening(any: &AnyGame, line: &str) -> Result<String, String> {
    match any.read_opening(OpeningSource::Line(line), &OpeningRule::default()) {
        Ok(ReadOpening::Playable { text, .. }) => Ok(text),
        Ok(ReadOpening::Over(reason)) => Err(reason.to_owned()),
        Err(error) => Err(error.message),
    }
}
