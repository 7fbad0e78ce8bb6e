//! Tests that recorded searches return the values of the searches of the agents, and that the
//! branches that alpha-beta cuts do not matter.

use crate::support::search::{Graph, Opinion, build, position};
use agon::games::{Configurable, Evaluator, Game, GameTree, Mnk, TicTacToe, Turn};
use agon::params::{Value, Values};
use agon::search::{
    AlphaBeta, AlphaBetaOptions, Bound, Expectimax, Limits, Minimax, Opponent, RecordedAlgorithm,
    RecordedLimits, RecordedSearch, StepKind, Terminal, record_search,
};

const ALL: RecordedLimits = RecordedLimits { plies: 200, nodes: 100_000, below_cuts: true };

fn record<G: Game>(
    game: &G,
    state: &G::State,
    algorithm: RecordedAlgorithm,
    plies: u32,
    opinion: Opinion,
) -> RecordedSearch {
    let limits = RecordedLimits { plies, ..ALL };
    let evaluate = |state: &G::State| opinion.evaluate(game, state);
    record_search(game, state, algorithm, limits, &evaluate).expect("a small tree")
}

fn value(tree: &RecordedSearch) -> f64 {
    let value = tree.nodes[0].value.expect("a value");
    assert_eq!(value.bound, Bound::Exact, "the root has an exact value");
    value.value
}

fn best<G: Game>(game: &G, state: &G::State, mv: G::Move) -> String {
    let mut text = String::new();
    game.write_move(state, mv, &mut text);
    text
}

/// Minimax and alpha-beta equal the agents' searches in value, best move and nodes.
fn compare_without_chance<G: Game + Clone>(
    game: &G,
    state: &G::State,
    plies: u32,
    opinion: Opinion,
) {
    let what = format!("{state:?}, {plies} plies, {opinion:?}");
    let minimax = record(game, state, RecordedAlgorithm::Minimax, plies, opinion);
    let real = Minimax::new(opinion, Terminal::Outcome).search(game, state, plies);
    assert_eq!(value(&minimax), f64::from(real.value), "{what}");
    assert_eq!(minimax.nodes.len() as u64, real.stats.nodes, "{what}");
    let alpha_beta = record(game, state, RecordedAlgorithm::AlphaBeta, plies, opinion);
    let mut search = AlphaBeta::new(opinion, AlphaBetaOptions::PLAIN);
    let real = search.search(game, state, &Limits::depth(plies), false);
    assert_eq!(value(&alpha_beta), f64::from(real.value), "{what}");
    // The tree is the same, with some branches cut.
    assert_eq!(alpha_beta.nodes.len(), minimax.nodes.len(), "{what}");
    let seen = alpha_beta.nodes.iter().filter(|node| !node.is_cut).count();
    assert!(seen <= minimax.nodes.len(), "{what}");
    for tree in [&minimax, &alpha_beta] {
        let chosen = tree.nodes[0].best.expect("a best move");
        assert_eq!(tree.nodes[chosen as usize].label, best(game, state, real.best[0]), "{what}");
    }
    // A bound holds for the value of minimax; the nodes have the same order.
    for (node, full) in alpha_beta.nodes.iter().zip(&minimax.nodes) {
        assert_eq!((&node.label, node.parent), (&full.label, full.parent), "{what}");
        let exact = full.value.expect("a value").value;
        let Some(found) = node.value else {
            assert!(node.is_cut, "{what}");
            continue;
        };
        match found.bound {
            Bound::Exact => assert_eq!(found.value, exact, "{what}"),
            Bound::AtLeast => assert!(found.value <= exact, "{what}"),
            Bound::AtMost => assert!(found.value >= exact, "{what}"),
        }
    }
}

#[test]
fn small_boards_have_the_values_of_the_agents() {
    let opinion = |seed| Opinion { seed, range: 9 };
    for seed in 0..12 {
        let plies = seed % 7;
        let state = position(&TicTacToe, seed, plies);
        if let Turn::Player(_) = TicTacToe.turn(&state) {
            compare_without_chance(&TicTacToe, &state, 1 + (seed % 4) as u32, opinion(seed));
        }
        for [m, n, k] in [[4, 3, 3], [3, 3, 2], [4, 4, 4]] {
            let board: Mnk<1> = build(&[("m", m), ("n", n), ("k", k)]);
            let state = position(&board, seed, plies);
            if let Turn::Player(_) = board.turn(&state) {
                compare_without_chance(&board, &state, 1 + (seed % 3) as u32, opinion(seed));
            }
        }
    }
}

#[test]
fn random_graphs_have_the_values_of_the_agents() {
    for seed in 0..60 {
        let scored = seed % 2 == 0;
        let opinion = Opinion { seed, range: 20 };
        let graph = Graph { layers: 6, moves: 3, scored, ..Graph::new(seed) };
        for plies in 1..=6 {
            compare_without_chance(&graph, &graph.start(), plies, opinion);
        }
        let graph = Graph { chance: 3, ..graph };
        for plies in 1..=4 {
            for (algorithm, opponent) in [
                (RecordedAlgorithm::Expectimax, Opponent::Uniform),
                (RecordedAlgorithm::Expectiminimax, Opponent::Perfect),
            ] {
                let tree = record(&graph, &graph.start(), algorithm, plies, opinion);
                let mut search = Expectimax::new(opinion, Terminal::Outcome, opponent);
                let real = search.search(&graph, &graph.start(), plies);
                assert_eq!(value(&tree), real.value, "{graph:?}, {plies} plies, {algorithm:?}");
                assert_eq!(tree.nodes.len() as u64, real.stats.nodes);
                let chosen = tree.nodes[0].best.expect("a best move");
                let label = best(&graph, &graph.start(), real.best[0]);
                assert_eq!(tree.nodes[chosen as usize].label, label);
            }
        }
    }
}

fn tree(text: &str) -> GameTree {
    let mut values = Values::default();
    values.set("text", Value::Text(text.to_owned()));
    GameTree::build(&values).expect("a tree")
}

fn explicit(text: &str, algorithm: RecordedAlgorithm) -> RecordedSearch {
    let game = tree(text);
    record(&game, &game.start(), algorithm, 200, Opinion { seed: 0, range: 1 })
}

const CS188: &str = "max = [{ min = [3, 12, 8] }, { min = [2, 4, 6] }, { min = [14, 5, 2] }]";

#[test]
fn alpha_beta_cuts_4_and_6_of_the_textbook() {
    let tree = explicit(CS188, RecordedAlgorithm::AlphaBeta);
    assert_eq!(value(&tree), 3.0);
    let leaf = |number: u32| tree.nodes[number as usize].value.expect("a leaf").value;
    let visited = tree.steps.iter().filter(|step| step.kind == StepKind::Leaf);
    let visited: Vec<f64> = visited.map(|step| leaf(step.node)).collect();
    assert_eq!(visited, [3.0, 12.0, 8.0, 2.0, 14.0, 5.0, 2.0]);
    let cut = tree.nodes.iter().filter(|node| node.is_cut);
    let cut: Vec<f64> = cut.map(|node| node.value.expect("a leaf").value).collect();
    assert_eq!(cut, [4.0, 6.0]);
    let window = |path: &str| {
        let node = tree.nodes.iter().find(|node| node.position == path).expect("a node");
        let window = node.window.expect("a window");
        (window.alpha, window.beta, node.value.expect("a value").bound)
    };
    assert_eq!(window("/"), (3.0, f64::INFINITY, Bound::Exact));
    assert_eq!(window("/1"), (f64::NEG_INFINITY, 3.0, Bound::Exact));
    assert_eq!(window("/2"), (3.0, 2.0, Bound::AtMost));
    assert_eq!(window("/3"), (3.0, 2.0, Bound::Exact));
}

#[test]
fn averages_have_the_values_of_the_textbook() {
    let chance = "max = [{ chance = [8, 24, -12], weights = [3, 2, 1] }, 0]";
    let found = explicit(chance, RecordedAlgorithm::Expectiminimax);
    assert_eq!(value(&found), 10.0);
    let gamble = found.steps.iter().filter(|step| step.node == 1);
    let sums: Vec<f64> = gamble.filter_map(|step| Some(step.value?.value)).collect();
    assert_eq!(sums, [4.0, 12.0, 10.0]);
    // The means are 23/3, 4 and 7.
    assert_eq!(value(&explicit(CS188, RecordedAlgorithm::Expectimax)), 23.0 / 3.0);
}

#[test]
fn a_tree_with_too_many_nodes_is_not_recorded() {
    let state = TicTacToe.start();
    for (nodes, is_some) in [(81, false), (82, true)] {
        let limits = RecordedLimits { plies: 2, nodes, below_cuts: true };
        let found = record_search(&TicTacToe, &state, RecordedAlgorithm::Minimax, limits, &|_| 0);
        assert_eq!(found.is_some(), is_some, "{nodes}");
    }
}
