//! Tests of budgets: there is always an answer, never too many nodes, and always the same answer.

use std::time::{Duration, Instant};

use crate::support::search::{Graph, Opinion, build, position};
use agon::games::{
    Configurable, Connect4Standard, Evaluator, EvaluatorVisitor, Game, TicTacToe, Turn, Weights,
    Zero,
};
use agon::search::{
    AlphaBeta, AlphaBetaOptions, Limits, Minimax, Ordering, SearchResult, Terminal,
};

fn options() -> impl Iterator<Item = AlphaBetaOptions> {
    let orderings = [Ordering::None, Ordering::Static, Ordering::Full];
    orderings.into_iter().flat_map(|ordering| {
        [(0, false), (1, false), (0, true), (1, true)].map(|(table_mb, quiescence)| {
            AlphaBetaOptions {
                ordering,
                table_mb,
                quiescence,
                aspiration: 2 * table_mb as i32,
                lmr: table_mb > 0,
                ..AlphaBetaOptions::FULL
            }
        })
    })
}

fn check<G: Game>(game: &G, state: &G::State, answer: &SearchResult<G::Move>, nodes: u64) {
    let mut legal = Vec::new();
    game.moves(state, &mut legal);
    assert!(!answer.best.is_empty());
    assert!(answer.best.iter().all(|mv| legal.contains(mv)));
    assert!((1..=nodes).contains(&answer.stats.nodes), "{} of {nodes}", answer.stats.nodes);
}

#[test]
fn every_number_of_nodes_has_an_answer() {
    let opinion = Opinion { seed: 5, range: 20 };
    for options in options() {
        for seed in 0..4 {
            let game = Graph::new(seed);
            let state = position(&game, seed, seed);
            for nodes in (1..60).chain([100, 1000, 10_000, 100_000]) {
                let run = || {
                    let mut search = AlphaBeta::new(opinion, options);
                    let limits = Limits { depth: Some(9), ..Limits::nodes(nodes) };
                    search.search(&game, &state, &limits, nodes % 2 == 0)
                };
                let answer = run();
                check(&game, &state, &answer, nodes);
                assert_eq!(answer, run());
                // With this budget, the search completes its depth.
                if nodes == 100_000 {
                    let mut plain = Minimax::new(opinion, Terminal::Outcome);
                    plain = plain.quiescence(options.quiescence);
                    let plain = plain.search(&game, &state, 9);
                    assert_eq!((answer.value, answer.best), (plain.value, plain.best));
                }
            }
        }
    }
}

#[test]
fn values_of_moves_have_a_budget_too() {
    let game = Graph::new(3);
    let state = game.start();
    let mut moves = Vec::new();
    game.moves(&state, &mut moves);
    // Late move reductions change values.
    for options in options().map(|options| AlphaBetaOptions { lmr: false, ..options }) {
        let mut search = AlphaBeta::new(Opinion { seed: 1, range: 9 }, options);
        for nodes in 1..200 {
            let mut values = Vec::new();
            let stats = search.values(&game, &state, &Limits::nodes(nodes), &mut values);
            assert!(stats.nodes <= nodes);
            assert!(values.iter().map(|&(mv, _)| mv).eq(moves.iter().copied()));
            let mut exact = Vec::new();
            if stats.depth > 0 {
                let mut plain = Minimax::new(Opinion { seed: 1, range: 9 }, Terminal::Outcome);
                plain = plain.quiescence(options.quiescence);
                plain.values(&game, &state, stats.depth, &mut exact);
                assert_eq!(values, exact, "{nodes} nodes, {options:?}");
            }
        }
    }
}

#[test]
fn no_time_is_enough_for_an_answer() {
    for options in options() {
        for milliseconds in [0, 1, 20] {
            let movetime = Duration::from_millis(milliseconds);
            let limits = Limits { movetime: Some(movetime), ..Limits::default() };
            let game = Graph { layers: 100, width: 1 << 20, ..Graph::new(1) };
            let mut search = AlphaBeta::new(Zero, options);
            let begun = Instant::now();
            let answer = search.search(&game, &game.start(), &limits, false);
            // A generous limit, because other programs run on the machine too.
            assert!(begun.elapsed() < movetime + Duration::from_secs(5));
            check(&game, &game.start(), &answer, u64::MAX);
        }
    }
}

/// A search with a final value does not use up its budget.
#[test]
fn finished_games_end_the_search() {
    for options in options().filter(|options| options.table_mb > 0) {
        let mut state = TicTacToe.start();
        for mv in [4, 0, 2, 6, 3] {
            TicTacToe.play(&mut state, mv);
        }
        assert!(matches!(TicTacToe.turn(&state), Turn::Player(_)));
        let mut search = AlphaBeta::new(Zero, options);
        let answer = search.search(&TicTacToe, &state, &Limits::nodes(1 << 50), false);
        assert_eq!((answer.value, answer.best), (0, vec![5]));
        assert!(answer.stats.depth <= 5);
    }
}

/// Table entries of an earlier game must not change any count.
#[test]
fn games_are_independent() {
    let opinion = Opinion { seed: 8, range: 50 };
    let limits = Limits { depth: Some(7), ..Limits::default() };
    for options in options() {
        let play = |search: &mut AlphaBeta<Graph, Opinion>, seed| {
            search.new_game();
            let game = Graph { layers: 25, ..Graph::new(4) };
            let mut state = position(&game, seed, 1);
            let mut record = Vec::new();
            while let Turn::Player(_) = game.turn(&state) {
                let answer = search.search(&game, &state, &limits, true);
                game.play(&mut state, answer.best[0]);
                record.push(answer);
            }
            record
        };
        let fresh = |seed| play(&mut AlphaBeta::new(opinion, options), seed);
        let mut old = AlphaBeta::new(opinion, options);
        for seed in 0..6 {
            assert_eq!(play(&mut old, seed), fresh(seed), "{options:?}");
        }
    }
}

/// In a table that is far too small, every entry replaces another one. The choice must be the same
/// in a used table.
struct SmallTable<'a>(&'a Connect4Standard);

impl EvaluatorVisitor<Connect4Standard> for SmallTable<'_> {
    type Out = ();

    fn visit<E: Evaluator<Connect4Standard> + Clone>(self, evaluator: E) {
        let options = AlphaBetaOptions { table_mb: 1, ..AlphaBetaOptions::default() };
        let stats = |search: &mut AlphaBeta<_, _>, text: &str| {
            let state = self.0.read_position(text).unwrap();
            search.new_game();
            search.search(self.0, &state, &Limits::depth(13), false).stats
        };
        let fresh = stats(&mut AlphaBeta::new(evaluator.clone(), options), "");
        let mut used = AlphaBeta::new(evaluator, options);
        stats(&mut used, "4455");
        assert_eq!(stats(&mut used, ""), fresh);
        assert_eq!(stats(&mut used, ""), fresh);
    }
}

#[test]
fn a_table_that_overflows_forgets_the_same() {
    let game = build::<Connect4Standard>(&[]);
    game.with_evaluator("segments", &Weights::new(), SmallTable(&game)).unwrap();
}
