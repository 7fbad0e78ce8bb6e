//! Plain expectimax: the slow and simple reference for the pruned search.

use super::super::leaves::{Leaves, Terminal};
use super::super::opponent_model;
use super::super::opponent_model::Opponent;
use super::super::search_result::{SearchResult, SearchStats};
use super::super::utility_function::Utility;
use crate::games::{Evaluator, Game, Player, Turn};

/// Full-width search to a fixed depth. The searching side plays optimally, the other as
/// [`Opponent`] says (Michie 1966, "Game-playing and game-learning automata"; Russell and Norvig,
/// chapter on adversarial search).
///
/// Chance nodes are averaged exactly. They cost no depth and are expanded at the horizon too, so
/// the evaluator only values positions with a player to move. Wins have the same value as in every
/// search and decrease by one with each ply of a player.
#[derive(Debug, Clone)]
pub struct Expectimax<G: Game, E> {
    leaves: Leaves<E>,
    opponent: Opponent,
    utility: Utility,
    /// The moves of all nodes on the path, each node's after its parent's.
    moves: Vec<G::Move>,
    /// The outcomes of all chance nodes on the path.
    outcomes: Vec<(G::Move, u32)>,
    /// The values of the children of all nodes on the path, if already known.
    values: Vec<f64>,
    side: Player,
    stats: SearchStats,
}

impl<G: Game, E: Evaluator<G>> Expectimax<G, E> {
    /// A search that uses the evaluator at the horizon and values ends by `terminal`.
    pub fn new(evaluator: E, terminal: Terminal, opponent: Opponent) -> Self {
        Expectimax {
            leaves: Leaves { evaluator, terminal },
            opponent,
            utility: Utility::Linear,
            moves: Vec::with_capacity(256),
            outcomes: Vec::with_capacity(256),
            values: Vec::with_capacity(256),
            side: Player::First,
            stats: SearchStats::default(),
        }
    }

    /// Converts ends and horizon values to utilities of the searching side.
    pub fn utility(mut self, utility: Utility) -> Self {
        self.utility = utility;
        self
    }

    /// The value of the position and all moves that tie for best, at a depth of `depth` player
    /// plies (at least 1).
    ///
    /// # Panics
    /// If no player is to move.
    pub fn search(&mut self, game: &G, state: &G::State, depth: u32) -> SearchResult<G::Move, f64> {
        let mut values = Vec::new();
        let stats = self.values(game, state, depth, &mut values);
        SearchResult::of_values(&values, self.side, stats)
    }

    /// Fills `out` with the value of every move, in the game's order.
    ///
    /// # Panics
    /// If no player is to move.
    pub fn values(
        &mut self,
        game: &G,
        state: &G::State,
        depth: u32,
        out: &mut Vec<(G::Move, f64)>,
    ) -> SearchStats {
        let Turn::Player(side) = game.turn(state) else {
            panic!("a search starts where a player is to move")
        };
        self.side = side;
        self.stats = SearchStats { nodes: 1, depth, ..SearchStats::default() };
        self.moves.clear();
        self.outcomes.clear();
        self.values.clear();
        out.clear();
        game.moves(state, &mut self.moves);
        for i in 0..self.moves.len() {
            let mv = self.moves[i];
            let mut child = state.clone();
            game.play(&mut child, mv);
            out.push((mv, self.node(game, &child, depth - 1, 1)));
        }
        self.stats
    }

    fn node(&mut self, game: &G, state: &G::State, depth: u32, ply: u32) -> f64 {
        self.stats.nodes += 1;
        self.stats.selective_depth = self.stats.selective_depth.max(ply);
        match game.turn(state) {
            Turn::Over => {
                self.stats.leaves += 1;
                self.utility.apply(self.leaves.end(game, state, ply), self.side)
            }
            Turn::Chance => self.average(game, state, depth, ply),
            Turn::Player(_) if depth == 0 => {
                self.stats.leaves += 1;
                self.utility.apply(self.leaves.horizon(game, state), self.side)
            }
            Turn::Player(player) => self.choice(game, state, player, depth, ply),
        }
    }

    /// The value of a position in which a player is to move.
    fn choice(&mut self, game: &G, state: &G::State, player: Player, depth: u32, ply: u32) -> f64 {
        let (first, base) = (self.moves.len(), self.values.len());
        game.moves(state, &mut self.moves);
        for i in first..self.moves.len() {
            let mut child = state.clone();
            game.play(&mut child, self.moves[i]);
            let value = self.node(game, &child, depth - 1, ply + 1);
            self.values.push(value);
        }
        let values = &mut self.values[base..];
        let value = if player == self.side {
            opponent_model::best(values, player)
        } else {
            self.opponent.expect(values, player)
        };
        self.moves.truncate(first);
        self.values.truncate(base);
        value
    }

    /// The value of a chance node: the mean of its outcomes.
    fn average(&mut self, game: &G, state: &G::State, depth: u32, ply: u32) -> f64 {
        let (first, base) = (self.outcomes.len(), self.values.len());
        game.outcomes(state, &mut self.outcomes);
        let mut total = 0;
        for i in first..self.outcomes.len() {
            let (outcome, weight) = self.outcomes[i];
            let mut child = state.clone();
            game.play(&mut child, outcome);
            let value = self.node(game, &child, depth, ply);
            self.values.push(value * f64::from(weight));
            total += u64::from(weight);
        }
        let value = opponent_model::sum(&mut self.values[base..]) / total as f64;
        self.outcomes.truncate(first);
        self.values.truncate(base);
        value
    }
}
