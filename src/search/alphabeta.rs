//! Alpha-beta: the value of plain minimax for a fraction of its nodes.

use super::answer::Answer;
use super::counters::SearchStats;
use super::value::{INFINITY, Leaves, Terminal};
use crate::games::{Evaluator, Game, Player, Turn};

/// Depth-first search with a window of values that still matter (Knuth and Moore 1975,
/// "An analysis of alpha-beta pruning"), cut off at `alpha >= beta`, fail-soft.
/// For games without chance.
#[derive(Debug, Clone)]
pub struct AlphaBeta<G: Game, E> {
    leaves: Leaves<E>,
    /// The moves of all nodes on the path: each node's after its parent's.
    stack: Vec<G::Move>,
    stats: SearchStats,
}

impl<G: Game, E: Evaluator<G>> AlphaBeta<G, E> {
    /// A search that values the horizon by the evaluator and ends as `terminal` says.
    pub fn new(evaluator: E, terminal: Terminal) -> Self {
        let leaves = Leaves { evaluator, terminal };
        AlphaBeta { leaves, stack: Vec::with_capacity(256), stats: SearchStats::default() }
    }

    /// The value of the position, `depth` plies ahead (at least 1), and its best move:
    /// the first, or with `ties` all that tie for best.
    ///
    /// # Panics
    /// Where it is not a player's turn, and on chance nodes.
    pub fn search(
        &mut self,
        game: &G,
        state: &G::State,
        depth: u32,
        ties: bool,
    ) -> Answer<G::Move> {
        let Turn::Player(player) = game.turn(state) else {
            panic!("a search starts where a player is to move")
        };
        self.stats = SearchStats { nodes: 1, depth, ..SearchStats::default() };
        self.stack.clear();
        game.moves(state, &mut self.stack);
        let mut best = Vec::new();
        let mut value = -INFINITY * player.sign();
        for i in 0..self.stack.len() {
            let mv = self.stack[i];
            let mut child = state.clone();
            game.play(&mut child, mv);
            // A window one wider than needed tells a tie from a mere bound.
            let margin = i32::from(ties && i > 0);
            let (alpha, beta) = match player {
                Player::First => (value - margin, INFINITY),
                Player::Second => (-INFINITY, value + margin),
            };
            let v = self.node(game, &child, depth - 1, 1, alpha, beta);
            if i == 0 || v * player.sign() > value * player.sign() {
                value = v;
                best.clear();
                best.push(mv);
            } else if ties && v == value {
                best.push(mv);
            }
        }
        Answer { value, best, stats: self.stats }
    }

    /// Fills `out` with the exact value of every move, in the game's order.
    ///
    /// # Panics
    /// On chance nodes.
    pub fn values(
        &mut self,
        game: &G,
        state: &G::State,
        depth: u32,
        out: &mut Vec<(G::Move, i32)>,
    ) -> SearchStats {
        self.stats = SearchStats { nodes: 1, depth, ..SearchStats::default() };
        self.stack.clear();
        out.clear();
        game.moves(state, &mut self.stack);
        for i in 0..self.stack.len() {
            let mv = self.stack[i];
            let mut child = state.clone();
            game.play(&mut child, mv);
            out.push((mv, self.node(game, &child, depth - 1, 1, -INFINITY, INFINITY)));
        }
        self.stats
    }

    fn node(
        &mut self,
        game: &G,
        state: &G::State,
        depth: u32,
        ply: u32,
        mut alpha: i32,
        mut beta: i32,
    ) -> i32 {
        self.stats.nodes += 1;
        self.stats.selective_depth = self.stats.selective_depth.max(ply);
        let player = match game.turn(state) {
            Turn::Over => {
                self.stats.leaves += 1;
                return self.leaves.end(game, state, ply);
            }
            Turn::Chance => panic!("alpha-beta does not know chance; expectimax does"),
            Turn::Player(player) => player,
        };
        if depth == 0 {
            self.stats.leaves += 1;
            return self.leaves.horizon(game, state);
        }
        let first = self.stack.len();
        game.moves(state, &mut self.stack);
        let mut best = -INFINITY * player.sign();
        for i in first..self.stack.len() {
            let mut child = state.clone();
            game.play(&mut child, self.stack[i]);
            let value = self.node(game, &child, depth - 1, ply + 1, alpha, beta);
            match player {
                Player::First => {
                    best = best.max(value);
                    alpha = alpha.max(value);
                }
                Player::Second => {
                    best = best.min(value);
                    beta = beta.min(value);
                }
            }
            if alpha >= beta {
                self.stats.cutoffs += 1;
                self.stats.first_cutoffs += u64::from(i == first);
                break;
            }
        }
        self.stack.truncate(first);
        best
    }
}
