//! Tests of Breakthrough: rules, texts and known results.

use crate::support::chance::{build, follow};
use crate::support::rules::{RandomGames, check_solver, random_games};
use agon::games::{
    Breakthrough, Configurable, Exact, Game, Notation, Player, SearchHints, Symmetry, Threat, Turn,
    Zero, conformance, perft,
};
use agon::params::{Value, Values};
use agon::solve::exact_solver;
use std::sync::Arc;

fn game(columns: i64, rows: i64) -> Breakthrough {
    build(&[("columns", columns), ("rows", rows)], &[])
}

fn texts(game: &Breakthrough, position: &str) -> String {
    let state = game.read_position(position).expect(position);
    let mut moves = Vec::new();
    game.moves(&state, &mut moves);
    let mut texts = String::new();
    for mv in moves {
        game.write_move(&state, mv, &mut texts);
        texts.push(' ');
    }
    texts.trim_end().to_owned()
}

#[test]
fn the_start_has_two_rows_of_each_side() {
    let (standard, small) = (game(8, 8), game(3, 5));
    assert_eq!(
        standard.write_position(&standard.start()),
        "oooooooo/oooooooo/......../......../......../......../xxxxxxxx/xxxxxxxx first"
    );
    assert_eq!(small.write_position(&small.start()), "ooo/ooo/.../xxx/xxx first");
    assert_eq!(texts(&small, "ooo/ooo/.../xxx/xxx first"), "b2a3 c2b3 a2a3 b2b3 c2c3 a2b3 b2c3");
}

#[test]
fn pieces_step_forward_and_capture_diagonally_only() {
    let game = game(3, 5);
    // The piece on b3 is blocked in front and captures on both sides.
    assert_eq!(texts(&game, ".o./ooo/.x./.../... first"), "b3a4 b3c4");
    assert_eq!(texts(&game, ".../.../.o./xxx/... second"), "b3a2 b3c2");
    // An own piece blocks every direction.
    assert_eq!(texts(&game, "o../.../xxx/.x./... first"), "b3a4 c3b4 a3a4 b3b4 c3c4 a3b4 b3c4");
    let state = game.read_position(".o./ooo/.x./.../... first").expect("a position");
    let state = follow(&game, &state, "b3xc4");
    assert_eq!(game.write_position(&state), ".o./oox/.../.../... second");
    assert_eq!(game.write_position(&follow(&game, &state, "b5c4")), ".../ooo/.../.../... first");
}

#[test]
fn the_last_row_or_the_last_piece_wins() {
    let game = game(3, 5);
    for (position, mv, winner, reason) in [
        ("o../.x./.../.../... first", "b4b5", Player::First, "last row"),
        ("o../.x./.../.../... second", "a5b4", Player::Second, "no pieces left"),
        (".../.../..x/.o./..x second", "b2b1", Player::Second, "last row"),
    ] {
        let end = follow(&game, &game.read_position(position).expect(position), mv);
        assert_eq!(game.turn(&end), Turn::Over, "{position}");
        assert_eq!((game.payoff(&end), game.reason(&end)), (winner.sign(), reason), "{position}");
    }
}

#[test]
fn moves_are_read_in_every_usual_form() {
    let game = game(5, 5);
    let state = game.read_position("ooooo/oo.oo/.o.../xxxxx/xxxxx first").expect("a position");
    let legal = |text: &str| {
        let mut written = String::new();
        game.write_move(&state, game.notation().read_move(&state, text)?, &mut written);
        Ok::<_, String>(written)
    };
    for text in ["c2b3", "C2-B3", "c2xb3", "c2b3*", "c2:b3", "cb3", " cxb3 "] {
        assert_eq!(legal(text).as_deref(), Ok("c2b3"), "{text}");
    }
    let unclear = legal("b3").expect_err("two pieces can capture");
    assert_eq!(unclear, "`b3` is not clear; it may be: c2b3, a2b3");
    let error = legal("b2b3").expect_err("a straight step does not capture");
    assert!(error.starts_with("`b2b3` is not a legal move; legal: b2a3, c2b3, d2c3, "), "{error}");
    let all = self::game(8, 8);
    let error = all.notation().read_move(&all.start(), "a1a2").expect_err("an own piece");
    assert!(error.ends_with("d2d3, e2e3, …"), "{error}");
}

#[test]
fn positions_that_cannot_be_are_refused() {
    let game = game(3, 5);
    for (text, why) in [
        ("", "0 cells"),
        ("ooo/ooo/.../xxx first", "4 rows"),
        ("ooo/ooo/..../xxx/xxx first", "row 3 from the top has 4 cells"),
        ("ooo/ooo/..z/xxx/xxx first", "`z` is not a cell"),
        ("ooo/ooo/..x/xxx/xxx first", "7 `x`, but the first player begins with 6"),
        ("xo./.../.../.../o.. first", "both sides have won"),
        ("x.x/.../.../ooo/... second", "two pieces on the last row"),
        ("x../.../.../ooo/... first", "the first player has won, so `second` comes"),
    ] {
        let error = game.read_position(text).expect_err(text);
        assert!(error.contains(why), "{text}: {error}");
    }
    // The side after the rows may be left out, and rows may be written without slashes.
    for text in ["x../.../.../ooo/...", "X.. ... ... OOO ... o", " x--|---|---|ooo|--- second "] {
        let state = game.read_position(text).expect(text);
        assert_eq!(game.write_position(&state), "x../.../.../ooo/... second", "{text}");
    }
}

#[test]
fn sizes_out_of_range_are_refused_at_their_key() {
    for (key, wrong) in [("columns", 1), ("columns", 9), ("rows", 3), ("rows", 9)] {
        let mut values = Values::default();
        values.set(key, Value::Int(wrong));
        let error = Breakthrough::build(&values).expect_err("out of range");
        assert_eq!(error.key.as_deref(), Some(key));
        assert!(!error.help.is_empty());
    }
}

#[test]
fn forced_moves_are_seen() {
    let game = game(5, 6);
    let threat = |position: &str| {
        let state = game.read_position(position).expect(position);
        match game.hints().threat(&state) {
            Threat::Win(mv) | Threat::Reply(mv) => {
                let mut text = String::new();
                game.write_move(&state, mv, &mut text);
                text
            }
            other => format!("{other:?}"),
        }
    };
    for (position, expected) in [
        ("ooooo/...../...../...../...../xxxxx first", "None"),
        ("ooooo/..x../...../...../..o../xxxxx first", "c5b6"),
        ("ooooo/...../...../...../....o/xxx.x first", "Lost"),
        ("ooooo/...../...../...../....o/xxxx. first", "d1e2"),
        ("ooooo/...../...../...../..o../xxxxx first", "Unknown"),
        ("ooooo/...../...../...../o...o/xxxxx first", "Lost"),
        ("...../...../..o../...../...../xxxxx first", "Unknown"),
    ] {
        assert_eq!(threat(position), expected, "{position}");
    }
}

#[test]
fn openings_are_distinct_up_to_reflection() {
    let game = game(8, 8);
    let keys = ["a2a3", "h2h3", "b2a3"]
        .map(|mv| game.symmetry().canonical_key(&follow(&game, &game.start(), mv)));
    assert_eq!(keys[0], keys[1]);
    assert_ne!(keys[0], keys[2]);
}

/// `breakthrough` of OpenSpiel 2.0.2 has these shares and lengths in 40 000 random games.
#[test]
fn random_games_agree_with_another_program() {
    let game = game(8, 8);
    let RandomGames { wins, plies, .. } = random_games(&game, 20_000);
    // Four standard errors of the difference.
    assert!((wins - 0.5090).abs() < 0.0175, "{wins}");
    assert!((plies - 64.105).abs() < 0.56, "{plies}");
}

#[test]
#[ignore = "takes long without optimisation"]
fn five_plies_of_the_usual_board() {
    let game = game(8, 8);
    assert_eq!(perft(&game, &game.start(), 5), 6_182_818);
}

#[test]
fn endings_on_larger_boards_have_the_values_of_plain_alpha_beta() {
    for (columns, rows) in [(3, 7), (5, 5)] {
        let game = game(columns, rows);
        let mut positions = conformance::positions(&game, 25, 4);
        let pieces =
            |player, state: &<Breakthrough as Game>::State| state.pieces(player).count_ones();
        positions.retain(|state| {
            pieces(Player::First, state) + pieces(Player::Second, state) <= 2 * columns as u32 + 3
        });
        assert!(positions.len() > 10, "{}", positions.len());
        check_solver(&game, Arc::new(Zero), &positions);
    }
}

/// A player of Little Golem found in 2006 that the second player wins.
#[test]
#[ignore = "takes minutes without optimisation"]
fn five_by_five_is_won_by_the_second_player() {
    let game = game(5, 5);
    let mut solver = exact_solver(&game).map_err(|no| no.why).expect("a solver");
    assert_eq!(solver.value(&game, &game.start()), Exact { mean: -1.0, plies: None });
}
