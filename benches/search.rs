//! Speed of the searches: nodes per second, and time to a depth.
//!
//! Positions are fixed, and assertions check the nodes of every task. So a faster time is always a
//! time for the same work.

extern crate agon_core as agon;

use std::hint::black_box;

use agon::games::einstein::Race;
use agon::games::{
    Configurable, Connect4Standard, Einstein, Evaluator, EvaluatorVisitor, Game, Notation, Weights,
    Zero,
};
use agon::params::{Value, Values};
use agon::search::{
    AlphaBeta, AlphaBetaOptions, Expectimax, Limits, Mcts, MctsOptions, Minimax, Opponent, Pruning,
    StarExpectimax, StarOptions, Terminal,
};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Connect Four: the empty board, an opening, two tactical positions.
const POSITIONS: [&str; 4] = ["", "4435", "43342", "44444352"];

const PLAIN: AlphaBetaOptions = AlphaBetaOptions::PLAIN;

const FULL: AlphaBetaOptions = AlphaBetaOptions { table_mb: 16, ..AlphaBetaOptions::FULL };

/// A search and its settings.
#[derive(Debug, Clone, Copy)]
enum Job {
    Minimax,
    AlphaBeta(AlphaBetaOptions),
    Expectimax,
}

/// Measures a task: all its positions, each with a new search.
struct Measure<'a> {
    c: &'a mut Criterion,
    game: &'a Connect4Standard,
    name: &'a str,
    job: Job,
    positions: &'a [&'a str],
    depth: u32,
    nodes: u64,
}

impl EvaluatorVisitor<Connect4Standard> for Measure<'_> {
    type Out = ();

    fn visit<E: Evaluator<Connect4Standard> + Clone>(self, evaluator: E) {
        let (game, depth) = (self.game, self.depth);
        let states: Vec<_> =
            self.positions.iter().map(|text| game.read_position(text).unwrap()).collect();
        let (outcome, opponent) = (Terminal::Outcome, Opponent::Uniform);
        let mut minimax = Minimax::new(evaluator.clone(), outcome);
        let mut expectimax = Expectimax::new(evaluator.clone(), outcome, opponent);
        let options = if let Job::AlphaBeta(options) = self.job { options } else { PLAIN };
        let mut alphabeta = AlphaBeta::new(evaluator, options);
        let mut run = || -> u64 {
            let nodes = states.iter().map(|state| match self.job {
                Job::Minimax => minimax.search(game, state, depth).stats.nodes,
                Job::Expectimax => expectimax.search(game, state, depth).stats.nodes,
                Job::AlphaBeta(_) => {
                    alphabeta.new_game();
                    alphabeta.search(game, state, &Limits::depth(depth), false).stats.nodes
                }
            });
            nodes.sum()
        };
        assert_eq!(run(), self.nodes, "{}", self.name);
        let mut group = self.c.benchmark_group("search");
        group.throughput(Throughput::Elements(self.nodes)).sample_size(20);
        group.bench_function(self.name, |b| b.iter(|| black_box(run())));
        group.finish();
    }
}

fn measure(
    c: &mut Criterion,
    name: &str,
    evaluator: &str,
    job: Job,
    positions: &[&str],
    (depth, nodes): (u32, u64),
) {
    let game = &Connect4Standard::build(&Values::default()).unwrap();
    let measure = Measure { c, game, name, job, positions, depth, nodes };
    game.with_evaluator(evaluator, &Weights::new(), measure).unwrap();
}

/// Nodes per second without any enhancement of the search.
fn plain(c: &mut Criterion) {
    let job = Job::AlphaBeta(PLAIN);
    measure(
        c,
        "plain alpha-beta, zero, empty board, depth 12",
        "zero",
        job,
        &[""],
        (12, 3_189_800),
    );
    measure(
        c,
        "plain alpha-beta, segments, empty board, depth 9",
        "segments",
        job,
        &[""],
        (9, 804_246),
    );
    measure(c, "plain alpha-beta, zero, depth 10", "zero", job, &POSITIONS, (10, 2_918_509));
    measure(c, "plain alpha-beta, segments, depth 8", "segments", job, &POSITIONS, (8, 787_845));
    measure(c, "minimax, segments, depth 6", "segments", Job::Minimax, &POSITIONS, (6, 502_332));
    measure(
        c,
        "expectimax, segments, depth 6",
        "segments",
        Job::Expectimax,
        &POSITIONS,
        (6, 502_332),
    );
}

/// Time to a depth with move ordering and transposition table.
fn depths(c: &mut Criterion) {
    let job = Job::AlphaBeta(FULL);
    measure(
        c,
        "full alpha-beta, segments, empty board to depth 12",
        "segments",
        job,
        &[""],
        (12, 406_349),
    );
    measure(
        c,
        "full alpha-beta, segments, empty board to depth 14",
        "segments",
        job,
        &[""],
        (14, 1_568_576),
    );
    measure(
        c,
        "full alpha-beta, segments, to depth 10",
        "segments",
        job,
        &POSITIONS,
        (10, 240_988),
    );
}

/// Time of three plies in EinStein against a perfect opponent, for each pruning.
fn star(c: &mut Criterion) {
    let mut values = Values::default();
    values.set("arrangement", Value::Text("123456".to_owned()));
    let game = Einstein::build(&values).unwrap();
    let mut state = game.start();
    let die = game.notation().read_move(&state, "d3").unwrap();
    game.play(&mut state, die);
    let mut group = c.benchmark_group("search");
    for (name, pruning, table_mb, nodes) in [
        ("expectimax, einstein, depth 3, plain", Pruning::None, 0, NODES[0]),
        ("expectimax, einstein, depth 3, star1", Pruning::Star1, 0, NODES[1]),
        ("expectimax, einstein, depth 3, star2", Pruning::Star2, 0, NODES[2]),
        ("expectimax, einstein, depth 3, star2 and table", Pruning::Star2, 16, NODES[3]),
    ] {
        let opponent = Opponent::Perfect;
        let options = StarOptions { opponent, pruning, table_mb, ..StarOptions::default() };
        let mut search = StarExpectimax::new(Race, options);
        let mut run = || {
            search.new_game();
            search.search(&game, &state, &Limits::depth(3), false).stats.nodes
        };
        assert_eq!(run(), nodes, "{name}");
        // Time of the task, independent of its number of nodes.
        group.throughput(Throughput::Elements(1)).sample_size(20);
        group.bench_function(name, |b| b.iter(|| black_box(run())));
    }
    group.finish();
}

/// Simulations per second on the empty board.
fn mcts(c: &mut Criterion) {
    let game = Connect4Standard::build(&Values::default()).unwrap();
    let mut group = c.benchmark_group("search");
    for (simulations, nodes) in [(10_000, 211_371), (300_000, 6_660_694)] {
        let mut search = Mcts::new(Zero, MctsOptions::default());
        let mut run = || {
            let limits = Limits::default();
            let answer = search.search(&game, &game.start(), &[], Some(simulations), &limits, 1);
            (answer.best, answer.stats.nodes)
        };
        assert_eq!(run(), (vec![3], nodes));
        group.throughput(Throughput::Elements(simulations)).sample_size(10);
        let name = format!("mcts, connect four, {simulations} simulations");
        group.bench_function(name, |b| b.iter(|| black_box(run())));
    }
    group.finish();
}

/// Number of nodes with each pruning in the position above.
const NODES: [u64; 4] = [7148, 1289, 904, 768];

criterion_group!(benches, plain, depths, star, mcts);
criterion_main!(benches);
