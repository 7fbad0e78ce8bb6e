//! Tests of Go: rules, texts and known results.

use crate::support::chance::{build, follow};
use crate::support::games::build as from_text;
use crate::support::rules::random_games;
use agon::games::{
    Configurable, Drawing, Game, Go, Notation, Player, Scoring, Shortcuts, Turn, perft,
};
use agon::params::{Value, Values};
use agon::solve::exact_solver;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

fn game(size: i64) -> Go {
    build(&[("size", size)], &[])
}

fn refused(game: &Go, state: &<Go as Game>::State, mv: &str) -> String {
    game.notation().read_move(state, mv).expect_err(mv)
}

#[test]
fn moves_are_points_from_the_bottom_left_without_i_and_a_pass() {
    let game = game(9);
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    let text = |mv| {
        let mut text = String::new();
        game.write_move(&game.start(), mv, &mut text);
        text
    };
    assert_eq!(
        [0, 8, 9, 80, 81].map(|number| text(moves[number])),
        ["A1", "J1", "A2", "J9", "pass"]
    );
    for (lenient, strict) in [("j9", "J9"), (" e5 ", "E5"), ("PASS", "pass")] {
        let read = game.notation().read_move(&game.start(), lenient).expect("a move");
        assert_eq!(text(read), strict);
    }
    for wrong in ["I5", "K1", "A0", "A10", "5", "A", "A+1", "", "É1"] {
        let error = refused(&game, &game.start(), wrong);
        assert!(error.contains("is not a point: use A1 to J9, columns without I"), "{error}");
    }
}

/// The numbers for 5 by 5 are those of open_spiel.
#[test]
fn the_number_of_lines_is_known() {
    assert_eq!([1, 2].map(|depth| perft(&game(5), &game(5).start(), depth)), [26, 651]);
}

/// J. Tromp and G. Farnebäck, "Combinatorics of Go", 2007.
#[test]
fn the_number_of_legal_boards_is_known() {
    for (size, legal) in [(2, 57), (3, 12_675)] {
        let game = game(size);
        let points = (size * size) as u32;
        let board = |number: u32| {
            let cell = |point| [".", "x", "o"][(number / 3_u32.pow(point) % 3) as usize];
            (0..points).map(cell).collect::<String>()
        };
        let all = (0..3_u32.pow(points)).map(board);
        assert_eq!(all.filter(|text| game.read_position(text).is_ok()).count(), legal);
    }
}

#[test]
fn chains_without_liberties_are_captured() {
    let game = game(5);
    let state = game.read_position("...../..x../xoox./.xx../..... first").expect("a position");
    assert!(refused(&game, &state, "B3").contains("there is a stone"));
    let after = follow(&game, &state, "B4");
    assert_eq!(game.write_position(&after), "...../.xx../x..x./.xx../..... second");
}

#[test]
fn a_stone_is_not_taken_back_at_once() {
    let game = game(5);
    let state = game.read_position(".xo../xo.o./.xo../...../..... first").expect("a position");
    let taken = follow(&game, &state, "C4");
    assert_eq!(game.write_position(&taken), ".xo../x.xo./.xo../...../..... second ko=B4");
    assert!(refused(&game, &taken, "B4").contains("would recreate an earlier position"));
    // After an exchange elsewhere it can be taken.
    let back = follow(&game, &taken, "A1 E1 B4");
    assert!(game.write_position(&back).starts_with(".xo../xo.o./"));
    assert!(refused(&game, &back, "C4").contains("would recreate"));
    // A position read from its text forbids the same moves.
    let read = game.read_position(&game.write_position(&taken)).expect("a position");
    assert!(refused(&game, &read, "B4").contains("would recreate"));
    follow(&game, &read, "A1 E1 B4");
}

/// On two by two, positions recur after several moves, with passes between.
#[test]
fn no_position_recurs_in_any_game() {
    let game = game(2);
    let state = follow(&game, &game.start(), "A1 B2 A2 B1 A1 A2");
    // A stone on A1 would take three, and be alone as in the beginning.
    assert_eq!(game.write_position(&state), "oo/.o first superko=A1");
    assert!(refused(&game, &state, "A1").contains("would recreate"));
    let state = follow(&game, &state, "pass");
    assert_eq!(game.write_position(&state), "oo/.o second passes=1");
}

#[test]
fn suicide_is_allowed_on_request() {
    let position = "ox.../o..../...../...../..... second";
    let eye = ".xx../xx.../...../...../..... second";
    let chain = ".oox./oxxx./x..../...../..... second";
    let [without, with] = ["go:size=5", "go:size=5,suicide=true"].map(from_text::<Go>);
    for game in [&without, &with] {
        let state = game.read_position(position).expect("a position");
        follow(game, &state, "C5");
        // A single stone would leave the board as it was.
        let state = game.read_position(eye).expect("a position");
        assert!(!refused(game, &state, "A5").is_empty());
    }
    let state = without.read_position(chain).expect("a position");
    assert!(refused(&without, &state, "A5").contains("would have no liberty"));
    let after = follow(&with, &with.read_position(chain).expect("a position"), "A5");
    assert_eq!(with.write_position(&after), "...x./.xxx./x..../...../..... first");
}

#[test]
fn two_passes_end_the_game_and_areas_are_counted() {
    let half: Go = from_text("go:size=3,komi=0.5");
    let end = follow(&half, &half.start(), "B1 A2 B2 A3 B3 pass pass");
    assert_eq!((half.turn(&end), half.reason(&end)), (Turn::Over, "two passes"));
    // The first player has the two columns on the right. A1 reaches both sides.
    assert_eq!(half.payoff(&end), 2 * (6 - 2) - 1);
    assert_eq!(half.scoring().winner(&end), Some(Player::First));
    assert_eq!(half.write_position(&end), "ox./ox./.x. second passes=2");
    let four: Go = from_text("go:size=3,komi=4");
    assert_eq!(four.scoring().winner(&end), None);
    assert!(four.drawing().text(&end).ends_with("komi 4; area as it is: even; the game is over\n"));
    let empty = follow(&half, &half.start(), "pass pass");
    assert_eq!(half.payoff(&empty), -1);
}

/// 2×2: J. Tromp, "Go on 2x2"; 3×3: E. van der Werf and others, "Solving Go on small boards", 2003.
#[test]
fn small_boards_are_solved() {
    let lead = |spec: &str, moves: &str| {
        let game: Go = from_text(spec);
        let state = follow(&game, &game.start(), moves);
        exact_solver(&game).expect("a solver").value(&game, &state).mean
    };
    assert_eq!(lead("go:size=2,komi=0,margin=true", ""), 2.0);
    assert_eq!(lead("go:size=3,komi=0,margin=true", ""), 18.0);
    assert_eq!(lead("go:size=3,komi=8.5,margin=true", "B2"), 1.0);
    assert_eq!(lead("go:size=3,komi=8.5", "B2"), 1.0);
    assert_eq!(lead("go:size=3,komi=9", "B2"), 0.0);
    assert!(exact_solver(&from_text::<Go>("go:size=4")).is_err());
}

#[test]
fn positions_that_cannot_be_are_refused() {
    let game = game(3);
    for (text, error) in [
        ("xx./xx./x.", "cells"),
        ("xxx/xxx/xxx", "the stone on A1 has no liberty"),
        (".../.../... passes=3", "use 0, 1 or 2"),
        (".../.../... ko=A1", "does not take one stone"),
        (".../.../... superko=D1", "is not a point"),
        ("x../.../... superko=A3", "no stone can be placed there anyway"),
        (".../.../... captured=1", "unknown word `captured`"),
    ] {
        let found = game.read_position(text).expect_err(text);
        assert!(found.contains(error), "{text}: {found}");
    }
    let mut komi = Values::default();
    komi.set("komi", Value::Float(6.25));
    assert!(Go::build(&komi).expect_err("quarters").message.contains("quarters"));
    assert!(from_text::<Go>("go:size=2,komi=4").warnings()[0].contains("cannot lose"));
}

/// The means are those of 5 000 games of open_spiel.
#[test]
fn random_games_have_the_known_length() {
    let found = random_games(&game(5), 2_000);
    assert!((found.plies - 38.0).abs() < 1.5, "{} plies", found.plies);
    assert!((found.wins - 0.266).abs() < 0.03, "{} won", found.wins);
}

#[test]
fn the_largest_board_has_all_its_points() {
    let game = game(19);
    let (mut rng, mut moves) = (ChaCha8Rng::seed_from_u64(1), Vec::new());
    let mut state = game.start();
    while game.turn(&state) != Turn::Over {
        let mv = game.shortcuts().random_move(&state, &mut rng, &mut moves);
        game.play(&mut state, mv);
        let text = game.write_position(&state);
        assert_eq!(game.read_position(&text), Ok(state.clone()), "{text}");
    }
    let state = follow(&game, &game.start(), "T19 A19 T1 J10");
    assert_eq!(game.write_position(&state).matches(['x', 'o']).count(), 4);
    assert!(game.write_position(&state).starts_with("o.................x/"));
}

/// Needs the games that `.ci/go` writes.
#[test]
#[ignore = "needs games of open_spiel: run .ci/go"]
fn games_of_open_spiel_are_the_same() {
    let path = std::env::var("AGON_GO_GAMES").expect("AGON_GO_GAMES: a file of .ci/go");
    let text = std::fs::read_to_string(path).expect("the games");
    let (mut games, mut plies, mut moves) = (0, 0, Vec::new());
    let (mut go, mut state) = (game(9), game(9).start());
    for line in text.lines() {
        if let Some(size) = line.strip_prefix("size ") {
            go = from_text(&format!("go:size={size},komi=0.5"));
            state = go.start();
            continue;
        }
        let fields: Vec<&str> = line.split('|').collect();
        let written = go.write_position(&state);
        assert_eq!(written.split(' ').next(), Some(fields[0]), "{line}");
        if let Some(result) = fields[1].strip_prefix("result ") {
            assert_eq!(go.turn(&state), Turn::Over, "{line}");
            assert_eq!(go.payoff(&state).signum().to_string(), result, "{line}");
            games += 1;
            continue;
        }
        let text = |mv| {
            let mut text = String::new();
            go.write_move(&state, mv, &mut text);
            text.to_lowercase()
        };
        moves.clear();
        go.moves(&state, &mut moves);
        let mut own: Vec<String> = moves.iter().map(|&mv| text(mv)).collect();
        let mut others: Vec<String> = fields[1].split(' ').map(str::to_lowercase).collect();
        own.sort();
        others.sort();
        assert_eq!(own, others, "{written}: {line}");
        state = follow(&go, &state, fields[2]);
        plies += 1;
    }
    println!("{games} games, {plies} plies: no difference");
    assert!(games > 0);
}
