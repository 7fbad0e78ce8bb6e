//! Tests that pruned expectimax returns the values of plain expectimax, to the last bit, with all
//! options.

use crate::support::search::{Graph, Opinion, build, mix, position};
use agon::games::einstein::Race;
use agon::games::{
    Configurable, Connect4Standard, Einstein, Evaluator, Game, GameTree, Mnk, Pacman, Pig, Scoring,
    TicTacToe, Turn,
};
use agon::params::{Value, Values};
use agon::search::{
    Expectimax, Limits, Opponent, Pruning, SearchResult, StarExpectimax, StarOptions, Terminal,
    Utility,
};

fn opponents() -> [Opponent; 5] {
    [
        Opponent::Perfect,
        Opponent::Uniform,
        Opponent::Epsilon(0.3),
        Opponent::Epsilon(0.0),
        Opponent::Softmax(3.0),
    ]
}

fn utilities() -> [Utility; 4] {
    [
        Utility::Linear,
        Utility::Power(0.5),
        Utility::Exponential(0.02),
        Utility::table(&[(-3.0, -100.0), (0.0, 0.0), (20.0, 1.0)]).unwrap(),
    ]
}

/// Searches one position with all options.
fn compare<G: Game, E: Evaluator<G> + Clone>(
    game: &G,
    states: &[G::State],
    depth: u32,
    evaluator: E,
    (opponent, utility, terminal): (Opponent, Utility, Terminal),
) {
    let mut plain = Expectimax::new(evaluator.clone(), terminal, opponent).utility(utility.clone());
    for pruning in [Pruning::None, Pruning::Star1, Pruning::Star2] {
        for table_mb in [0, 1] {
            let utility = utility.clone();
            let options = StarOptions { terminal, opponent, utility, pruning, table_mb };
            let what = format!("{options:?}, depth {depth}");
            let mut search = StarExpectimax::new(evaluator.clone(), options);
            search.new_game();
            for state in states {
                let Turn::Player(_) = game.turn(state) else { panic!("not to be searched") };
                let expected = plain.search(game, state, depth);
                let mut exact = Vec::new();
                let stats = plain.values(game, state, depth, &mut exact);
                let deep = Limits { nodes: Some(u64::MAX), ..Limits::depth(depth) };
                for limits in [Limits::depth(depth), deep] {
                    let first = search.search(game, state, &limits, false);
                    assert_eq!(first.value.to_bits(), expected.value.to_bits(), "{what} {state:?}");
                    assert_eq!(first.best, expected.best[..1], "{what} {state:?}");
                    let SearchResult { value, best, .. } =
                        search.search(game, state, &limits, true);
                    assert_eq!((value, best), (expected.value, expected.best.clone()), "{what}");
                    let mut values = Vec::new();
                    search.values(game, state, &limits, &mut values);
                    assert_eq!(values, exact, "{what} {state:?}");
                }
                if pruning == Pruning::None && table_mb == 0 {
                    let answer = search.search(game, state, &Limits::depth(depth), false);
                    assert_eq!(answer.stats, stats, "{what}");
                }
            }
        }
    }
}

/// Positions of a game with every model of the opponent; the other options alternate.
fn compare_all<G: Game>(game: &G, seed: u64, plies: u64, depth: u32, range: u64) {
    for (n, opponent) in opponents().into_iter().enumerate() {
        let seed = seed * 10 + n as u64;
        let states: Vec<_> =
            (0..3).map(|i| position(game, mix(&[seed, i]), i * plies / 2)).collect();
        let utility = utilities()[seed as usize % 4].clone();
        let terminal = [Terminal::Outcome, Terminal::Evaluator][seed as usize / 3 % 2];
        compare(game, &states, depth, Opinion { seed, range }, (opponent, utility, terminal));
    }
}

#[test]
fn graphs_with_chance() {
    for seed in 0..60 {
        let game = Graph {
            chance: seed % 6,
            moves: 2 + seed as u32 % 4,
            width: [3, 40][seed as usize % 2],
            scored: seed % 3 == 0,
            ..Graph::new(seed)
        };
        compare_all(&game, seed, 3, 1 + seed as u32 % 4, [2, 30, 1000][seed as usize % 3]);
    }
}

/// A node of a tree as text, with type, weights and values from a hash.
fn node(seed: u64, depth: u64) -> String {
    if depth == 0 || mix(&[seed, 9]).is_multiple_of(7) {
        return (mix(&[seed, 1]) % 41).cast_signed().wrapping_sub(20).to_string();
    }
    let count = 1 + mix(&[seed, 2]) % 4;
    let children: Vec<String> = (0..count).map(|n| node(mix(&[seed, 3, n]), depth - 1)).collect();
    let weight = |n| (1 + mix(&[seed, 5, n]) % 9).to_string();
    let weights: Vec<String> = (0..count).map(weight).collect();
    let (children, weights) = (children.join(", "), weights.join(", "));
    let estimate = mix(&[seed, 6]) % 30;
    match mix(&[seed, 4]) % 3 {
        0 => format!("{{ max = [{children}], estimate = {estimate} }}"),
        1 => format!("{{ min = [{children}], estimate = {estimate} }}"),
        _ => format!("{{ chance = [{children}], weights = [{weights}], estimate = {estimate} }}"),
    }
}

#[test]
fn random_trees() {
    for seed in 0..80 {
        let nodes: Vec<String> = (0..3).map(|n| node(mix(&[seed, n]), 5)).collect();
        let mut values = Values::default();
        values.set("text", Value::Text(format!("max = [{}]", nodes.join(", "))));
        let game = GameTree::build(&values).unwrap();
        for (n, opponent) in opponents().into_iter().enumerate() {
            let utility = utilities()[(seed as usize + n) % 4].clone();
            let what = (opponent, utility, Terminal::Outcome);
            let depth = 1 + seed as u32 % 6;
            compare(&game, &[game.start()], depth, agon::games::tree::LeafEstimate, what);
        }
    }
}

#[test]
fn games_with_chance() {
    for seed in 0..6 {
        let pig = build::<Pig>(&[("goal", 15), ("die", 3 + seed as i64 % 4)]);
        compare_all(&pig, seed, 12, 4, 20);
        let einstein = build::<Einstein>(&[("size", [3, 5][seed as usize % 2])]);
        compare_all(&einstein, seed, 8, 2, 20);
        compare_all(&build::<Einstein>(&[("size", 3)]), seed, 4, 3, 20);
    }
}

#[test]
fn games_without_chance() {
    for seed in 0..4 {
        compare_all(&TicTacToe, seed, 6, 4, 5);
        compare_all(&build::<Mnk<1>>(&[("m", 4), ("n", 4), ("k", 3)]), seed, 12, 2, 100);
        compare_all(&build::<Connect4Standard>(&[]), seed, 30, 3, 100);
        compare_all(&build::<Pacman>(&[]), seed, 20, 4, 30);
    }
}

/// With any budget, there is an answer within the budget.
#[test]
fn budgets_hold() {
    let game = build::<Einstein>(&[]);
    let state = position(&game, 3, 6);
    for pruning in [Pruning::None, Pruning::Star1, Pruning::Star2] {
        for table_mb in [0, 1] {
            let opponent = Opponent::Perfect;
            let options = StarOptions { opponent, pruning, table_mb, ..StarOptions::default() };
            for nodes in (1..150).chain([1000, 20_000]) {
                let limits = Limits { depth: Some(3), ..Limits::nodes(nodes) };
                let opinion = Opinion { seed: 1, range: 20 };
                let run = || {
                    let mut search = StarExpectimax::new(opinion, options.clone());
                    search.search(&game, &state, &limits, false)
                };
                let answer = run();
                assert!((1..=nodes).contains(&answer.stats.nodes), "{nodes}: {:?}", answer.stats);
                assert_eq!(answer, run());
                let mut legal = Vec::new();
                game.moves(&state, &mut legal);
                assert!(legal.contains(&answer.best[0]));
                if answer.stats.depth == 3 {
                    let mut plain = Expectimax::new(opinion, Terminal::Outcome, opponent);
                    assert_eq!(answer.value, plain.search(&game, &state, 3).value);
                }
            }
        }
    }
}

/// The default pruning depends on the game.
#[test]
fn pruning_fits_the_game() {
    use agon::games::{Zero, pacman::ScoreEvaluator, pig::Lead, tree::LeafEstimate};
    use agon::search::Leaves;
    let leaves = |terminal| Leaves { evaluator: Race, terminal };
    let einstein = build::<Einstein>(&[]);
    for (opponent, terminal, fit) in [
        (Opponent::Perfect, Terminal::Outcome, Pruning::Star2),
        // The evaluator `race` knows the exact value of a roll at the horizon.
        (Opponent::Uniform, Terminal::Outcome, Pruning::Star2),
        (Opponent::Epsilon(0.2), Terminal::Outcome, Pruning::Star2),
        (Opponent::Softmax(1.0), Terminal::Outcome, Pruning::Star2),
        (Opponent::Uniform, Terminal::Evaluator, Pruning::Star2),
    ] {
        assert_eq!(Pruning::fit(&einstein, &leaves(terminal), opponent), fit);
    }
    let ignorant = Leaves { evaluator: Zero, terminal: Terminal::Outcome };
    assert_eq!(Pruning::fit(&einstein, &ignorant, Opponent::Uniform), Pruning::None);
    // For a roll in Pig, `lead` knows a range but not the exact value.
    let (pig, lead) = (build::<Pig>(&[]), Leaves { evaluator: Lead, terminal: Terminal::Outcome });
    assert_eq!(Pruning::fit(&pig, &lead, Opponent::Uniform), Pruning::None);
    assert_eq!(Pruning::fit(&pig, &lead, Opponent::Perfect), Pruning::Star2);
    let terminal = Terminal::Outcome;
    let tree = GameTree::build(&Values::default()).unwrap();
    let leaves = Leaves { evaluator: LeafEstimate, terminal };
    assert_eq!(Pruning::fit(&tree, &leaves, Opponent::Uniform), Pruning::Star2);
    let leaves = Leaves { evaluator: ScoreEvaluator, terminal };
    let pacman = build::<Pacman>(&[]);
    assert_eq!(Pruning::fit(&pacman, &leaves, Opponent::Perfect), Pruning::None);
}

/// The ranges that evaluators state are true, throughout a random game.
fn check_bounds<G: Game>(game: &G, seed: u64, evaluator: impl Evaluator<G>) {
    let mut state = game.start();
    let (low, high) = evaluator.range(game).expect("a range");
    for step in 0.. {
        assert!((low..=high).contains(&evaluator.evaluate(game, &state)), "{state:?}");
        let mut moves = Vec::new();
        match game.turn(&state) {
            Turn::Over => break,
            Turn::Player(_) => game.moves(&state, &mut moves),
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.outcomes(&state, &mut outcomes);
                moves.extend(outcomes.into_iter().map(|(mv, _)| mv));
                let range = evaluator.outcome_range(game, &state);
                for &mv in moves.iter().filter(|_| range.is_some()) {
                    let mut after = state.clone();
                    game.play(&mut after, mv);
                    let (least, most) = range.expect("a range");
                    assert!((least..=most).contains(&evaluator.evaluate(game, &after)));
                    assert_ne!(game.turn(&after), Turn::Over);
                }
            }
        }
        game.play(&mut state, moves[mix(&[seed, step]) as usize % moves.len()]);
    }
    if let Some((least, most)) = game.scoring().payoff_range() {
        assert!((least..=most).contains(&game.payoff(&state)));
    }
}

#[test]
fn values_keep_to_their_bounds() {
    use agon::games::{linear_evaluator::Linear, pig::Lead, tree::LeafEstimate};
    let (pig, einstein) = (build::<Pig>(&[("goal", 40)]), build::<Einstein>(&[]));
    let none = agon::games::Weights::new();
    for seed in 0..200 {
        check_bounds(&pig, seed, Lead);
        check_bounds(&pig, seed, Linear::new(&pig, &none).unwrap());
        check_bounds(&einstein, seed, Linear::new(&einstein, &none).unwrap());
        check_bounds(&build::<Einstein>(&[("size", 3 + seed as i64 % 4)]), seed, Race);
        check_bounds(&GameTree::build(&Values::default()).unwrap(), seed, LeafEstimate);
    }
}

/// The evaluator `race` without its knowledge of rolls at the horizon.
#[derive(Clone)]
struct Blind;

impl Evaluator<Einstein> for Blind {
    fn evaluate(&self, game: &Einstein, state: &<Einstein as Game>::State) -> i32 {
        Race.evaluate(game, state)
    }

    fn range(&self, game: &Einstein) -> Option<(i32, i32)> {
        Race.range(game)
    }
}

/// The number of nodes of three plies of EinStein against a perfect opponent, in the first ten
/// positions of a game, with or without a table.
fn ten_positions(
    evaluator: impl Evaluator<Einstein> + Clone,
    pruning: Pruning,
    table_mb: usize,
) -> u64 {
    let game = build::<Einstein>(&[]);
    let opponent = Opponent::Perfect;
    let nodes = (0..10).map(|seed| {
        let state = position(&game, seed, seed);
        let options = StarOptions { opponent, pruning, table_mb, ..StarOptions::default() };
        let mut search = StarExpectimax::new(evaluator.clone(), options);
        search.search(&game, &state, &Limits::depth(3), false).stats.nodes
    });
    nodes.sum()
}

/// Changes with the work of the search: pruning and the table save nodes, and so does the value of a roll.
#[test]
fn ten_positions_take_the_known_nodes() {
    let nodes = [
        ten_positions(Race, Pruning::None, 0),
        ten_positions(Race, Pruning::Star1, 0),
        ten_positions(Race, Pruning::Star2, 0),
        ten_positions(Race, Pruning::Star2, 1),
        ten_positions(Blind, Pruning::Star2, 0),
    ];
    assert_eq!(nodes, [74_339, 13_148, 7_765, 7_383, 35_599]);
}
