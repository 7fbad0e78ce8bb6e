//! Tests of utilities: they matter only with chance or an imperfect opponent.

use crate::support::agents::{choose, spec};
use crate::support::search::{Graph, Opinion, build, mix, position};
use agon::agents::{Agent, build as build_agent};
use agon::games::{Configurable, Connect4Standard, Game, GameTree, Player, TicTacToe, Turn};
use agon::params::{Value, Values};
use agon::search::{Expectimax, Minimax, Opponent, Terminal, Utility};

/// A strictly increasing utility with random points.
fn random_table(seed: u64) -> Utility {
    let (mut value, mut worth) = (-60.0, -500.0);
    let points: Vec<(f64, f64)> = (0..12)
        .map(|n| {
            value += 1.0 + (mix(&[seed, n]) % 20) as f64;
            worth += 0.001 + (mix(&[seed, n, 1]) % 5).pow(4) as f64;
            (value, worth)
        })
        .collect();
    Utility::table(&points).unwrap()
}

fn any(seed: u64) -> Utility {
    match seed % 4 {
        0 => Utility::Power([0.1, 0.5, 2.0, 5.0][seed as usize / 4 % 4]),
        1 => Utility::Exponential([0.05, -0.05, 0.5, -0.5][seed as usize / 4 % 4]),
        _ => random_table(seed),
    }
}

/// Between perfect players only the order of values matters, at every leaf of a tree.
#[test]
fn no_utility_changes_a_move_of_minimax() {
    fn check<G: Game>(game: &G, seed: u64) {
        let state = position(game, seed, seed % 4);
        let opinion = Opinion { seed, range: 40 };
        let plain = Minimax::new(opinion, Terminal::Outcome).search(game, &state, 4);
        let search = || Expectimax::new(opinion, Terminal::Outcome, Opponent::Perfect);
        let Turn::Player(side) = game.turn(&state) else { panic!("a player is to move") };
        for n in 0..8 {
            let utility = any(seed * 8 + n);
            let answer = search().utility(utility.clone()).search(game, &state, 4);
            assert_eq!(answer.best, plain.best, "{utility:?}");
            assert_eq!(answer.value, utility.apply(plain.value, side), "{utility:?}");
        }
    }
    for seed in 0..40 {
        check(&Graph { scored: seed % 2 == 0, ..Graph::new(seed) }, seed);
        check(&TicTacToe, seed);
        check(&build::<Connect4Standard>(&[]), seed);
    }
}

/// With chance or an imperfect opponent, the same utilities change many moves.
#[test]
fn utilities_change_moves_of_expectimax() {
    for opponent in [Opponent::Perfect, Opponent::Uniform, Opponent::Epsilon(0.3)] {
        let mut changed = 0;
        for seed in 0..100 {
            let chance = if opponent == Opponent::Perfect { 4 } else { 0 };
            let game = Graph { scored: true, chance, ..Graph::new(seed) };
            let state = position(&game, seed, 1);
            let opinion = Opinion { seed, range: 40 };
            let search = || Expectimax::new(opinion, Terminal::Outcome, opponent);
            let plain = search().search(&game, &state, 4);
            let answer = search().utility(any(seed)).search(&game, &state, 4);
            changed += u32::from(answer.best != plain.best);
        }
        assert!(changed >= 3, "{opponent:?}: {changed} of 100");
    }
}

fn agent<G: Configurable>(game: &G, kind: &str, given: &[(&str, Value)]) -> Box<dyn Agent<G>> {
    build_agent(game, &spec(kind, given)).unwrap()
}

fn chosen<G: Game>(agent: &mut Box<dyn Agent<G>>, game: &G, state: &G::State) -> (G::Move, f64) {
    let (mv, search_info, _) = choose(agent, game, state, 1);
    (mv, search_info.value.unwrap())
}

fn utilities() -> Vec<Vec<(&'static str, Value)>> {
    let word = |word: &str| ("utility", Value::Text(word.to_owned()));
    let points = vec![(-20.0, -90.0), (0.0, 0.0), (30.0, 5.0)];
    vec![
        vec![word("power"), ("exponent", Value::Float(0.3))],
        vec![word("power"), ("exponent", Value::Float(3.0))],
        vec![word("exponential"), ("risk", Value::Float(0.1))],
        vec![word("exponential"), ("risk", Value::Float(-0.1))],
        vec![word("table"), ("points", Value::Pairs(points))],
    ]
}

/// Minimax and alpha-beta agents report another value and play the same moves.
#[test]
fn agents_without_chance_play_on_as_they_did() {
    let game = build::<Connect4Standard>(&[]);
    for kind in ["minimax", "alphabeta"] {
        let depth = ("depth", Value::Int(4));
        let mut plain = agent(&game, kind, std::slice::from_ref(&depth));
        let mut reported = 0;
        for seed in 0..20 {
            let state = position(&game, seed, seed % 12);
            let expected = chosen(&mut plain, &game, &state);
            for given in utilities() {
                let given: Vec<_> = given.into_iter().chain([depth.clone()]).collect();
                let seen = chosen(&mut agent(&game, kind, &given), &game, &state);
                assert_eq!(seen.0, expected.0, "{given:?}");
                assert_eq!(seen.1.signum(), expected.1.signum());
                reported += u32::from(seen.1 != expected.1);
            }
        }
        assert!(reported > 0, "the value is given in utility");
    }
}

/// A gamble with mean 10 and a worst case of -12, against a certain 9.
#[test]
fn who_avoids_risk_leaves_the_gamble() {
    let text = |text: &str| {
        let mut values = Values::default();
        values.set("text", Value::Text(text.to_owned()));
        GameTree::build(&values).unwrap()
    };
    let first = text("max = [{ chance = [8, 24, -12], weights = [3, 2, 1] }, 9]");
    let second = text("min = [{ chance = [-8, -24, 12], weights = [3, 2, 1] }, -9]");
    for (game, player) in [(first, Player::First), (second, Player::Second)] {
        let move_of = |given: &[(&str, Value)]| {
            let depth = [("depth", Value::Int(2))];
            let given: Vec<_> = depth.into_iter().chain(given.iter().cloned()).collect();
            chosen(&mut agent(&game, "expectimax", &given), &game, &game.start()).0
        };
        let moves: Vec<u16> = utilities().iter().map(|given| move_of(given)).collect();
        // Risk-averse, risk-seeking, averse, seeking, averse.
        assert_eq!((move_of(&[]), moves), (0, vec![1, 0, 1, 0, 1]), "{player:?}");
    }
}
