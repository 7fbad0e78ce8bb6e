//! Speed of the rules: random games per second, evaluations, move sequences.
//!
//! A seed determines the work, and assertions check its outcome. So a faster time is always a time
//! for the same work.

extern crate agon_core as agon;

use std::hint::black_box;

use agon::games::{
    Backgammon, Breakthrough, Checkers, Chess, Configurable, Connect4, Connect4Standard, Einstein,
    Evaluator, EvaluatorVisitor, Game, Go, Kalah, Mnk, Othello, Pig, PlayoutBuffer, SearchHints,
    Shortcuts, TicTacToe, Turn, Weights, perft, playout,
};
use agon::params::{Value, Values};
use cozy_chess::{BitBoard, Board, Piece};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

fn build<G: Configurable>(given: &[(&str, i64)]) -> G {
    let mut values = Values::default();
    for (key, value) in given {
        values.set(key, Value::Int(*value));
    }
    G::build(&values).unwrap()
}

/// Plays random games from a fixed seed; returns the sums of payoffs and plies.
fn games<G: Game>(game: &G, count: u32) -> (i64, u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut buffer = PlayoutBuffer::default();
    (0..count).fold((0, 0), |(payoffs, plies), _| {
        let (payoff, length) = playout(game, game.start(), &mut rng, &mut buffer);
        (payoffs + i64::from(payoff), plies + u64::from(length))
    })
}

fn bench_games<G: Game>(c: &mut Criterion, name: &str, game: &G, count: u32, sums: (i64, u64)) {
    assert_eq!(games(game, count), sums, "{name}");
    let mut group = c.benchmark_group("random games");
    group.throughput(Throughput::Elements(u64::from(count)));
    group.bench_function(name, |b| b.iter(|| games(black_box(game), count)));
    group.finish();
}

/// The plies of random games of chess in a plain loop around cozy-chess alone. The games are agon's.
fn plain_chess(count: u32) -> usize {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (mut moves, mut plies) = (Vec::new(), 0);
    for _ in 0..count {
        let mut board = Board::startpos();
        loop {
            moves.clear();
            board.generate_moves(|set| {
                moves.extend(set);
                false
            });
            let bishops = board.pieces(Piece::Bishop);
            let minor = bishops | board.pieces(Piece::Knight);
            let one_colour = [BitBoard::DARK_SQUARES, BitBoard::LIGHT_SQUARES]
                .into_iter()
                .any(|squares| minor == bishops & squares);
            let is_insufficient = board.occupied() == minor | board.pieces(Piece::King)
                && (minor.len() <= 1 || one_colour);
            if moves.is_empty() || board.halfmove_clock() == 100 || is_insufficient {
                break;
            }
            board.play_unchecked(moves[rng.random_range(0..moves.len() as u32) as usize]);
            plies += 1;
        }
    }
    plies
}

/// A thousand positions from random games that are not over.
fn states<G: Game>(game: &G) -> Vec<G::State> {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut buffer = Vec::new();
    let mut states = Vec::new();
    while states.len() < 1000 {
        let mut state = game.start();
        while let Turn::Player(_) = game.turn(&state) {
            states.push(state.clone());
            let mv = game.shortcuts().random_move(&state, &mut rng, &mut buffer);
            game.play(&mut state, mv);
        }
    }
    states.truncate(1000);
    states
}

/// Evaluates positions from random games; the sum of all values is known. Measures the time per
/// evaluation.
struct Evaluations<'a, G> {
    c: &'a mut Criterion,
    name: String,
    game: &'a G,
    sum: i64,
}

impl<G: Game> EvaluatorVisitor<G> for Evaluations<'_, G> {
    type Out = ();

    fn visit<E: Evaluator<G>>(self, evaluator: E) {
        let game = self.game;
        let states = states(game);
        let run = || states.iter().map(|s| i64::from(evaluator.evaluate(game, s))).sum::<i64>();
        assert_eq!(run(), self.sum, "{}", self.name);
        let mut group = self.c.benchmark_group("evaluations");
        group.throughput(Throughput::Elements(1000));
        group.bench_function(self.name, |b| b.iter(run));
        group.finish();
    }
}

fn bench_evaluator<G: Configurable>(
    c: &mut Criterion,
    name: &str,
    game: &G,
    (evaluator, sum): (&str, i64),
) {
    let name = format!("{evaluator}, {name}");
    let visitor = Evaluations { c, name, game, sum };
    game.with_evaluator(evaluator, &Weights::new(), visitor).unwrap();
}

fn random_games(c: &mut Criterion) {
    let standard: Connect4Standard = build(&[]);
    bench_games(c, "connect4", &standard, 10_000, (1_117, 213_566));
    let any: Connect4 = build(&[]);
    bench_games(c, "connect4, any size", &any, 10_000, (1_117, 213_566));
    bench_games(c, "tictactoe", &TicTacToe, 10_000, (2_927, 76_299));
    let small: Mnk<1> = build(&[("m", 3), ("n", 3), ("k", 3)]);
    bench_games(c, "mnk 3x3, 3 in a row", &small, 10_000, (2_927, 76_299));
    let wide: Mnk<1> = build(&[("m", 7), ("n", 6), ("k", 4)]);
    bench_games(c, "mnk 7x6, 4 in a row", &wide, 10_000, (701, 254_905));
    let gomoku: Mnk<4> = build(&[("m", 15), ("n", 15), ("k", 5)]);
    bench_games(c, "mnk 15x15, 5 in a row", &gomoku, 100, (-4, 11_246));
    bench_games(c, "chess", &build::<Chess>(&[]), 20, (0, 6_882));
    assert_eq!(plain_chess(20), 6_882);
    c.benchmark_group("random games")
        .throughput(Throughput::Elements(20))
        .bench_function("chess, cozy-chess alone", |b| b.iter(|| plain_chess(black_box(20))));
    bench_games(c, "breakthrough", &build::<Breakthrough>(&[]), 1_000, (48, 63_670));
    bench_games(c, "kalah", &build::<Kalah>(&[]), 10_000, (7_676, 440_583));
    bench_games(c, "othello", &build::<Othello>(&[]), 1_000, (-1_418, 60_424));
    bench_games(c, "checkers", &build::<Checkers>(&[]), 1_000, (3, 71_739));
    bench_games(c, "go 9x9", &build::<Go>(&[]), 200, (-2_862, 24_936));
    bench_games(c, "pig", &build::<Pig>(&[]), 1_000, (60, 121_718));
    bench_games(c, "backgammon", &build::<Backgammon>(&[]), 1_000, (4, 96_374));
    bench_games(c, "einstein", &build::<Einstein>(&[]), 10_000, (666, 215_681));
}

fn evaluations(c: &mut Criterion) {
    let standard: Connect4Standard = build(&[]);
    bench_evaluator(c, "connect4", &standard, ("segments", 22_838));
    bench_evaluator(c, "connect4", &standard, ("linear", 7_329));
    let any: Connect4 = build(&[]);
    bench_evaluator(c, "connect4, any size", &any, ("segments", 22_838));
    bench_evaluator(c, "tictactoe", &TicTacToe, ("segments", 21_122));
    let gomoku: Mnk<4> = build(&[("m", 15), ("n", 15), ("k", 5)]);
    bench_evaluator(c, "mnk 15x15, 5 in a row", &gomoku, ("segments", 1_654_176));
}

/// Generates the noisy moves of positions from random games; measures the time per position.
fn bench_noisy<G: Game>(c: &mut Criterion, name: &str, game: &G, sum: usize) {
    let states = states(game);
    let mut noisy = Vec::new();
    let mut count = || {
        states
            .iter()
            .map(|state| {
                noisy.clear();
                game.hints().noisy(state, &mut noisy);
                noisy.len()
            })
            .sum::<usize>()
    };
    assert_eq!(count(), sum, "{name}");
    let mut group = c.benchmark_group("noisy moves");
    group.throughput(Throughput::Elements(states.len() as u64));
    group.bench_function(name, |b| b.iter(&mut count));
    group.finish();
}

fn noisy_moves(c: &mut Criterion) {
    bench_noisy(c, "connect4", &build::<Connect4Standard>(&[]), 518);
    bench_noisy(c, "connect4, any size", &build::<Connect4>(&[]), 518);
    bench_noisy(c, "tictactoe", &TicTacToe, 592);
    let gomoku: Mnk<4> = build(&[("m", 15), ("n", 15), ("k", 5)]);
    bench_noisy(c, "mnk 15x15, 5 in a row", &gomoku, 1084);
}

fn sequences(c: &mut Criterion) {
    let standard: Connect4Standard = build(&[]);
    let count = perft(&standard, &standard.start(), 7);
    assert_eq!(count, 823_536);
    let mut group = c.benchmark_group("perft");
    group.throughput(Throughput::Elements(count));
    group.bench_function("connect4, 7 plies", |b| {
        b.iter(|| perft(black_box(&standard), &standard.start(), 7))
    });
    let chess: Chess = build(&[]);
    let board = Board::startpos();
    let count = perft(&chess, &chess.start(), 5);
    assert_eq!((count, alone(&board, 5)), (4_865_609, 4_865_609));
    group.throughput(Throughput::Elements(count)).sample_size(20);
    group.bench_function("chess, 5 plies", |b| {
        b.iter(|| perft(black_box(&chess), &chess.start(), 5))
    });
    group.bench_function("chess, 5 plies, cozy-chess alone", |b| {
        b.iter(|| alone(black_box(&board), 5))
    });
    group.finish();
}

/// Perft by cozy-chess alone, without agon's other rules.
fn alone(board: &Board, depth: u32) -> u64 {
    let mut count = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            count += moves.len() as u64;
            return false;
        }
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            count += alone(&child, depth - 1);
        }
        false
    });
    count
}

criterion_group!(benches, random_games, evaluations, noisy_moves, sequences);
criterion_main!(benches);
