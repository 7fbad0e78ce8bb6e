//! Tests of typed text: accepted forms, rejected forms and their error messages.

use crate::support::games::{build, values};
use crate::support::visit::{Visit, with_game};
use agon::games::connect4::Base;
use agon::games::{
    Configurable, Connect4, Connect4Standard, Drawing, Evaluator, EvaluatorVisitor, Game, Mnk,
    Notation, TicTacToe, Weights, conformance,
};
use agon::params::ParamError;
use proptest::prelude::*;

/// Checks the error message for the text of a position.
#[track_caller]
fn refused<G: Game>(game: &G, position: &str, part: &str) {
    let error = game.read_position(position).expect_err(position);
    assert!(error.contains(part), "`{position}`: {error}");
}

#[test]
fn connect4_reads_moves_and_rows() {
    let game = build::<Connect4Standard>("connect4");
    let rows = "......./......./......./...x.../...o.../..oxx..";
    let state = game.read_position(rows).unwrap();
    assert_eq!(state.plies(), 5);
    assert_eq!(game.write_position(&state), rows);
    let same = [
        "44435",
        "4 4 4 3 5",
        "4,4,4,3,5",
        " 444 35 ",
        "0:33324",
        "0: 3 3 3 2 4",
        "_______/_______/_______/___X___/___O___/__OXX__",
        "....... ....... ....... ...x... ...o... ..oxx..",
    ];
    for text in same {
        assert_eq!(game.read_position(text).as_ref(), Ok(&state), "{text}");
    }
    assert_eq!(game.read_position(""), Ok(game.start()));
}

#[test]
fn connect4_says_what_is_wrong() {
    let game = build::<Connect4Standard>("connect4");
    refused(&game, "8", "move 1: `8` is not a column; legal: 1, 2, 3, 4, 5, 6, 7");
    refused(&game, "4444444", "move 7: column 4 is full; legal: 1, 2, 3, 5, 6, 7");
    refused(&game, "12121212", "move 8: the game is over");
    refused(&game, "0:7", "move 1: `7` is not a column; legal: 0, 1");
    refused(&game, "4x5", "move 2: `x` is not a column");
    let wide = build::<Connect4>("connect4:columns=12,rows=4");
    for number in ["+3", "-3", "٣", "4294967299"] {
        refused(&wide, number, &format!("move 1: `{number}` is not a column"));
    }
    let mnk = build::<Mnk<1>>("mnk:m=4,n=3,k=3");
    for cell in ["+3", "-3", "a+3", "a٣", "٣", "4294967299"] {
        refused(&mnk, cell, &format!("move 1: `{cell}` is not a cell"));
    }
    let dots = ".......";
    let board = |rows: [&str; 2]| format!("{dots}/{dots}/{dots}/{dots}/{}/{}", rows[0], rows[1]);
    refused(&game, &board(["x......", dots]), "column 1 floats");
    refused(&game, &board([dots, "xx....."]), "2 `x` and 0 `o` cannot be");
    refused(&game, &board([dots, "o......"]), "0 `x` and 1 `o` cannot be");
    refused(&game, &board(["xxxx...", "oooo..."]), "both sides have a line");
    refused(&game, &board(["ooo....", "xxxxo.."]), "`o` moved last although `x`");
    refused(&game, &board([dots, "......"]), "row 6 from the top has 6 cells");
    refused(&game, "....../.......", "2 rows between `/`, but the board has 6 rows");
    refused(&game, "x", "1 cells, but the board has 6 rows of 7 cells");
    refused(&game, &board([dots, "q......"]), "`q` is not a cell");
    let small = build::<Connect4>("connect4:columns=4,rows=4,connect=3");
    refused(&small, "..../...x/ooxo/xxxo", "no last move of `x` completes its lines");
}

#[test]
fn connect4_with_ten_columns_or_more_separates_numbers() {
    let game = build::<Connect4>("connect4:columns=12,rows=4");
    let state = game.read_position("10 12, 1").unwrap();
    assert_eq!(game.write_position(&state), "............/............/............/x........x.o");
    assert_eq!(game.read_position("0: 9 11 0").as_ref(), Ok(&state));
    refused(&game, "1012", "`1012` is not a column");
    let mut text = String::new();
    game.write_move(&state, 9, &mut text);
    assert_eq!(text, "10");
}

#[test]
fn connect4_reads_moves_from_either_base() {
    let game = build::<Connect4Standard>("connect4");
    let start = game.start();
    assert_eq!(game.read_moves(&start, "2 0 3", Base::Zero), Ok(vec![2, 0, 3]));
    assert_eq!(game.read_moves(&start, "314", Base::One), Ok(vec![2, 0, 3]));
    assert!(game.read_moves(&start, "0", Base::One).is_err());
}

#[test]
fn drawings() {
    let connect4 = build::<Connect4>("connect4:columns=4,rows=3,connect=3");
    let state = connect4.read_position("2 2 3").unwrap();
    assert_eq!(connect4.drawing().text(&state), " . . . .\n . o . .\n . x x .\n 1 2 3 4\n");
    let mnk = build::<Mnk<1>>("mnk:m=4,n=3,k=3");
    let state = mnk.read_position("a1 d3").unwrap();
    assert_eq!(mnk.drawing().text(&state), " 0 . . . o\n 4 . . . .\n 8 x . . .\n   0 1 2 3\n");
}

/// The labels of row and column add up to the cell number in moves.
#[test]
fn drawings_name_cells_as_moves_do() {
    let game = build::<Mnk<4>>("mnk:m=11,n=7,k=5");
    let state = game.read_position("k6").unwrap();
    let drawing = game.drawing().text(&state);
    let rows: Vec<&str> = drawing.lines().collect();
    assert_eq!(rows[1], " 11  .  .  .  .  .  .  .  .  .  .  x");
    assert_eq!(rows[7], "     0  1  2  3  4  5  6  7  8  9 10");
    assert_eq!(game.read_position(&(11 + 10).to_string()), Ok(state));
    let game = build::<Mnk<7>>("mnk:m=20,n=20,k=5");
    let state = game.read_position("t20 a1 t1 a20").unwrap();
    for text in ["19 380 399 0", "T20,A1,T1,A20", &game.write_position(&state)] {
        assert_eq!(game.read_position(text), Ok(state), "{text}");
    }
    let drawing = game.drawing().text(&state);
    let rows: Vec<&str> = drawing.lines().collect();
    assert!(rows[0].starts_with("   0  o  .") && rows[0].ends_with(".  x"), "{drawing}");
    assert!(rows[19].starts_with(" 380  o  .") && rows[19].ends_with(".  x"), "{drawing}");
    assert!(rows[20].starts_with("      0  1") && rows[20].ends_with(" 18 19"), "{drawing}");
    for cell in ["400", "u1", "a21", "a0", "t"] {
        refused(&game, cell, &format!("`{cell}` is not a cell: use 0 to 399, or a1 to t20"));
    }
}

#[test]
fn tictactoe_reads_cells_squares_and_boards() {
    let game = TicTacToe;
    let state = game.read_position("XOXX_O__O").unwrap();
    for text in ["xox/x.o/..o", "xox x-o --o", "XOX|X_O|__O", "0 1 2 5 3 8", "a3 B3 c3 5 3 c1"] {
        assert_eq!(game.read_position(text), Ok(state), "{text}");
    }
    assert_eq!(game.write_position(&state), "xox/x.o/..o");
    assert_eq!(game.notation().read_move(&state, "a1"), Ok(6));
    assert_eq!(game.notation().read_move(&state, " B2 "), Ok(4));
    assert_eq!(
        game.notation().read_move(&state, "0"),
        Err("cell 0 is taken; legal: 4, 6, 7".to_owned())
    );
    let error = "`d1` is not a cell: use 0 to 8, or a1 to c3".to_owned();
    assert_eq!(game.notation().read_move(&state, "d1"), Err(error));
    refused(&game, "XXX______", "3 `x` and 0 `o`");
    refused(&game, "XXXOOO___", "both sides have a line");
    refused(&game, "XXX_O_O_O", "`o` moved last although `x` already had a line");
    refused(&game, "XOXX_O__", "8 cells, but the board has 3 rows of 3 cells");
    refused(&game, "0 0", "move 2: cell 0 is taken");
    let mnk = build::<Mnk<1>>("mnk:m=3,n=3,k=3");
    assert_eq!(mnk.write_position(&mnk.read_position("XOXX_O__O").unwrap()), "xox/x.o/..o");
}

#[test]
fn a_line_must_have_been_completed_by_one_stone() {
    let game = build::<Mnk<1>>("mnk:m=3,n=5,k=3");
    refused(&game, "xxx/oo./o.o/.o./xxx", "no last move of `x` completes its lines");
    assert!(game.read_position("xxx/o.o/o.o/.../x.x").is_ok());
    assert!(game.read_position("xxx/o.x/o.x/.../o.o").is_ok());
}

/// Builds an evaluator.
struct Chosen;

impl<G: Game> EvaluatorVisitor<G> for Chosen {
    type Out = ();
    fn visit<E: Evaluator<G>>(self, _evaluator: E) {}
}

fn param_error<G: Configurable>(spec: &str) -> ParamError {
    match G::build(&values::<G>(spec)) {
        Ok(_) => panic!("{spec} is built"),
        Err(error) => error,
    }
}

#[test]
fn sizes_that_do_not_fit_name_their_key_and_have_help() {
    let error = param_error::<Connect4>("connect4:columns=9,rows=7");
    assert_eq!(error.key.as_deref(), Some("rows"));
    assert!(error.message.contains("columns × (rows + 1) is 72, and 64 fit"), "{error}");
    assert_eq!(error.help, "at most 6 rows with 9 columns");
    let error = param_error::<Connect4>("connect4:columns=3,rows=3");
    assert_eq!(error.key.as_deref(), Some("connect"));
    assert_eq!(error.help, "connect from 2 to 3, or a larger board");
    let error = param_error::<Mnk<1>>("mnk:m=4,n=4,k=5");
    assert_eq!(error.key.as_deref(), Some("k"));
    assert!(param_error::<Mnk<1>>("mnk:m=19,n=19,k=5").to_string().contains("6 words"));
    assert!(param_error::<Connect4Standard>("connect4:rows=5").key.is_none());
}

#[test]
fn weights_and_evaluators_that_cannot_be_name_the_nearest() {
    let game = build::<Connect4Standard>("connect4");
    let choose = |name: &str, feature: &str, weight| {
        let weights = Weights::from([(feature.to_owned(), weight)]);
        game.with_evaluator(name, &weights, Chosen).unwrap_err()
    };
    let error = choose("segments", "thre", 5);
    assert_eq!(error.key.as_deref(), Some("weights"));
    assert_eq!(error.message, "the evaluator `segments` has no feature `thre`");
    assert!(error.help.starts_with("did you mean `three`?"), "{}", error.help);
    assert!(choose("zero", "one", 5).help.contains("takes none"));
    let error = choose("segment", "one", 5);
    assert_eq!(error.key.as_deref(), Some("evaluator"));
    assert!(error.help.starts_with("did you mean `segments`?"), "{}", error.help);
    assert!(choose("segments", "two", 100_000_000).message.contains("more than 1000000000"));
    assert!(choose("linear", "centre", i64::MIN).message.contains("out of range"));
    let fine = Weights::from([("two".to_owned(), 10_000_000)]);
    assert!(game.with_evaluator("segments", &fine, Chosen).is_ok());
}

/// Reads a text as a move and as a position.
struct Read(String);

impl Visit for Read {
    fn visit<G: Configurable>(&mut self, game: &G) {
        let positions = conformance::positions(game, 1, 9);
        let some = [0, positions.len() / 2, positions.len() - 1].map(|i| positions[i].clone());
        conformance::read_anything(game, &some, &self.0);
    }
}

proptest! {
    #[test]
    fn nothing_that_is_typed_panics(
        text in prop_oneof![".*", "[0-9 ,:a-sxXoO._/-]{0,60}", "[xo.]{9,42}", "[1-7]{0,42}"]
    ) {
        let specs = [
            "tictactoe",
            "connect4",
            "connect4:columns=12,rows=4",
            "mnk:m=4,n=3,k=3",
            "mnk:m=19,n=19,k=5,exact=true",
            "mnk:m=20,n=20,k=5",
        ];
        for spec in specs {
            with_game(spec, Read(text.clone()));
        }
    }
}
