//! Tests that expectimax is exact for chance and for the models of the opponent.

use crate::support::search::{Graph, Opinion, position};
use agon::games::{Evaluator, Game, Player, TicTacToe, Turn, Zero};
use agon::search::{Expectimax, Leaves, Minimax, Opponent, Terminal};

/// Expectimax by its definition: no stacks, no sharing, no fixed order of summation.
struct Definition<'a, G, E> {
    game: &'a G,
    leaves: Leaves<E>,
    opponent: Opponent,
    side: Player,
}

impl<G: Game, E: Evaluator<G>> Definition<'_, G, E> {
    fn children(&self, state: &G::State, depth: u32, ply: u32) -> Vec<f64> {
        let mut moves = Vec::new();
        self.game.moves(state, &mut moves);
        let value = |mv| {
            let mut child = state.clone();
            self.game.play(&mut child, mv);
            self.value(&child, depth - 1, ply + 1)
        };
        moves.into_iter().map(value).collect()
    }

    fn value(&self, state: &G::State, depth: u32, ply: u32) -> f64 {
        match self.game.turn(state) {
            Turn::Over => f64::from(self.leaves.end(self.game, state, ply)),
            Turn::Chance => {
                let mut outcomes = Vec::new();
                self.game.outcomes(state, &mut outcomes);
                let total: f64 = outcomes.iter().map(|&(_, weight)| f64::from(weight)).sum();
                let value = |(mv, weight)| {
                    let mut child = state.clone();
                    self.game.play(&mut child, mv);
                    self.value(&child, depth, ply) * f64::from(weight) / total
                };
                outcomes.into_iter().map(value).sum()
            }
            Turn::Player(_) if depth == 0 => f64::from(self.leaves.horizon(self.game, state)),
            Turn::Player(player) => {
                let sign = f64::from(player.sign());
                let values = self.children(state, depth, ply);
                let best = sign * values.iter().map(|v| v * sign).fold(f64::MIN, f64::max);
                let mean = values.iter().sum::<f64>() / values.len() as f64;
                match self.opponent {
                    _ if player == self.side => best,
                    Opponent::Perfect => best,
                    Opponent::Uniform => mean,
                    Opponent::Epsilon(e) => best + e * (mean - best),
                    Opponent::Softmax(t) => {
                        let weights = values.iter().map(|v| ((v - best) * sign / t).exp());
                        let weights: Vec<f64> = weights.collect();
                        let total: f64 = weights.iter().sum();
                        values.iter().zip(&weights).map(|(v, w)| v * w / total).sum()
                    }
                }
            }
        }
    }
}

const OPPONENTS: [Opponent; 7] = [
    Opponent::Uniform,
    Opponent::Epsilon(0.0),
    Opponent::Epsilon(0.3),
    Opponent::Epsilon(1.0),
    Opponent::Softmax(0.5),
    Opponent::Softmax(100.0),
    Opponent::Perfect,
];

fn compare<G: Game>(game: &G, state: &G::State, depth: u32, opinion: Opinion, end: Terminal) {
    let Turn::Player(side) = game.turn(state) else { panic!("not a position to search") };
    for opponent in OPPONENTS {
        let leaves = Leaves { evaluator: opinion, terminal: end };
        let expected = Definition { game, leaves, opponent, side }.children(state, depth, 0);
        let mut search = Expectimax::new(opinion, end, opponent);
        let mut values = Vec::new();
        search.values(game, state, depth, &mut values);
        assert_eq!(values.len(), expected.len());
        for ((_, value), expected) in values.iter().zip(&expected) {
            // Wins are worth 2e9, so the tolerance is the rest of the 53 bits after a few
            // roundings.
            let tolerance =
                1e-12 * expected.abs().max(1.0) + 1e-5 * f64::from(end == Terminal::Outcome);
            assert!((value - expected).abs() <= tolerance, "{value} {expected} {opponent:?}");
        }
        let answer = search.search(game, state, depth);
        let best = values.iter().map(|&(_, v)| v);
        let best = match side {
            Player::First => best.fold(f64::MIN, f64::max),
            Player::Second => best.fold(f64::MAX, f64::min),
        };
        assert_eq!(answer.value, best);
        let ties = values.iter().filter(|(_, v)| *v == best).map(|&(mv, _)| mv);
        assert!(ties.eq(answer.best.iter().copied()));
    }
}

#[test]
fn expectimax_is_its_definition_on_graphs() {
    for seed in 0..60 {
        let game = Graph {
            chance: seed % 5,
            moves: 3 + seed as u32 % 3,
            scored: seed % 2 == 0,
            ..Graph::new(seed)
        };
        let opinion = Opinion { seed, range: [1, 10, 1000][seed as usize % 3] };
        for depth in 1..=3 {
            for terminal in [Terminal::Outcome, Terminal::Evaluator] {
                compare(&game, &position(&game, seed, seed % 4), depth, opinion, terminal);
            }
        }
    }
}

#[test]
fn expectimax_is_its_definition_in_tic_tac_toe() {
    for seed in 0..20 {
        let state = position(&TicTacToe, seed, seed % 8);
        compare(&TicTacToe, &state, 4, Opinion { seed, range: 5 }, Terminal::Outcome);
    }
}

/// With a perfect opponent, expectimax equals minimax.
#[test]
fn expectimax_against_the_best_is_minimax() {
    for seed in 0..40 {
        let game = Graph::new(seed);
        let state = position(&game, seed, seed % 4);
        let opinion = Opinion { seed, range: 5 };
        for opponent in [Opponent::Epsilon(0.0), Opponent::Softmax(1e-3)] {
            let mut search = Expectimax::new(opinion, Terminal::Outcome, opponent);
            let answer = search.search(&game, &state, 5);
            let plain = Minimax::new(opinion, Terminal::Outcome).search(&game, &state, 5);
            assert_eq!((answer.value, answer.best), (f64::from(plain.value), plain.best));
            assert_eq!(answer.stats, plain.stats);
        }
    }
}

/// Symmetric moves must tie to the last bit, or a random choice among them is biased.
#[test]
fn mirrored_moves_tie() {
    for opponent in OPPONENTS {
        let mut search = Expectimax::new(Zero, Terminal::Outcome, opponent);
        let mut values = Vec::new();
        search.values(&TicTacToe, &TicTacToe.start(), 6, &mut values);
        for cells in [[0, 2, 6, 8], [1, 3, 5, 7]] {
            let bits = cells.map(|cell: usize| values[cell].1.to_bits());
            assert!(bits.iter().all(|&b| b == bits[0]), "{opponent:?} {values:?}");
        }
    }
}
