//! Speed of the solver of Connect Four: the empty board, all moves of positions that occur in
//! tournaments, and openings in which the game ends early under perfect play.
//!
//! Positions are fixed, and assertions check the nodes of every task. So a faster time is always a
//! time for the same work.

extern crate agon_core as agon;

use std::hint::black_box;

use agon::games::connect4::Connect4State;
use agon::games::{Configurable, Connect4Standard, Game, Turn, below};
use agon::params::Values;
use agon::solve::connect4::Solver;
use criterion::{Criterion, criterion_group, criterion_main};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

fn game() -> Connect4Standard {
    Connect4Standard::build(&Values::default()).unwrap()
}

/// Random positions with `stones` stones in which the game is not over.
fn positions(game: &Connect4Standard, stones: u32, count: usize) -> Vec<Connect4State> {
    let mut random = ChaCha8Rng::seed_from_u64(u64::from(stones));
    let (mut states, mut moves) = (Vec::new(), Vec::new());
    while states.len() < count {
        let mut state = game.start();
        while state.plies() < stones && game.turn(&state) != Turn::Over {
            moves.clear();
            game.moves(&state, &mut moves);
            game.play(&mut state, moves[below(&mut random, moves.len() as u32) as usize]);
        }
        if game.turn(&state) != Turn::Over {
            states.push(state);
        }
    }
    states
}

/// Scores all moves of all positions; returns the number of nodes.
fn score_all(solver: &mut Solver, states: &[Connect4State]) -> u64 {
    let before = solver.nodes();
    for state in states {
        black_box(solver.moves(state));
    }
    solver.nodes() - before
}

fn solver(c: &mut Criterion) {
    let game = game();
    let mut group = c.benchmark_group("solver");
    group.sample_size(10);
    let mut solver = Solver::new(&game, 64, 1);
    for (name, exact, expected) in
        [("empty board, winner", false, 14_483_565), ("empty board, score", true, 20_415_993)]
    {
        group.bench_function(name, |b| {
            b.iter(|| {
                solver.clear();
                let start = game.start();
                let nodes =
                    if exact { solver.solve(&start).nodes } else { solver.wdl(&start).nodes };
                assert_eq!(nodes, expected);
            });
        });
    }
    for (stones, count, expected) in
        [(12, 50, 6_889_378), (16, 200, 2_133_317), (24, 2000, 401_561)]
    {
        let states = positions(&game, stones, count);
        group.bench_function(format!("all moves of {count} positions of {stones} stones"), |b| {
            b.iter(|| {
                solver.clear();
                assert_eq!(score_all(&mut solver, &states), expected);
            });
        });
    }
    let mut early = positions(&game, 12, 400);
    early.retain(|state| solver.solve(state).ending < 12 + 14);
    group.bench_function(format!("{} openings that end early", early.len()), |b| {
        b.iter(|| {
            solver.clear();
            let nodes: u64 = early.iter().map(|state| solver.solve(state).nodes).sum();
            assert_eq!(nodes, 15_441);
        });
    });
    group.finish();
}

criterion_group!(benches, solver);
criterion_main!(benches);
