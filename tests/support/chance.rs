//! Helpers for tests of games with chance: simple reference searches, and exact values.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use agon::games::{Configurable, Evaluator, Game, Notation, Player, Symmetry, Turn};
use agon::params::{Value, Values};

/// Builds a game from integers and texts.
pub fn build<G: Configurable>(numbers: &[(&str, i64)], texts: &[(&str, &str)]) -> G {
    let mut values = Values::default();
    numbers.iter().for_each(|(key, value)| values.set(key, Value::Int(*value)));
    texts.iter().for_each(|(key, value)| values.set(key, Value::Text((*value).to_owned())));
    G::build(&values).unwrap_or_else(|error| panic!("{error}"))
}

/// The position after a move or outcome.
pub fn after<G: Game>(game: &G, state: &G::State, mv: G::Move) -> G::State {
    let mut next = state.clone();
    game.play(&mut next, mv);
    next
}

/// The positions after every move.
pub fn children<G: Game>(game: &G, state: &G::State) -> Vec<G::State> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves.into_iter().map(|mv| after(game, state, mv)).collect()
}

/// The positions after every outcome of chance, with their probabilities.
pub fn chances<G: Game>(game: &G, state: &G::State) -> Vec<(f64, G::State)> {
    let mut outcomes = Vec::new();
    game.outcomes(state, &mut outcomes);
    let all: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
    let probability = |weight| f64::from(weight) / f64::from(all);
    outcomes.into_iter().map(|(mv, w)| (probability(w), after(game, state, mv))).collect()
}

/// Plays a line of moves and outcomes, given as text.
pub fn follow<G: Game>(game: &G, state: &G::State, line: &str) -> G::State {
    let mut state = state.clone();
    for word in line.split_whitespace() {
        let mv = game
            .notation()
            .read_move(&state, word)
            .unwrap_or_else(|error| panic!("{word}: {error}"));
        game.play(&mut state, mv);
    }
    state
}

/// The model of the second player in a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opponent {
    /// Minimises the first player's value.
    Minimiser,
    /// Plays any legal move with equal probability.
    Uniform,
}

/// Plain search without any pruning, with a count of its nodes.
pub struct Plain<'a, G, E> {
    pub game: &'a G,
    pub evaluator: E,
    pub opponent: Opponent,
    pub nodes: u64,
}

impl<G: Game, E: Evaluator<G>> Plain<'_, G, E> {
    /// The value for the first player, `depth` plies ahead; chance nodes do not count as plies.
    pub fn value(&mut self, state: &G::State, depth: u32) -> f64 {
        self.nodes += 1;
        let turn = self.game.turn(state);
        match turn {
            Turn::Over => f64::from(self.game.payoff(state)),
            Turn::Chance => {
                let chances = chances(self.game, state);
                chances.iter().map(|(p, next)| p * self.value(next, depth)).sum()
            }
            Turn::Player(_) if depth == 0 => f64::from(self.evaluator.evaluate(self.game, state)),
            Turn::Player(player) => {
                let children = children(self.game, state);
                let opponent = self.opponent;
                let values = children.iter().map(|next| self.value(next, depth - 1));
                match (player, opponent) {
                    (Player::First, _) => values.reduce(f64::max).unwrap(),
                    (Player::Second, Opponent::Minimiser) => values.reduce(f64::min).unwrap(),
                    (Player::Second, Opponent::Uniform) => {
                        values.sum::<f64>() / children.len() as f64
                    }
                }
            }
        }
    }
}

/// A hasher that keeps the key, which is already a hash.
#[derive(Default)]
struct Keep(u64);

impl Hasher for Keep {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("keys are words")
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// Exact values of a game without cycles: both sides play perfectly.
pub struct Exact<'a, G: Game> {
    game: &'a G,
    /// The key of the canonical position, and the sign of its value.
    standing: fn(&G, &G::State) -> (u64, f64),
    known: HashMap<u64, f64, BuildHasherDefault<Keep>>,
    /// Moves and outcomes of the nodes on the path.
    moves: Vec<G::Move>,
    outcomes: Vec<(G::Move, u32)>,
}

impl<'a, G: Game> Exact<'a, G> {
    pub fn new(game: &'a G) -> Self {
        Exact::standing(game, |game, state| (game.symmetry().canonical_key(state), 1.0))
    }

    /// Uses a function that returns the key of the canonical position and the sign of its value.
    pub fn standing(game: &'a G, standing: fn(&G, &G::State) -> (u64, f64)) -> Self {
        let known = HashMap::default();
        Exact { game, standing, known, moves: Vec::new(), outcomes: Vec::new() }
    }

    /// The expected payoff of the first player.
    pub fn value(&mut self, state: &G::State) -> f64 {
        match self.game.turn(state) {
            Turn::Over => f64::from(self.game.payoff(state)),
            Turn::Player(player) => {
                let first = self.moves.len();
                self.game.moves(state, &mut self.moves);
                let mut best = f64::INFINITY * -f64::from(player.sign());
                for i in first..self.moves.len() {
                    let value = self.value(&after(self.game, state, self.moves[i]));
                    best = if player == Player::First { best.max(value) } else { best.min(value) };
                }
                self.moves.truncate(first);
                best
            }
            // Only chance nodes are stored: each player node has only one chance node as parent.
            Turn::Chance => {
                let (key, sign) = (self.standing)(self.game, state);
                if let Some(&value) = self.known.get(&key) {
                    return sign * value;
                }
                let first = self.outcomes.len();
                self.game.outcomes(state, &mut self.outcomes);
                let (mut sum, mut all) = (0.0, 0.0);
                for i in first..self.outcomes.len() {
                    let (mv, weight) = self.outcomes[i];
                    sum += f64::from(weight) * self.value(&after(self.game, state, mv));
                    all += f64::from(weight);
                }
                self.outcomes.truncate(first);
                self.known.insert(key, sign * sum / all);
                sum / all
            }
        }
    }
}
