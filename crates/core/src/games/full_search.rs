//! Full search: the exact value of a position, from a visit to every later position.

#![deny(missing_docs)]

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::exact_value::{Exact, ExactSolver};
use super::game::{Game, GameExt, Scoring, Symmetry, Turn};

/// Visits every position that can follow, each once: minimax for players, means for chance (Zermelo
/// 1913; Shapley 1953).
///
/// Caches each position after a player's move, as the smallest of its symmetric images. Positions
/// after chance outcomes are reached from one position only and are not cached. Unsuitable for
/// games with too many positions or games that may not end.
pub struct FullSearch<G: Game> {
    /// The newest entry of each key.
    heads: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    entries: Vec<Entry<G::State>>,
    /// The moves of all nodes on the path: each node's after its parent's.
    moves: Vec<G::Move>,
    outcomes: Vec<(G::Move, u32)>,
    nodes: u64,
}

struct Entry<S> {
    state: S,
    value: Exact,
    /// The previous entry with the same key; its own number if there is none.
    next: u32,
}

/// Identity hash, because keys are already mixed.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

impl<G: Game> Default for FullSearch<G> {
    fn default() -> Self {
        FullSearch {
            heads: HashMap::default(),
            entries: Vec::new(),
            moves: Vec::new(),
            outcomes: Vec::new(),
            nodes: 0,
        }
    }
}

impl<G: Game> FullSearch<G> {
    fn node(&mut self, game: &G, state: &G::State) -> Exact {
        self.nodes += 1;
        match game.turn(state) {
            Turn::Over => Exact::of_end(game, state),
            Turn::Chance => {
                let first = self.outcomes.len();
                game.outcomes(state, &mut self.outcomes);
                let (mut sum, mut total) = (0.0, 0.0);
                let mut plies = Some(0);
                for i in first..self.outcomes.len() {
                    let (outcome, weight) = self.outcomes[i];
                    let value = self.node(game, &game.after(state, outcome));
                    sum += value.mean * f64::from(weight);
                    total += f64::from(weight);
                    plies = plies.zip(value.plies).map(|(a, b): (u32, u32)| a.max(b));
                }
                self.outcomes.truncate(first);
                let mean = sum / total;
                let certain = !game.scoring().numeric_score() && mean.abs() == 1.0;
                Exact { mean, plies: plies.filter(|_| certain) }
            }
            Turn::Player(player) => {
                let first = self.moves.len();
                game.moves(state, &mut self.moves);
                let mut best: Option<Exact> = None;
                for i in first..self.moves.len() {
                    let value = self.remembered(game, &game.after(state, self.moves[i]));
                    if best.is_none_or(|best| value.compare(best, player).is_gt()) {
                        best = Some(value);
                    }
                }
                self.moves.truncate(first);
                best.map_or(Exact { mean: 0.0, plies: None }, Exact::later)
            }
        }
    }

    /// The value of a position after a player's move.
    fn remembered(&mut self, game: &G, state: &G::State) -> Exact {
        if game.turn(state) == Turn::Over {
            self.nodes += 1;
            return Exact::of_end(game, state);
        }
        let (key, image) = game.symmetry().canonical_image(state);
        let state = image.as_ref().unwrap_or(state);
        if let Some(value) = self.find(game, key, state) {
            self.nodes += 1;
            return value;
        }
        let value = self.node(game, state);
        let number = self.entries.len() as u32;
        let next = self.heads.insert(key, number).unwrap_or(number);
        self.entries.push(Entry { state: state.clone(), value, next });
        value
    }

    fn find(&self, game: &G, key: u64, state: &G::State) -> Option<Exact> {
        let mut number = *self.heads.get(&key)?;
        loop {
            let entry = &self.entries[number as usize];
            if game.symmetry().is_equivalent(&entry.state, state) {
                return Some(entry.value);
            }
            if entry.next == number {
                return None;
            }
            number = entry.next;
        }
    }
}

impl<G: Game> ExactSolver<G> for FullSearch<G> {
    fn value(&mut self, game: &G, state: &G::State) -> Exact {
        self.remembered(game, state)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Configurable, Mnk, TicTacToe};
    use crate::params::{Value, Values};

    #[test]
    fn tic_tac_toe_is_a_draw_and_has_765_positions() {
        let mut search = FullSearch::default();
        let value = search.value(&TicTacToe, &TicTacToe.start());
        assert_eq!(value, Exact { mean: 0.0, plies: None });
        // The 765 positions up to symmetry, minus the 138 finished ones.
        assert_eq!(search.entries.len(), 765 - 138);
    }

    #[test]
    fn the_shortest_win_is_found() {
        let state = TicTacToe.read_position("xox/x.o/..o").expect("a position");
        let value = FullSearch::default().value(&TicTacToe, &state);
        assert_eq!(value, Exact { mean: 1.0, plies: Some(1) });
    }

    #[test]
    fn small_boards_have_their_known_values() {
        for (m, n, k, mean) in [(4, 3, 3, 1.0), (3, 4, 3, 1.0), (4, 3, 4, 0.0), (3, 3, 2, 1.0)] {
            let mut values = Values::default();
            for (key, value) in [("m", m), ("n", n), ("k", k)] {
                values.set(key, Value::Int(value));
            }
            let game = Mnk::<1>::build(&values).expect("a board");
            let value = FullSearch::default().value(&game, &game.start());
            assert_eq!(value.mean, mean, "({m},{n},{k})");
        }
    }
}
