//! Tests of the Connect Four solver against known results, a plain search and itself.
//!
//! Tests that take minutes or hours are ignored by default:
//!
//! ```text
//! cargo test --release --test search solver_connect4 -- --ignored
//! ```

use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use agon::games::connect4::{BoardLayout, Connect4State, ConnectFour};
use agon::games::{Configurable, Connect4, Connect4Standard, Game, Player, Symmetry, Turn, below};
use agon::params::Values;
use agon::solve::connect4::{Level, Solver};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

fn standard() -> Connect4Standard {
    Connect4Standard::build(&Values::default()).unwrap()
}

fn board(columns: u32, rows: u32) -> Connect4 {
    crate::support::games::build(&format!("connect4:columns={columns},rows={rows}"))
}

/// A position after this many random moves, if the game is not over by then.
fn random_position<L: BoardLayout>(
    game: &ConnectFour<L>,
    stones: u32,
    random: &mut ChaCha8Rng,
) -> Option<Connect4State> {
    let mut state = game.start();
    let mut moves = Vec::new();
    while state.plies() < stones && game.turn(&state) != Turn::Over {
        moves.clear();
        game.moves(&state, &mut moves);
        game.play(&mut state, moves[below(random, moves.len() as u32) as usize]);
    }
    (game.turn(&state) != Turn::Over).then_some(state)
}

/// Alpha-beta without knowledge beyond the rules. It has a table, so that the long test ends: an
/// entry is a position and bounds on its score.
struct Plain<'a, L: BoardLayout> {
    game: &'a ConnectFour<L>,
    table: Vec<(u64, u64, i8, i8)>,
}

impl<'a, L: BoardLayout> Plain<'a, L> {
    fn new(game: &'a ConnectFour<L>) -> Self {
        Plain { game, table: vec![(u64::MAX, 0, 0, 0); 1 << 18] }
    }

    fn score(&mut self, state: &Connect4State, mut lower: i32, mut upper: i32) -> i32 {
        let game = self.game;
        if game.turn(state) == Turn::Over {
            let size = game.layout().columns() * game.layout().rows();
            return if state.has_line() { -(((size + 2 - state.plies()) / 2) as i32) } else { 0 };
        }
        let (mover, all) = (state.mover_stones(), state.occupied());
        let slot = (mover.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ all.wrapping_mul(0xd1b5_4a32_d192_ed03)) as usize
            >> 40
            & (self.table.len() - 1);
        let known = self.table[slot];
        let (mut low, mut high) = (-64, 64);
        if (known.0, known.1) == (mover, all) {
            (low, high) = (i32::from(known.2), i32::from(known.3));
            lower = lower.max(low);
            upper = upper.min(high);
            if lower >= upper {
                return if low >= upper { low } else { high };
            }
        }
        let (mut best, mut window) = (-64, lower);
        let mut moves = Vec::with_capacity(8);
        game.moves(state, &mut moves);
        let middle = game.layout().columns() as i32 - 1;
        moves.sort_by_key(|&mv| (2 * i32::from(mv) - middle).abs());
        for mv in moves {
            let mut next = *state;
            game.play(&mut next, mv);
            best = best.max(-self.score(&next, -upper, -window));
            window = window.max(best);
            if window >= upper {
                break;
            }
        }
        if best < upper {
            high = high.min(best.max(lower));
        }
        if best > lower {
            low = low.max(best.min(upper));
        }
        self.table[slot] = (mover, all, low as i8, high as i8);
        best
    }
}

/// This many random positions, each with a number of stones in the range.
fn random_positions<L: BoardLayout>(
    game: &ConnectFour<L>,
    stones: Range<u32>,
    count: usize,
    seed: u64,
) -> Vec<Connect4State> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let stones = stones.start + below(&mut random, stones.end - stones.start);
        positions.extend(random_position(game, stones, &mut random));
    }
    positions
}

/// Runs the work for every position, on all cores. Consecutive positions may share many
/// descendants, so each core takes a block of them and keeps its tools. Returns the final state of
/// each core. Prints progress to the standard error.
fn shared_among_cores<T: Send>(
    positions: &[Connect4State],
    tools: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, &Connect4State) + Sync,
) -> Vec<T> {
    const RUN: usize = 64;
    let begun = Instant::now();
    let next = AtomicUsize::new(0);
    let share = || {
        let mut tools = tools();
        loop {
            let run = next.fetch_add(1, Ordering::Relaxed);
            let Some(positions) = positions.chunks(RUN).nth(run) else { return tools };
            positions.iter().for_each(|state| work(&mut tools, state));
            if run % 16 == 15 {
                let done = positions.len().min((run + 1) * RUN);
                eprintln!("{done} positions in {:.0?}", begun.elapsed());
            }
        }
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let cores: Vec<_> = (0..cores).map(|_| scope.spawn(share)).collect();
        cores.into_iter().map(|core| core.join().unwrap()).collect()
    })
}

/// Compares the solver with the plain search on this many positions with at least this many stones.
fn agrees_with_plain_search<L: BoardLayout>(
    game: &ConnectFour<L>,
    least: u32,
    count: usize,
    seed: u64,
) {
    let size = game.layout().columns() * game.layout().rows();
    let positions = random_positions(game, least..size, count, seed);
    shared_among_cores(
        &positions,
        || (Solver::new(game, 4, 1), Plain::new(game)),
        |(solver, plain), state| {
            let expected = plain.score(state, -64, 64);
            let text = || game.write_position(state);
            assert_eq!(solver.solve(state).score, expected, "{}", text());
            assert_eq!(solver.wdl(state).result, expected.signum(), "{}", text());
        },
    );
}

#[test]
fn agreement_with_a_plain_search() {
    agrees_with_plain_search(&standard(), 27, 1500, 1);
    agrees_with_plain_search(&board(6, 5), 14, 300, 2);
    agrees_with_plain_search(&board(5, 7), 18, 200, 3);
    agrees_with_plain_search(&board(8, 7), 42, 200, 4);
    agrees_with_plain_search(
        &crate::support::games::build::<Connect4>("connect4:columns=6,rows=4,connect=3"),
        2,
        200,
        5,
    );
    agrees_with_plain_search(
        &crate::support::games::build::<Connect4>("connect4:columns=9,rows=4,connect=5"),
        24,
        200,
        6,
    );
    agrees_with_plain_search(
        &crate::support::games::build::<Connect4>("connect4:columns=4,rows=5,connect=2"),
        0,
        10,
        7,
    );
}

#[test]
#[ignore = "a quarter of an hour"]
fn agreement_with_a_plain_search_on_many_positions() {
    agrees_with_plain_search(&standard(), 20, 100_000, 8);
    agrees_with_plain_search(&board(7, 5), 14, 2000, 9);
    agrees_with_plain_search(&board(6, 7), 20, 2000, 10);
    agrees_with_plain_search(&board(8, 6), 26, 2000, 11);
}

/// Checks that mirror images, thread counts, table sizes, and narrow and wide instructions all have
/// the same results.
fn agrees_with_itself(count: usize, least: u32, seed: u64) {
    let game = standard();
    let positions = random_positions(&game, least..21, count, seed);
    let solvers = || {
        let mut others: Vec<Solver> =
            Level::ALL.into_iter().map(|level| Solver::with_level(&game, 1, 1, level)).collect();
        others.push(Solver::new(&game, 64, 2));
        others.push(Solver::new(&game, 1, 4));
        (Solver::new(&game, 64, 1), others)
    };
    shared_among_cores(&positions, solvers, |(reference, others), state| {
        let score = reference.solve(state).score;
        let image = game.symmetry().map_state(1, state);
        for other in others {
            let found = other.solve(&image).score;
            assert_eq!(found, score, "{}", game.write_position(state));
        }
    });
}

#[test]
fn agreement_with_itself() {
    agrees_with_itself(25, 14, 1);
}

/// All threads take part in positions that are not solved at once.
#[test]
fn five_threads_agree_with_one() {
    let game = standard();
    let mut random = ChaCha8Rng::seed_from_u64(12);
    let mut long = 0;
    for _ in 0..40 {
        let Some(state) = random_position(&game, 12, &mut random) else { continue };
        let [one, five] = [1, 5].map(|threads| Solver::new(&game, 4, threads).solve(&state));
        assert_eq!(one.score, five.score, "{}", game.write_position(&state));
        long += u32::from(five.nodes > 20_000);
        if long == 2 {
            return;
        }
    }
    panic!("all of these are soon solved");
}

#[test]
#[ignore = "minutes"]
fn agreement_with_itself_on_many_positions() {
    agrees_with_itself(2000, 8, 2);
}

#[test]
fn the_order_of_moves_does_not_change_values() {
    let game = standard();
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut solver = Solver::new(&game, 16, 1);
    let mut other = Solver::new(&game, 16, 1);
    other.set_weights(Default::default());
    for state in (0..60).filter_map(|_| random_position(&game, 20, &mut random)) {
        assert_eq!(solver.moves(&state), other.moves(&state), "{}", game.write_position(&state));
    }
}

/// Winner and last stone of boards by columns and rows, as published by authors of solvers; draws
/// end on a full board.
const BOARDS: [(u32, u32, Option<Player>, u32); 16] = [
    (4, 4, None, 16),
    (5, 4, None, 20),
    (6, 4, Some(Player::Second), 24),
    (7, 4, None, 28),
    (4, 5, None, 20),
    (5, 5, None, 25),
    (4, 6, None, 24),
    // The following boards take longer.
    (8, 4, Some(Player::Second), 32),
    (9, 4, Some(Player::Second), 36),
    (6, 5, None, 30),
    (7, 5, None, 35),
    (8, 5, Some(Player::First), 39),
    (5, 6, None, 30),
    (6, 6, Some(Player::Second), 36),
    (4, 7, None, 28),
    (4, 8, None, 32),
];

fn check_boards(boards: &[(u32, u32, Option<Player>, u32)], table_mb: usize) {
    for &(columns, rows, winner, ending) in boards {
        let game = board(columns, rows);
        let solved = Solver::new(&game, table_mb, 1).solve(&game.start());
        let found = match solved.score.signum() {
            0 => None,
            1 => Some(Player::First),
            _ => Some(Player::Second),
        };
        assert_eq!((found, solved.ending), (winner, ending), "{columns} × {rows}");
    }
}

#[test]
fn small_boards() {
    check_boards(&BOARDS[..7], 4);
}

#[test]
#[ignore = "minutes"]
fn larger_boards() {
    check_boards(&BOARDS[7..], 64);
}

#[test]
#[ignore = "a minute"]
fn first_moves_of_the_standard_board() {
    let game = standard();
    let mut solver = Solver::new(&game, 64, 2);
    let start = game.start();
    let solved = solver.solve(&start);
    assert_eq!((solved.score, solved.ending), (1, 41));
    assert_eq!(solver.wdl(&start).result, 1);
    let scores: Vec<i32> = solver.moves(&start).iter().map(|mv| mv.score).collect();
    assert_eq!(scores, [-2, -1, 0, 1, 0, -1, -2]);
    assert_eq!(solver.best_moves(&start), [3]);
}

/// All positions after eight moves without a winner and without a forced move: neither player could
/// win with the next stone. Mirror images are counted once.
fn open_positions_after_eight() -> Vec<Connect4State> {
    let game = standard();
    let mut seen = HashSet::new();
    let mut layer = vec![game.start()];
    for _ in 0..8 {
        let mut next = Vec::new();
        for state in &layer {
            let mut moves = Vec::new();
            game.moves(state, &mut moves);
            for mv in moves {
                let mut child = *state;
                game.play(&mut child, mv);
                if game.turn(&child) != Turn::Over
                    && seen.insert(game.symmetry().canonical_key(&child))
                {
                    next.push(child);
                }
            }
        }
        layer = next;
    }
    layer.retain(|state| game.urgent(state) == 0);
    layer
}

#[test]
fn the_public_data_set_has_the_size_that_it_has() {
    assert_eq!(open_positions_after_eight().len(), 67_557);
}

/// The number of positions won, drawn and lost for the first player.
fn outcomes(positions: &[Connect4State]) -> [usize; 3] {
    shared_among_cores(
        positions,
        || (Solver::new(&standard(), 64, 1), [0; 3]),
        |(solver, counts), state| counts[(1 - solver.wdl(state).result) as usize] += 1,
    )
    .into_iter()
    .fold([0; 3], |sum, (_, counts)| std::array::from_fn(|i| sum[i] + counts[i]))
}

#[test]
#[ignore = "hours"]
fn the_public_data_set_has_the_values_that_it_has() {
    assert_eq!(outcomes(&open_positions_after_eight()), [44_473, 6_449, 16_635]);
}

#[test]
fn answers_fit_together() {
    let game = standard();
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut solver = Solver::new(&game, 4, 1);
    for stones in [18, 20, 22, 25, 30, 35, 40] {
        let Some(state) = random_position(&game, stones, &mut random) else { continue };
        let solved = solver.solve(&state);
        let moves = solver.moves(&state);
        assert_eq!(moves.iter().map(|mv| mv.score).max(), Some(solved.score));
        let best: Vec<u32> =
            moves.iter().filter(|mv| mv.score == solved.score).map(|mv| mv.column).collect();
        assert_eq!(solver.best_moves(&state), best);
        for (result, score) in solver.move_results(&state).iter().zip(&moves) {
            assert_eq!((result.column, result.score), (score.column, score.score.signum()));
        }
        // Best moves lead to the predicted end.
        let mut end = state;
        while let Some(column) = solver.best_move(&end) {
            assert!(end != state || best.contains(&column));
            game.play(&mut end, column as u8);
        }
        assert_eq!(game.turn(&end), Turn::Over);
        assert_eq!(end.plies(), solved.ending);
        assert_eq!(game.payoff(&end), solved.score.signum() * state.side().sign());
    }
}

#[test]
fn finished_games_have_values_and_no_moves() {
    let game = board(5, 4);
    let mut solver = Solver::new(&game, 1, 1);
    let won = game.read_position("1 2 1 2 1 2 1").unwrap();
    let solved = solver.solve(&won);
    assert_eq!((solved.score, solved.ending), (-7, 7));
    assert_eq!(solver.wdl(&won).result, -1);
    assert!(solver.moves(&won).is_empty());
    assert!(solver.best_moves(&won).is_empty());
    assert_eq!(solver.best_move(&won), None);
    // A win with the next stone, and the only move that prevents one.
    let open = game.read_position("1 2 1 2 1 2").unwrap();
    assert_eq!(solver.solve(&open).score, 7);
    let threat = game.read_position("1 2 1 2 1").unwrap();
    let moves = solver.moves(&threat);
    assert_eq!(moves.len(), 5);
    assert!(moves.iter().all(|mv| (mv.column == 0) == (mv.score > -7)), "{moves:?}");
}

#[test]
fn boards_of_every_shape_are_taken() {
    for (columns, rows) in [(1u32, 8u32), (8, 1), (2, 20), (32, 1), (1, 20), (4, 15), (3, 20)] {
        let connect = columns.max(rows).min(4);
        let spec = format!("connect4:columns={columns},rows={rows},connect={connect}");
        let game: Connect4 = crate::support::games::build(&spec);
        let mut random = ChaCha8Rng::seed_from_u64(6);
        let stones = (columns * rows).saturating_sub(6);
        let states = (0..50).filter_map(|_| random_position(&game, stones, &mut random));
        let mut solver = Solver::new(&game, 1, 1);
        let mut plain = Plain::new(&game);
        for state in states {
            assert_eq!(solver.solve(&state).score, plain.score(&state, -64, 64), "{spec}");
        }
    }
}
