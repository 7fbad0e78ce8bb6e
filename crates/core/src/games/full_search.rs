//! Full search: the exact value of a position, from a visit to every later position.

#![deny(missing_docs)]

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::exact_value::{Exact, ExactSolver};
use super::game::{Game, GameExt, Player, Scoring, Symmetry, Turn};

/// Visits every position that can follow, each once: minimax for players, means for chance (Zermelo
/// 1913; Shapley 1953).
///
/// Caches each position after a player's move, as the smallest of its symmetric images. Positions
/// after chance outcomes are reached from one position only and are not cached. Unsuitable for
/// games with too many positions. The path is a list and not a recursion, so games may be long.
pub struct FullSearch<G: Game> {
    /// The newest entry of each key.
    heads: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    entries: Vec<Entry<G::State>>,
    /// The positions from the first one to the current one.
    path: Vec<OpenNode<G>>,
    /// The moves of all nodes on the path: each node's after its parent's.
    moves: Vec<G::Move>,
    outcomes: Vec<(G::Move, u32)>,
    nodes: u64,
}

struct Entry<S> {
    state: S,
    /// `None` while the position is on the path.
    value: Option<Exact>,
    /// The previous entry with the same key; its own number if there is none.
    next: u32,
}

/// A position on the path whose later positions are being visited.
struct OpenNode<G: Game> {
    state: G::State,
    /// The number of the cached position that waits for this value.
    entry: Option<u32>,
    /// Where its moves or outcomes begin, and the next one to visit.
    first: usize,
    next: usize,
    values: Values,
}

/// What is known of a node's value.
enum Values {
    Best(Player, Option<Exact>),
    Mean { sum: f64, total: f64, plies: Option<u32> },
}

/// A position that can follow itself, so that the game need not end and full search has no value.
#[derive(Debug)]
pub struct EndlessPlay<S>(pub S);

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
            path: Vec::new(),
            moves: Vec::new(),
            outcomes: Vec::new(),
            nodes: 0,
        }
    }
}

impl<G: Game> FullSearch<G> {
    /// The exact value of a position, for any side to move or chance.
    ///
    /// # Errors
    /// A position that can follow itself. The search forgets all values.
    pub fn value_of_ending(
        &mut self,
        game: &G,
        state: &G::State,
    ) -> Result<Exact, EndlessPlay<G::State>> {
        let found = self.search(game, state);
        if found.is_err() {
            *self = FullSearch { nodes: self.nodes, ..FullSearch::default() };
        }
        found
    }

    fn search(&mut self, game: &G, state: &G::State) -> Result<Exact, EndlessPlay<G::State>> {
        let mut known = self.enter(game, state.clone(), true)?;
        loop {
            if let Some(value) = known {
                let Some(parent) = self.path.last_mut() else { return Ok(value) };
                match &mut parent.values {
                    Values::Best(player, best) => {
                        if best.is_none_or(|best| value.compare(best, *player).is_gt()) {
                            *best = Some(value);
                        }
                    }
                    Values::Mean { sum, total, plies } => {
                        let weight = f64::from(self.outcomes[parent.next - 1].1);
                        *sum += value.mean * weight;
                        *total += weight;
                        *plies = plies.zip(value.plies).map(|(a, b)| a.max(b));
                    }
                }
            }
            known = match self.next_child(game) {
                Some((child, is_cached)) => self.enter(game, child, is_cached)?,
                None => Some(self.leave(game)),
            };
        }
    }

    /// The next position after the last one of the path, and whether a player's move leads to it.
    fn next_child(&mut self, game: &G) -> Option<(G::State, bool)> {
        let node = self.path.last_mut().expect("the search is not over");
        let (mv, is_cached) = match node.values {
            Values::Best(..) => (*self.moves.get(node.next)?, true),
            Values::Mean { .. } => (self.outcomes.get(node.next)?.0, false),
        };
        node.next += 1;
        Some((game.after(&node.state, mv), is_cached))
    }

    /// The value of a position, if it is known at once; otherwise the position joins the path.
    fn enter(
        &mut self,
        game: &G,
        state: G::State,
        is_cached: bool,
    ) -> Result<Option<Exact>, EndlessPlay<G::State>> {
        self.nodes += 1;
        let turn = game.turn(&state);
        if turn == Turn::Over {
            return Ok(Some(Exact::of_end(game, &state)));
        }
        let (mut state, mut entry) = (state, None);
        if is_cached {
            let (key, image) = game.symmetry().canonical_image(&state);
            state = image.unwrap_or(state);
            if let Some(found) = self.find(game, key, &state) {
                return found.map(Some).ok_or(EndlessPlay(state));
            }
            let number = self.entries.len() as u32;
            let next = self.heads.insert(key, number).unwrap_or(number);
            self.entries.push(Entry { state: state.clone(), value: None, next });
            entry = Some(number);
        } else if turn == Turn::Chance && self.follows_itself(game, &state) {
            return Err(EndlessPlay(state));
        }
        let (first, values) = if let Turn::Player(player) = turn {
            let first = self.moves.len();
            game.moves(&state, &mut self.moves);
            (first, Values::Best(player, None))
        } else {
            let first = self.outcomes.len();
            game.outcomes(&state, &mut self.outcomes);
            (first, Values::Mean { sum: 0.0, total: 0.0, plies: Some(0) })
        };
        self.path.push(OpenNode { state, entry, first, next: first, values });
        Ok(None)
    }

    /// Whether chance alone leads from a position on the path to this equal one.
    fn follows_itself(&self, game: &G, state: &G::State) -> bool {
        let by_chance = |node: &&OpenNode<G>| matches!(node.values, Values::Mean { .. });
        let mut earlier = self.path.iter().rev().take_while(by_chance);
        earlier.any(|node| game.symmetry().is_equivalent(&node.state, state))
    }

    /// Removes the last position of the path, all of whose later positions have been visited.
    fn leave(&mut self, game: &G) -> Exact {
        let node = self.path.pop().expect("the search is not over");
        let value = match node.values {
            Values::Best(_, best) => {
                self.moves.truncate(node.first);
                best.map_or(Exact { mean: 0.0, plies: None }, Exact::later)
            }
            Values::Mean { sum, total, plies } => {
                self.outcomes.truncate(node.first);
                let mean = sum / total;
                let certain = !game.scoring().numeric_score() && mean.abs() == 1.0;
                Exact { mean, plies: plies.filter(|_| certain) }
            }
        };
        if let Some(number) = node.entry {
            self.entries[number as usize].value = Some(value);
        }
        value
    }

    /// The value of a cached position; `Some(None)` if it is on the path.
    fn find(&self, game: &G, key: u64, state: &G::State) -> Option<Option<Exact>> {
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

/// # Panics
/// If a position can follow itself.
impl<G: Game> ExactSolver<G> for FullSearch<G> {
    fn value(&mut self, game: &G, state: &G::State) -> Exact {
        self.value_of_ending(game, state).unwrap_or_else(|_| panic!("a position follows itself"))
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

    /// A walk of one or two steps to the end of a line; without end on a ring.
    struct Walk {
        length: u32,
        is_ring: bool,
        by_chance: bool,
    }

    impl Game for Walk {
        type State = u32;
        type Move = u32;

        fn start(&self) -> u32 {
            0
        }

        fn turn(&self, &at: &u32) -> Turn {
            match (at >= self.length, self.by_chance && at > 0) {
                (true, _) => Turn::Over,
                (false, true) => Turn::Chance,
                (false, false) => Turn::Player(Player::First),
            }
        }

        fn moves(&self, _: &u32, out: &mut Vec<u32>) {
            out.extend([1, 2]);
        }

        fn outcomes(&self, _: &u32, out: &mut Vec<(u32, u32)>) {
            out.extend([(1, 1), (2, 1)]);
        }

        fn play(&self, at: &mut u32, steps: u32) {
            *at += steps;
            if self.is_ring && *at + 1 == self.length {
                *at = 1;
            }
        }

        fn payoff(&self, _: &u32) -> i32 {
            1
        }

        fn key(&self, &at: &u32) -> u64 {
            u64::from(at)
        }

        fn write_move(&self, _: &u32, steps: u32, out: &mut String) {
            out.push_str(&steps.to_string());
        }

        fn write_position(&self, at: &u32) -> String {
            at.to_string()
        }

        fn read_position(&self, text: &str) -> Result<u32, String> {
            text.parse().map_err(|_| "no number".to_owned())
        }
    }

    #[test]
    fn a_long_game_does_not_exhaust_the_stack() {
        let game = Walk { length: 300_000, is_ring: false, by_chance: false };
        let value = FullSearch::default().value(&game, &0);
        assert_eq!(value, Exact { mean: 1.0, plies: Some(150_000) });
    }

    #[test]
    fn a_position_that_follows_itself_has_no_value() {
        for by_chance in [false, true] {
            let game = Walk { length: 9, is_ring: true, by_chance };
            let mut search = FullSearch::default();
            for _ in 0..2 {
                assert_eq!(search.value_of_ending(&game, &0).map_err(|EndlessPlay(at)| at), Err(1));
            }
        }
    }
}
