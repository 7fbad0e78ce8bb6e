//! Tests of Monte Carlo tree search: proofs are correct, and means converge.

use crate::support::search::{Graph, build, mix, position};
use agon::games::{
    Configurable, Connect4Standard, Einstein, Game, GameTree, Pacman, Pig, TicTacToe, Turn, Zero,
};
use agon::params::{Value, Values};
use agon::search::{
    Expectimax, Limits, Mcts, MctsOptions, Minimax, Opponent, SearchResult, Terminal,
};

const SMALL: MctsOptions =
    MctsOptions { exploration: 1.4, rave: 0.0, tree_mb: 4, playout_plies: None, reuse: false };

fn think<G: Game>(
    game: &G,
    state: &G::State,
    simulations: Option<u64>,
    seed: u64,
) -> SearchResult<G::Move, f64> {
    Mcts::new(Zero, SMALL).search(game, state, &[], simulations, &Limits::default(), seed)
}

/// Small games end in a proof, with the value of minimax.
#[test]
fn proofs_are_minimax() {
    for seed in 0..30 {
        let state = position(&TicTacToe, seed, 3 + seed % 6);
        let plain = Minimax::new(Zero, Terminal::Outcome).search(&TicTacToe, &state, 9);
        let answer = think(&TicTacToe, &state, Some(100_000), seed);
        assert_eq!(answer.value, f64::from(plain.value.signum()), "{state:?}");
        let mut after = state;
        TicTacToe.play(&mut after, answer.best[0]);
        if TicTacToe.turn(&after) != Turn::Over {
            let next = Minimax::new(Zero, Terminal::Outcome).search(&TicTacToe, &after, 9);
            assert_eq!(next.value.signum(), plain.value.signum(), "a move that holds the value");
        }
        let graph = Graph { layers: 6, moves: 3, scored: seed % 2 == 0, ..Graph::new(seed) };
        let plain = Minimax::new(Zero, Terminal::Outcome).search(&graph, &graph.start(), 99);
        let value = if graph.scored { plain.value } else { plain.value.signum() };
        let answer = think(&graph, &graph.start(), Some(300_000), seed);
        assert_eq!(answer.value, f64::from(value), "graph {seed}");
        assert!(answer.stats.leaves < 300_000, "proven before the simulations end");
    }
}

/// Chance nodes are proven too, with the mean of their children.
#[test]
fn proofs_are_expectimax() {
    for seed in 0..30 {
        let game = Graph { layers: 6, moves: 3, chance: 4, scored: true, ..Graph::new(seed) };
        let mut plain = Expectimax::new(Zero, Terminal::Outcome, Opponent::Perfect);
        let expected = plain.search(&game, &game.start(), 99);
        let answer = think(&game, &game.start(), Some(500_000), seed);
        assert!((answer.value - expected.value).abs() < 1e-9, "{answer:?} {expected:?}");
        assert!(expected.best.contains(&answer.best[0]), "{answer:?} {expected:?}");
    }
    let mut values = Values::default();
    let text = "max = { gamble = { chance = [8, 24, -12], weights = [3, 2, 1] }, leave = 9 }";
    values.set("text", Value::Text(text.to_owned()));
    let tree = GameTree::build(&values).unwrap();
    let answer = think(&tree, &tree.start(), None, 1);
    assert!((answer.value - 10.0).abs() < 1e-12 && answer.best == [0], "{answer:?}");
}

/// Without proofs, the means of simulations are near the exact value.
#[test]
fn means_come_near_the_value() {
    let game = build::<Einstein>(&[("size", 3)]);
    for seed in 0..5 {
        let state = position(&game, seed, 1);
        let mut plain = Expectimax::new(Zero, Terminal::Outcome, Opponent::Perfect);
        let mut values = Vec::new();
        plain.values(&game, &state, 99, &mut values);
        let worth: Vec<_> = values.iter().map(|&(mv, value)| (mv, value / 2e9)).collect();
        let Turn::Player(player) = game.turn(&state) else { panic!("a player is to move") };
        let sign = f64::from(player.sign());
        let best = worth.iter().map(|&(_, value)| sign * value).fold(f64::MIN, f64::max);
        let answer = think(&game, &state, Some(50_000), seed);
        let chosen = worth.iter().find(|&&(mv, _)| mv == answer.best[0]).unwrap().1;
        assert!(sign * chosen > best - 0.02, "{answer:?} {worth:?}");
        assert!((answer.value - chosen).abs() < 0.05, "{answer:?} {worth:?}");
    }
}

#[test]
fn tic_tac_toe_is_never_lost() {
    for seed in 0..24 {
        let mut search = Mcts::new(Zero, MctsOptions { reuse: seed % 2 == 1, ..SMALL });
        let mut best = Minimax::new(Zero, Terminal::Outcome);
        let mut state = TicTacToe.start();
        let mut history = Vec::new();
        let mut plies = 0;
        while let Turn::Player(player) = TicTacToe.turn(&state) {
            let mv = if player.index() as u64 == seed / 2 % 2 {
                let limits = Limits::default();
                search
                    .search(
                        &TicTacToe,
                        &state,
                        &history,
                        Some(10_000),
                        &limits,
                        mix(&[seed, plies]),
                    )
                    .best[0]
            } else if seed % 3 == 0 || plies == 0 {
                // An opponent who sets traps that a perfect opponent would not set.
                let mut moves = Vec::new();
                TicTacToe.moves(&state, &mut moves);
                moves[mix(&[seed, plies, 1]) as usize % moves.len()]
            } else {
                let all = best.search(&TicTacToe, &state, 9).best;
                all[mix(&[seed, plies, 2]) as usize % all.len()]
            };
            history.push(TicTacToe.key(&state));
            TicTacToe.play(&mut state, mv);
            plies += 1;
        }
        let own = if seed / 2 % 2 == 0 { 1 } else { -1 };
        assert!(own * TicTacToe.payoff(&state) >= 0, "game {seed} is lost");
    }
}

/// The number of searches with the centre column as the first move.
fn centres(simulations: u64, seeds: u64, tree_mb: usize) -> u64 {
    let game = build::<Connect4Standard>(&[]);
    let options = MctsOptions { tree_mb, ..MctsOptions::default() };
    let mut search = Mcts::new(Zero, options);
    let found = (0..seeds).filter(|&seed| {
        search.new_game();
        let limits = Limits::default();
        search.search(&game, &game.start(), &[], Some(simulations), &limits, seed).best == [3]
    });
    found.count() as u64
}

#[test]
fn connect_four_opens_in_the_centre() {
    assert_eq!(centres(60_000, 4, 16), 4);
}

/// Run it with `cargo test --release --test search mcts -- --ignored --nocapture`.
#[test]
#[ignore = "twenty million simulations"]
fn connect_four_opens_in_the_centre_at_a_million_simulations() {
    let begin = std::time::Instant::now();
    let found = centres(1_000_000, 20, 64);
    let rate = 20.0 / begin.elapsed().as_secs_f64();
    println!("{found} of 20 seeds, {rate:.2} million simulations a second");
    assert!(found >= 19, "{found}");
}

/// A game of the search against itself, with one tree for each side; returns the moves and all
/// counters.
fn game_of<G: Game>(game: &G, options: MctsOptions, most: u32) -> Vec<(G::Move, u64, u32)> {
    let mut searches = [0, 1].map(|_| Mcts::<G, Zero>::new(Zero, options));
    let (mut state, mut history, mut record) = (game.start(), Vec::new(), Vec::new());
    for step in 0..most {
        let mv = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.outcomes(&state, &mut outcomes);
                outcomes[mix(&[u64::from(step)]) as usize % outcomes.len()].0
            }
            Turn::Player(player) => {
                let search = &mut searches[player.index()];
                let (limits, seed) = (Limits::default(), u64::from(step));
                let answer = search.search(game, &state, &history, Some(400), &limits, seed);
                record.push((answer.best[0], answer.stats.nodes, answer.stats.depth));
                answer.best[0]
            }
        };
        history.push(game.key(&state));
        game.play(&mut state, mv);
    }
    record
}

#[test]
fn games_are_reproducible_with_and_without_reuse() {
    fn check<G: Game>(game: &G) {
        let once = game_of(game, SMALL, 60);
        let reused = game_of(game, MctsOptions { reuse: true, ..SMALL }, 60);
        assert_eq!(once, game_of(game, SMALL, 60));
        assert_eq!(reused, game_of(game, MctsOptions { reuse: true, ..SMALL }, 60));
        // Before a side's second move there is no tree to reuse.
        assert_ne!(once, reused);
    }
    check(&build::<Connect4Standard>(&[]));
    check(&build::<Einstein>(&[]));
    check(&build::<Pig>(&[("goal", 30)]));
    let game = build::<Connect4Standard>(&[]);
    let depth = |reuse| {
        let record = game_of(&game, MctsOptions { reuse, ..SMALL }, 20);
        record.iter().map(|&(_, _, depth)| depth).sum::<u32>()
    };
    assert!(depth(true) > depth(false), "the tree goes on where it was");
}

/// The tree of another search must not affect the result.
#[test]
fn no_game_sees_another() {
    let game = build::<Connect4Standard>(&[]);
    let state = position(&game, 5, 6);
    let mut used = Mcts::new(Zero, MctsOptions { reuse: true, ..SMALL });
    used.search(&game, &game.start(), &[], Some(5000), &Limits::default(), 3);
    used.new_game();
    let answer = used.search(&game, &state, &[1, 2, 3], Some(3000), &Limits::default(), 4);
    let mut fresh = Mcts::new(Zero, MctsOptions { reuse: true, ..SMALL });
    let limits = Limits::default();
    assert_eq!(answer, fresh.search(&game, &state, &[1, 2, 3], Some(3000), &limits, 4));
}

#[test]
fn budgets_hold() {
    let game = build::<Connect4Standard>(&[]);
    let state = game.start();
    let mut search = Mcts::new(Zero, SMALL);
    for nodes in [1, 2, 10, 1000, 50_000] {
        let answer = search.search(&game, &state, &[], None, &Limits::nodes(nodes), nodes);
        // The last simulation is completed: at most one playout and its path in the tree.
        assert!((nodes..nodes + 43).contains(&answer.stats.nodes), "{answer:?}");
        assert!(!answer.best.is_empty() && answer.best.iter().all(|&mv| mv < 7));
    }
    for simulations in [1, 7, 8, 1000] {
        assert_eq!(think(&game, &state, Some(simulations), 1).stats.leaves, simulations);
    }
    let limits = Limits { movetime: Some(std::time::Duration::ZERO), ..Limits::default() };
    assert!(!search.search(&game, &state, &[], None, &limits, 1).best.is_empty());
}

/// Once the memory is full, the search continues from the existing leaves.
#[test]
fn a_full_tree_still_counts() {
    let game = build::<Connect4Standard>(&[]);
    let mut search = Mcts::new(Zero, MctsOptions { tree_mb: 1, ..SMALL });
    let limits = Limits::default();
    let answer = search.search(&game, &game.start(), &[], Some(100_000), &limits, 1);
    assert_eq!((answer.best, answer.stats.leaves), (vec![3], 100_000));
}

/// Pacman has no fixed end; the score decides.
#[test]
fn scores_are_distinguished() {
    let game = build::<Pacman>(&[]);
    for (plies, seed) in [(Some(10), 1), (None, 2)] {
        let options = MctsOptions { playout_plies: plies, ..SMALL };
        let score = agon::games::pacman::ScoreEvaluator;
        let mut search = Mcts::new(score, options);
        let limits = Limits::default();
        let answer = search.search(&game, &game.start(), &[], Some(3000), &limits, seed);
        assert!(answer.value.abs() < 5000.0, "{answer:?}");
        assert!(plies.is_none() || answer.stats.nodes < 3000 * 80, "{answer:?}");
    }
    // A slightly better score is better: 3 against 1, in a game that also contains 1000.
    let mut values = Values::default();
    let text = "max = [{ min = [1, 1000] }, { min = [3, 4] }, { min = [2, 2000, -2000] }]";
    values.set("text", Value::Text(text.to_owned()));
    let tree = GameTree::build(&values).unwrap();
    let answer = think(&tree, &tree.start(), None, 1);
    assert_eq!((answer.value, answer.best), (3.0, vec![1]));
}
