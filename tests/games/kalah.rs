//! Tests of Kalah: rules, texts and known results.

use crate::support::chance::{build, follow};
use crate::support::rules::{RandomGames, check_solver, random_games};
use std::sync::Arc;

use agon::games::kalah::Stores;
use agon::games::{
    Configurable, Drawing, Game, Kalah, Notation, Player, Scoring, Turn, conformance,
};
use agon::params::{Value, Values};
use agon::solve::exact_solver;

fn game(pits: i64, seeds: i64) -> Kalah {
    build(&[("pits", pits), ("seeds", seeds)], &[])
}

#[track_caller]
fn after(game: &Kalah, position: &str, moves: &str, expected: &str) {
    let state = game.read_position(position).expect(position);
    assert_eq!(game.write_position(&follow(game, &state, moves)), expected);
}

#[test]
fn stones_are_sown_around_the_board() {
    let game = game(6, 4);
    assert_eq!(game.write_position(&game.start()), "4 4 4 4 4 4 0 / 4 4 4 4 4 4 0 first");
    let start = "4 4 4 4 4 4 0 / 4 4 4 4 4 4 0 first";
    after(&game, start, "1", "0 5 5 5 5 4 0 / 4 4 4 4 4 4 0 second");
    after(&game, start, "6", "4 4 4 4 4 0 1 / 5 5 5 4 4 4 0 second");
    // The last stone falls into the store: the same player moves again.
    after(&game, start, "3", "4 4 0 5 5 5 1 / 4 4 4 4 4 4 0 first");
    after(&game, start, "3 6 3", "5 4 0 5 5 0 2 / 5 5 0 6 5 5 1 first");
    // Ten stones leave out the opponent's store, and the last one captures.
    let far = "0 0 0 0 0 10 0 / 1 1 1 1 1 1 32 first";
    after(&game, far, "6", "1 1 0 0 0 0 4 / 2 2 2 0 2 2 32 second");
    // Thirteen stones go around, and the last one falls into the pit that they left.
    let round = "13 1 1 0 0 0 10 / 0 0 1 1 1 1 19 first";
    after(&game, round, "1", "0 2 2 1 1 1 14 / 1 1 2 2 2 0 19 second");
    let second = "0 0 0 0 0 9 30 / 1 0 0 0 0 8 0 second";
    after(&game, second, "6", "1 1 1 1 1 10 30 / 2 0 0 0 0 0 1 first");
}

#[test]
fn the_last_stone_captures_the_opposite_pit() {
    let game = game(3, 3);
    after(&game, "1 0 2 3 / 1 4 1 6 first", "1", "0 0 2 8 / 1 0 1 6 second");
    // If the opposite pit is empty, the stone stays.
    after(&game, "1 0 2 3 / 1 0 5 6 first", "1", "0 1 2 3 / 1 0 5 6 second");
    // No capture on the other side.
    after(&game, "1 0 3 3 / 1 0 4 6 first", "3", "1 0 0 4 / 2 1 4 6 second");
}

#[test]
fn the_game_ends_when_a_side_is_empty() {
    let game = game(3, 3);
    // The last stone of the first player gives another move, but there is no stone to move.
    let state = game.read_position("0 0 1 5 / 2 3 1 6 first").expect("a position");
    let end = follow(&game, &state, "3");
    assert_eq!(game.write_position(&end), "0 0 0 6 / 0 0 0 12 first");
    assert_eq!((game.turn(&end), game.reason(&end)), (Turn::Over, "side empty"));
    assert_eq!((game.payoff(&end), game.scoring().winner(&end)), (-6, Some(Player::Second)));
    // A capture that empties the other side: the mover keeps the rest.
    let state = game.read_position("1 0 2 3 / 0 4 0 8 first").expect("a position");
    let end = follow(&game, &state, "1");
    assert_eq!(game.write_position(&end), "0 0 0 10 / 0 0 0 8 first");
    let even = game.read_position("0 0 0 9 / 0 0 0 9 second").expect("a position");
    assert_eq!((game.turn(&even), game.scoring().winner(&even)), (Turn::Over, None));
}

#[test]
fn moves_and_positions_are_read_leniently() {
    let game = game(6, 4);
    let start = game.start();
    for text in ["3", " 3 ", "c", "C"] {
        assert_eq!(game.notation().read_move(&start, text), Ok(2), "{text}");
    }
    let state = follow(&game, &start, "1");
    let state = follow(&game, &state, "2");
    let error = game.notation().read_move(&state, "1").expect_err("an empty pit");
    assert_eq!(error, "`1` is not a legal move; legal: 2, 3, 4, 5, 6");
    for text in ["4 4 4 4 4 4 0 / 4 4 4 4 4 4 0", "4,4,4,4,4,4,(0)/4-4-4-4-4-4-0 x"] {
        assert_eq!(game.read_position(text), Ok(start), "{text}");
    }
}

#[test]
fn positions_that_cannot_be_are_refused() {
    let game = game(3, 3);
    for (text, why) in [
        ("", "write both sides with `/` between them"),
        ("3 3 3 0 3 3 3 0 first", "as in `3 3 3 0 / 3 3 3 0 first`"),
        ("3 3 3 0 / 3 3 3 first", "3 numbers for the second player, but there are 3 pits"),
        ("3 3 3 0 / 3 3 3 1 first", "19 stones, but the game has 18"),
        ("3 3 3 0 / 3 3 x 0 first", "`x` is not a number of stones: 0 to 18"),
        ("3 3 3 0 / 3 3 300 0 first", "`300` is not a number of stones"),
        ("3 -3 3 0 / 3 3 3 0 first", "`-3` is not a number of stones"),
        ("3 3 3 0 / 3 +3 3 0 first", "`+3` is not a number of stones"),
        ("3 3 3 0 / 3 3 ٣ 0 first", "`٣` is not a number of stones"),
        ("3-3--3-0 / 3 3 3 0 first", "`3-3--3-0` is not a number of stones"),
        ("0 0 0 6 / 3 3 3 3 second", "the first player has no stones in the pits"),
    ] {
        let error = game.read_position(text).expect_err(text);
        assert!(error.contains(why), "{text}: {error}");
    }
}

#[test]
fn numbers_out_of_range_are_refused_at_their_key() {
    for (key, wrong) in [("pits", 0), ("pits", 8), ("seeds", 0), ("seeds", 11)] {
        let mut values = Values::default();
        values.set(key, Value::Int(wrong));
        let error = Kalah::build(&values).expect_err("out of range");
        assert_eq!(error.key.as_deref(), Some(key));
        assert!(!error.help.is_empty());
    }
}

#[test]
fn the_board_is_drawn_as_it_is_on_the_table() {
    let game = game(6, 4);
    let state = follow(&game, &game.start(), "1 3");
    assert_eq!(
        game.drawing().text(&state),
        "       6   5   4   3   2   1
   o   5   5   5   0   4   4
   1                          0
   x   0   5   5   5   5   4
       1   2   3   4   5   6
o to move
"
    );
}

/// The values of the starts in stones, if the solver is offered.
fn check(values: &[(i64, &[i32])]) {
    for &(pits, values) in values {
        for (seeds, value) in (1..).zip(values) {
            let game = game(pits, seeds);
            let mut solver = exact_solver(&game).map_err(|no| no.why).expect("a small game");
            let found = solver.value(&game, &game.start()).mean;
            assert_eq!(found, f64::from(*value), "{pits} pits, {seeds} seeds");
        }
    }
}

/// The values of a separate program under exactly these rules, in stones for the first player.
#[test]
fn small_games_have_their_known_values() {
    check(&[
        (1, &[0, -2, 6, -2, 2, 0]),
        (2, &[2, -2, -2, -10, 6, 8]),
        (3, &[0, 4, 2, 2, 6, -8]),
        (4, &[2, 6]),
        (5, &[0, 2]),
    ]);
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn larger_games_have_their_known_values() {
    // The values of 4 pits with 6 and 7 seeds, of 5 with 4, and of 6 and 7 pits have no source but this solver.
    check(&[(4, &[2, 6, 6, 2, 4, 0, 10]), (5, &[0, 2, 6, 10]), (6, &[2, 6, 2]), (7, &[0, 6])]);
}

#[test]
fn values_are_those_of_plain_alpha_beta() {
    for (pits, seeds) in [(1, 5), (2, 3), (3, 2)] {
        let game = game(pits, seeds);
        check_solver(&game, Arc::new(Stores), &conformance::positions(&game, 8, 7));
    }
}

/// A separate program has these means in 40 000 random games.
#[test]
fn random_games_agree_with_another_program() {
    let game = game(6, 4);
    let RandomGames { payoff: lead, plies, .. } = random_games(&game, 40_000);
    // Four standard errors of the difference.
    assert!((lead - 0.488).abs() < 0.35, "{lead}");
    assert!((plies - 44.077).abs() < 0.31, "{plies}");
}
