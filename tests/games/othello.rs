//! Tests of Othello: rules, texts and known results.

use crate::support::chance::{build, follow};
use crate::support::rules::{RandomGames, check_solver, random_games};
use agon::games::othello::{Mobility, OthelloMove};
use agon::games::{
    Configurable, Drawing, Game, Notation, Othello, Player, Scoring, Symmetry, Turn, conformance,
    perft,
};
use agon::params::{Value, Values};
use agon::solve::exact_solver;
use std::sync::Arc;

fn game(size: i64) -> Othello {
    build(&[("size", size)], &[])
}

fn texts(game: &Othello, state: &<Othello as Game>::State) -> String {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let mut texts = Vec::new();
    for mv in moves {
        let mut text = String::new();
        game.write_move(state, mv, &mut text);
        texts.push(text);
    }
    texts.join(" ")
}

#[test]
fn the_first_player_begins_with_d3_c4_f5_or_e6() {
    let game = game(8);
    assert_eq!(
        game.write_position(&game.start()),
        "......../......../......../...ox.../...xo.../......../......../........ first"
    );
    assert_eq!(texts(&game, &game.start()), "d3 c4 f5 e6");
    let state = follow(&game, &game.start(), "f5");
    assert_eq!(texts(&game, &state), "f4 d6 f6");
    assert_eq!(
        game.drawing().text(&state).lines().skip(3).collect::<Vec<_>>(),
        [
            " 4 . . . o x . . .",
            " 5 . . . x x x . .",
            " 6 . . . . . . . .",
            " 7 . . . . . . . .",
            " 8 . . . . . . . .",
            "   a b c d e f g h",
            "4 x, 1 o; o to move"
        ]
    );
}

/// The shortest game: after nine discs the second player has none.
#[test]
fn the_shortest_game_leaves_one_colour() {
    let game = game(8);
    let end = follow(&game, &game.start(), "e6 f4 e3 f6 g5 d6 e7 f5 c5");
    assert_eq!(
        (game.turn(&end), game.payoff(&end), game.reason(&end)),
        (Turn::Over, 13, "no moves")
    );
    assert_eq!(game.scoring().winner(&end), Some(Player::First));
}

#[test]
fn all_directions_are_turned_over() {
    let game = game(8);
    let star = "x.x.x.../.ooo..../xo.ox.../.oooo.../x.xox.../......../......../........ first";
    let state = follow(&game, &game.read_position(star).expect("a position"), "c3");
    assert_eq!(
        game.write_position(&state),
        "x.x.x.../.xxx..../xxxxx.../.xxxo.../x.xox.../......../......../........ second"
    );
    // Lines do not go on around the edge.
    let edge = "......../.....ooo/ox....../...ox.../...xo.../......../......../........ first";
    assert!(!texts(&game, &game.read_position(edge).expect("a position")).contains("e2"));
}

#[test]
fn a_player_passes_only_without_a_move() {
    for size in [4, 6, 8] {
        let game = game(size);
        let positions = conformance::positions(&game, 40, 1);
        let passes = positions.iter().filter(|state| texts(&game, state) == "pass");
        let mut seen = 0;
        for state in passes.filter(|state| game.turn(state) != Turn::Over) {
            for text in ["pass", "PASS", "ps", "--"] {
                let read = game.notation().read_move(state, text);
                assert_eq!(read, Ok(OthelloMove::PASS), "{text}");
            }
            let error = game.notation().read_move(state, "a1").expect_err("only a pass");
            assert_eq!(error, "`a1` is not a legal move; legal: pass");
            let after = follow(&game, state, "pass");
            assert_ne!(texts(&game, &after), "pass", "both would pass");
            assert_eq!(
                (after.side(), game.turn(&after)),
                (state.side().other(), Turn::Player(after.side()))
            );
            seen += 1;
        }
        assert!(seen > 0, "no pass on {size} rows");
        assert!(game.notation().read_move(&game.start(), "pass").is_err());
    }
}

#[test]
fn positions_that_cannot_be_are_refused() {
    let game = game(4);
    for (text, why) in [
        ("", "0 cells"),
        ("..../.ox./.xo. first", "3 rows"),
        ("..../.ox./.xq./.... first", "`q` is not a cell"),
        ("..../.ox./.x../.... first", "the four cells in the middle"),
    ] {
        let error = game.read_position(text).expect_err(text);
        assert!(error.contains(why), "{text}: {error}");
    }
    for text in ["..../.ox./.xo./....", "----|-OX-|-XO-|---- x", "_____ox__xo_____ first"] {
        assert_eq!(game.read_position(text), Ok(game.start()), "{text}");
    }
    let end = game.read_position("xxxx/xxxx/xxxx/xxxx second").expect("a position");
    assert_eq!(game.write_position(&end), "xxxx/xxxx/xxxx/xxxx first");
    assert_eq!((game.payoff(&end), game.reason(&end)), (16, "board full"));
}

#[test]
fn sizes_are_even() {
    for wrong in [3, 5, 7, 10] {
        let mut values = Values::default();
        values.set("size", Value::Int(wrong));
        let error = Othello::build(&values).expect_err("no such board");
        assert_eq!(error.key.as_deref(), Some("size"), "{error}");
        assert!(!error.help.is_empty());
    }
}

#[test]
fn the_first_moves_are_the_same_up_to_symmetry() {
    let game = game(8);
    let keys = ["d3", "c4", "f5", "e6"]
        .map(|mv| game.symmetry().canonical_key(&follow(&game, &game.start(), mv)));
    assert!(keys.iter().all(|key| *key == keys[0]));
}

/// `othello` of OpenSpiel 2.0.2 has these shares and lengths in 40 000 random games.
#[test]
fn random_games_agree_with_another_program() {
    let game = game(8);
    let RandomGames { wins, draws, plies, .. } = random_games(&game, 20_000);
    // Four standard errors of the difference.
    assert!((wins - 0.4560).abs() < 0.0175, "{wins}");
    assert!((draws - 0.0424).abs() < 0.007, "{draws}");
    assert!((plies - 60.407).abs() < 0.05, "{plies}");
}

#[test]
#[ignore = "takes long without optimisation"]
fn nine_plies_of_the_usual_board() {
    let game = game(8);
    assert_eq!(perft(&game, &game.start(), 9), 3_005_288);
}

/// The positions of random games with at most this number of empty cells.
fn endings(game: &Othello, games: u32, most: u32) -> Vec<<Othello as Game>::State> {
    let mut positions = conformance::positions(game, games, 5);
    let discs = |state: &<Othello as Game>::State| {
        (state.discs(Player::First) | state.discs(Player::Second)).count_ones()
    };
    positions.retain(|state| game.size() * game.size() - discs(state) <= most);
    positions
}

#[test]
fn values_are_those_of_plain_alpha_beta() {
    for (size, games, most) in [(4, 3, 10), (6, 6, 7), (8, 6, 7)] {
        let game = game(size);
        check_solver(&game, Arc::new(Mobility), &endings(&game, games, most));
    }
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn long_endings_have_the_values_of_plain_alpha_beta() {
    for (size, games, most) in [(4, 10, 12), (6, 10, 11), (8, 8, 11)] {
        let game = game(size);
        check_solver(&game, Arc::new(Mobility), &endings(&game, games, most));
    }
}

fn solved(game: &Othello, position: &str) -> (f64, String) {
    let mut solver = exact_solver(game).map_err(|no| no.why).expect("a solver");
    let state = game.read_position(position).expect("a position");
    let mut text = String::new();
    let value = solver.value(game, &state).mean;
    let best = solver.line_move(game, &state).expect("a move");
    game.write_move(&state, best, &mut text);
    (value, text)
}

/// Number 40 of the test of endings of the French Othello Federation.
#[test]
#[ignore = "takes a minute without optimisation"]
fn a_known_ending_of_twenty_cells_has_its_value() {
    let board = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- first";
    assert_eq!(solved(&game(8), board), (38.0, "a2".to_owned()));
}

/// J. Feinstein, "Amenor wins world 6x6 championships!", British Othello Federation's newsletter,
/// July 1993: the second player wins by four.
#[test]
#[ignore = "takes minutes with optimisation"]
fn six_rows_are_won_by_the_second_player_by_four() {
    let game = game(6);
    assert_eq!(solved(&game, &game.write_position(&game.start())).0, -4.0);
}

#[test]
fn early_positions_of_eight_rows_are_refused() {
    let game = game(8);
    let solver = exact_solver(&game).map_err(|no| no.why).expect("a solver");
    let no = solver.refuses(&game, &game.start()).expect("60 empty cells");
    assert!(no.why.starts_with("60 cells are empty"), "{}", no.why);
    assert!(endings(&game, 1, 20).iter().all(|state| solver.refuses(&game, state).is_none()));
}
