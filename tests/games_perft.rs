//! Move generators against known counts of move sequences.

use agon::games::{Configurable, Connect4, Connect4Standard, Game, Mnk, TicTacToe, perft};
use agon::params::{Value, Values};

fn build<G: Configurable>(given: &[(&str, i64)]) -> G {
    let mut values = Values::default();
    for (key, value) in given {
        values.set(key, Value::Int(*value));
    }
    G::build(&values).unwrap()
}

#[track_caller]
fn check<G: Game>(game: &G, counts: &[u64]) {
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(perft(game, &game.start(), depth), count, "at depth {depth}");
    }
}

#[test]
fn tictactoe() {
    let counts = [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872];
    check(&TicTacToe, &counts);
    check(&build::<Mnk<1>>(&[("m", 3), ("n", 3), ("k", 3)]), &counts);
    check(&build::<Mnk<6>>(&[("m", 3), ("n", 3), ("k", 3)]), &counts);
}

#[test]
fn connect4() {
    let counts = [7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234];
    check(&build::<Connect4Standard>(&[]), &counts);
    check(&build::<Connect4>(&[]), &counts[..7]);
}

#[test]
fn connect4_on_a_small_board() {
    let counts = [5, 25, 125, 625, 3_120, 15_500, 76_300, 363_308];
    check(&build::<Connect4>(&[("columns", 5), ("rows", 4)]), &counts);
}

#[test]
fn mnk() {
    let wide = [("m", 4), ("n", 3), ("k", 3)];
    let counts = [12, 132, 1_320, 11_880, 95_040, 622_944, 3_499_200];
    check(&build::<Mnk<1>>(&wide), &counts);
    check(&build::<Mnk<2>>(&wide), &counts[..6]);
    check(&build::<Mnk<1>>(&[("m", 3), ("n", 4), ("k", 3)]), &counts[..6]);
    let square = [("m", 4), ("n", 4), ("k", 4)];
    check(&build::<Mnk<1>>(&square), &[16, 240, 3_360, 43_680, 524_160, 5_765_760]);
}
