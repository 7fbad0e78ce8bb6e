//! Tests of exact values in checkers: endings with at most four pieces.

use std::collections::HashMap;

use crate::support::chance::{build, follow};
use agon::games::checkers::CheckersState;
use agon::games::{Checkers, Exact, ExactSolver, Game, Turn};
use agon::solve::exact_solver;
use rand::rngs::ChaCha8Rng;
use rand::{Rng, RngExt, SeedableRng};

type Solver = Box<dyn ExactSolver<Checkers>>;

fn solver(quiet_moves: i64) -> (Checkers, Solver) {
    let game: Checkers = build(&[("quiet_moves", quiet_moves)], &[]);
    let solver = exact_solver(&game).map_err(|no| no.why).expect("a solver");
    (game, solver)
}

/// The kinds of pieces are 0 to 3: men and kings of Black, then of White. These are the kings.
const KINGS: [u8; 2] = [1, 3];

/// A position as text. Each piece has its square, from 1, and its kind.
fn text(side: &str, pieces: &[(u8, u8)], quiet: u8) -> String {
    let list = |kinds: [u8; 2]| {
        let own = pieces.iter().filter(|(_, kind)| kinds.contains(kind));
        let words = own.map(|(square, kind)| match KINGS.contains(kind) {
            true => format!("K{square}"),
            false => square.to_string(),
        });
        words.collect::<Vec<_>>().join(",")
    };
    format!("{side}:W{}:B{}:H{quiet}", list([2, 3]), list([0, 1]))
}

/// Whether a piece of this kind can be on the square.
fn fits(square: u8, kind: u8) -> bool {
    match kind {
        0 => square <= 28,
        2 => square >= 5,
        _ => true,
    }
}

/// Calls a function with all positions with this number of pieces, both sides to move.
fn for_positions(pieces: usize, call: &mut impl FnMut(&str, &[(u8, u8)])) {
    fn more(left: usize, placed: &mut Vec<(u8, u8)>, call: &mut impl FnMut(&str, &[(u8, u8)])) {
        if left == 0 {
            let has = |kinds: [u8; 2]| placed.iter().any(|(_, kind)| kinds.contains(kind));
            if has([0, 1]) && has([2, 3]) {
                call("B", placed);
                call("W", placed);
            }
            return;
        }
        for square in placed.last().map_or(1, |(last, _)| last + 1)..=32 {
            for kind in (0..4).filter(|&kind| fits(square, kind)) {
                placed.push((square, kind));
                more(left - 1, placed, call);
                placed.pop();
            }
        }
    }
    more(pieces, &mut Vec::new(), call);
}

fn random_position(rng: &mut impl Rng, pieces: usize, most_quiet: u8) -> String {
    loop {
        let mut placed: Vec<(u8, u8)> = Vec::new();
        while placed.len() < pieces {
            let (square, kind) = (rng.random_range(1..=32), rng.random_range(0..4));
            if fits(square, kind) && placed.iter().all(|&(other, _)| other != square) {
                placed.push((square, kind));
            }
        }
        let black = placed.iter().filter(|(_, kind)| *kind < 2).count();
        if (1..pieces).contains(&black) {
            let side = if rng.random_bool(0.5) { "B" } else { "W" };
            return text(side, &placed, rng.random_range(0..most_quiet));
        }
    }
}

/// The value is the best of the values after the moves, as the rules of the game give them. The
/// plies without progress grow or begin again, so values that agree everywhere are those of a full
/// search.
fn is_best_of_moves(game: &Checkers, solver: &mut Solver, position: &str) -> Exact {
    let state = game.read_position(position).expect(position);
    let Turn::Player(player) = game.turn(&state) else { return Exact::of_end(game, &state) };
    let mut moves = Vec::new();
    game.moves(&state, &mut moves);
    let mut best: Option<Exact> = None;
    for mv in moves {
        let mut child = state;
        game.play(&mut child, mv);
        let value = match game.turn(&child) {
            Turn::Over => Exact::of_end(game, &child),
            _ => solver.value(game, &child),
        };
        let value = value.later();
        if best.is_none_or(|best| value.compare(best, player).is_gt()) {
            best = Some(value);
        }
    }
    let value = solver.value(game, &state);
    assert_eq!(Some(value), best, "{position}");
    value
}

#[test]
fn values_of_endings_are_the_best_of_their_moves() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for (quiet_moves, pieces, count) in [(40, 2, 1000), (4, 2, 300), (4, 3, 3)] {
        let (game, mut solver) = solver(quiet_moves);
        for _ in 0..count {
            let position = random_position(&mut rng, pieces, 2 * quiet_moves as u8);
            is_best_of_moves(&game, &mut solver, &position);
        }
    }
}

/// Also, 38 plies without progress are always enough to win.
#[test]
#[ignore = "solves all endings with four pieces"]
fn values_of_all_endings_are_the_best_of_their_moves() {
    let mut of_both = Vec::new();
    for quiet_moves in [40, 19] {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (game, mut solver) = solver(quiet_moves);
        let mut values = Vec::new();
        for pieces in [2, 3] {
            for_positions(pieces, &mut |side, placed| {
                let position = text(side, placed, 0);
                values.push(is_best_of_moves(&game, &mut solver, &position));
            });
        }
        for _ in 0..50_000 {
            let position = random_position(&mut rng, 4, 1);
            values.push(is_best_of_moves(&game, &mut solver, &position));
        }
        of_both.push(values);
        for pieces in [3, 4] {
            for _ in 0..300 {
                let position = random_position(&mut rng, pieces, 2 * quiet_moves as u8);
                is_best_of_moves(&game, &mut solver, &position);
            }
        }
    }
    assert!(of_both[0] == of_both[1]);
}

/// Full search, without the solver.
fn full(game: &Checkers, state: &CheckersState, known: &mut HashMap<String, Exact>) -> Exact {
    let Turn::Player(player) = game.turn(state) else { return Exact::of_end(game, state) };
    let position = game.write_position(state);
    if let Some(&value) = known.get(&position) {
        return value;
    }
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let mut values = Vec::new();
    for mv in moves {
        let mut child = *state;
        game.play(&mut child, mv);
        values.push(full(game, &child, known).later());
    }
    let best = values.into_iter().max_by(|a, b| a.compare(*b, player)).expect("a move");
    known.insert(position, best);
    best
}

/// With few plies until the draw without progress, a full search ends.
#[test]
fn values_of_endings_are_those_of_full_search() {
    let (game, mut solver) = solver(2);
    let (mut rng, mut known) = (ChaCha8Rng::seed_from_u64(2), HashMap::new());
    for _ in 0..200 {
        let position = random_position(&mut rng, 2, 4);
        let state = game.read_position(&position).expect("a position");
        if game.turn(&state) != Turn::Over {
            let value = full(&game, &state, &mut known);
            assert_eq!(solver.value(&game, &state), value, "{position}");
        }
    }
}

/// E. Trice counted wins, draws and losses of king against king, and the plies of the longest win
/// (damforum.nl, topic 2603).
#[test]
fn king_against_king_is_as_published() {
    let (game, mut solver) = solver(40);
    let (mut counts, mut longest) = ([0; 3], Vec::new());
    for_positions(2, &mut |side, placed| {
        if side == "B" && placed.iter().all(|(_, kind)| KINGS.contains(kind)) {
            let state = game.read_position(&text(side, placed, 0)).expect("a position");
            let value = solver.value(&game, &state);
            counts[(1.0 - value.mean) as usize] += 1;
            longest.extend(value.plies.filter(|_| value.mean > 0.0));
        }
    });
    assert_eq!(counts, [230, 654, 108]);
    assert_eq!(longest.iter().max(), Some(&11));
}

/// The move decides with one king each, and two kings drive a king out of the double corner:
/// E. Lasker, "Chess and Checkers" (1918), diagrams 88 and 89.
#[test]
fn kings_have_the_values_of_a_textbook() {
    let (game, mut solver) = solver(40);
    for (position, mean) in [("W:WK32:BK26", -1.0), ("B:WK32:BK26", 0.0), ("W:WK19,K23:BK32", -1.0)]
    {
        let state = game.read_position(position).expect(position);
        assert_eq!(solver.value(&game, &state).mean, mean, "{position}");
    }
}

/// The First Position, known since W. Payne (1756). The line is from acfcheckers.com, which also says
/// that N. Banks once played 15-18 instead of 15-11 and only drew.
#[test]
#[ignore = "solves endings with four pieces"]
fn first_position_is_won_as_in_textbooks() {
    let (game, mut solver) = solver(40);
    let mut mean = |state: &CheckersState| solver.value(&game, state).mean;
    let mut state = game.read_position("W:WK15,20:B12,K28").expect("a position");
    let line = "15-19 28-32 20-16 32-28 16-11 28-32 11-7 32-28 7-3 28-32 3-7 32-28 7-10 28-32 10-15 \
                32-28 15-18 28-32 18-23 32-28 23-27 28-32 19-23 32-28 27-32 28-24 23-18 24-28 18-15 \
                28-24 32-28 24-27 15-18 12-16 28-32 27-24 18-15 24-28";
    for word in line.split_whitespace() {
        assert_eq!(mean(&state), -1.0, "{word}");
        state = follow(&game, &state, word);
    }
    assert_eq!(mean(&follow(&game, &state, "15-11")), -1.0);
    assert_eq!(mean(&follow(&game, &state, "15-18")), 0.0);
    // A First Position without the move that is won (R. Newell, "Without", 2017).
    assert_eq!(mean(&game.read_position("B:W22,K5:BK15,K6").expect("a position")), 1.0);
}

/// A win that needs more plies without progress than are left is a draw.
#[test]
fn a_win_that_comes_too_late_is_a_draw() {
    let (game, mut solver) = solver(40);
    let mut value = |quiet: u8| {
        let position = format!("W:WK19,K23:BK32:H{quiet}");
        solver.value(&game, &game.read_position(&position).expect("a position"))
    };
    let won = value(0);
    let latest = (0..80).rfind(|&quiet| value(quiet) == won).expect("a win");
    assert!((60..80).contains(&latest), "{won:?} {latest}");
    for quiet in latest + 1..80 {
        assert_eq!(value(quiet), Exact { mean: 0.0, plies: None }, "{quiet}");
    }
}
