//! Plain minimax: the slow and simple reference for every other search.

use super::leaves::{INFINITY, Leaves, Terminal};
use super::quiescence_definition::QUIESCENCE_PLIES;
use super::repetition_history::RepetitionHistory;
use super::search_limits::StopSwitch;
use super::search_result::{SearchResult, SearchStats};
use crate::games::{Evaluator, Game, Player, SearchHints, Shortcuts, Threat, Turn};

/// Full-width search to a fixed depth without any pruning (Shannon 1950, "Programming a
/// computer for playing chess", strategy A). For games without chance.
#[derive(Debug, Clone)]
pub struct Minimax<G: Game, E> {
    leaves: Leaves<E>,
    quiescence: bool,
    stop: Option<StopSwitch>,
    /// The moves of all nodes on the path, each node's after its parent's.
    stack: Vec<G::Move>,
    stats: SearchStats,
    past: RepetitionHistory,
}

impl<G: Game, E: Evaluator<G>> Minimax<G, E> {
    /// A search that uses the evaluator at the horizon and values ends by `terminal`.
    pub fn new(evaluator: E, terminal: Terminal) -> Self {
        let leaves = Leaves { evaluator, terminal };
        Minimax {
            leaves,
            quiescence: false,
            stop: None,
            stack: Vec::new(),
            stats: SearchStats::default(),
            past: RepetitionHistory::default(),
        }
    }

    /// Sets the keys of the positions before the next root, oldest first. In games with
    /// [`Repetition::REPEATS`](crate::games::Repetition::REPEATS), reaching one of them again is a draw.
    pub fn remember(&mut self, history: &[u64]) {
        self.past.remember::<G>(history);
    }

    /// Follows noisy moves beyond the horizon, up to `QUIESCENCE_PLIES` plies.
    pub fn quiescence(mut self, on: bool) -> Self {
        self.quiescence = on;
        self
    }

    pub fn set_stop(&mut self, stop: Option<StopSwitch>) {
        self.stop = stop;
    }

    /// Whether a stop was requested.
    #[inline]
    fn halted(&self) -> bool {
        self.stop.is_some_and(StopSwitch::asked)
    }

    /// The value of the position and all moves that tie for best, at depth `depth` in plies (at
    /// least 1).
    ///
    /// # Panics
    /// If no player is to move, and on chance nodes.
    pub fn search(&mut self, game: &G, state: &G::State, depth: u32) -> SearchResult<G::Move> {
        let mut values = Vec::new();
        let stats = self.values(game, state, depth, &mut values);
        let Turn::Player(player) = game.turn(state) else {
            panic!("a search starts where a player is to move")
        };
        SearchResult::of_values(&values, player, stats)
    }

    /// Fills `out` with the exact value of every move, in the game's order. If the search is
    /// stopped, no depth counts as completed, and `out` contains the moves searched so far, or the
    /// first move with its static value.
    ///
    /// # Panics
    /// If no player is to move, and on chance nodes.
    pub fn values(
        &mut self,
        game: &G,
        state: &G::State,
        depth: u32,
        out: &mut Vec<(G::Move, i32)>,
    ) -> SearchStats {
        self.stats = SearchStats { nodes: 1, depth, ..SearchStats::default() };
        self.past.begin(game, state);
        self.stack.clear();
        out.clear();
        game.moves(state, &mut self.stack);
        for i in 0..self.stack.len() {
            let mv = self.stack[i];
            let mut child = state.clone();
            game.play(&mut child, mv);
            let value = self.node(game, &child, depth - 1, 1);
            if self.halted() {
                self.stats.depth = 0;
                if out.is_empty() {
                    out.push((mv, self.leaves.horizon(game, state)));
                }
                break;
            }
            out.push((mv, value));
        }
        self.stats
    }

    fn node(&mut self, game: &G, state: &G::State, depth: u32, ply: u32) -> i32 {
        self.stats.nodes += 1;
        self.stats.selective_depth = self.stats.selective_depth.max(ply);
        if self.past.repeats(game, state) {
            self.stats.leaves += 1;
            return 0;
        }
        self.past.push(game, state);
        let value = self.look(game, state, depth, ply);
        self.past.pop::<G>();
        value
    }

    fn look(&mut self, game: &G, state: &G::State, depth: u32, ply: u32) -> i32 {
        let player = match game.turn(state) {
            Turn::Over => {
                self.stats.leaves += 1;
                return self.leaves.end(game, state, ply);
            }
            Turn::Chance => panic!("minimax does not know chance; expectimax does"),
            Turn::Player(player) => player,
        };
        if depth == 0 {
            return self.horizon(game, game.hints(), state, player, ply);
        }
        // Checked only at nodes with many descendants.
        if depth >= 2 && self.halted() {
            return 0;
        }
        if depth == 1 && !self.quiescence {
            return self.last_ply(game, state, player, ply);
        }
        let first = self.stack.len();
        game.moves(state, &mut self.stack);
        let mut best = -INFINITY * player.sign();
        for i in first..self.stack.len() {
            let mut child = state.clone();
            game.play(&mut child, self.stack[i]);
            let value = self.node(game, &child, depth - 1, ply + 1);
            best = if player == Player::First { best.max(value) } else { best.min(value) };
        }
        self.stack.truncate(first);
        best
    }

    /// The value of a position one ply before the horizon, the depth of most nodes.
    fn last_ply(&mut self, game: &G, state: &G::State, player: Player, ply: u32) -> i32 {
        let first = self.stack.len();
        game.moves(state, &mut self.stack);
        // If no move wins at once, the children need no check for a win.
        let safe = !matches!(game.hints().threat(state), Threat::Unknown | Threat::Win(_));
        let mut best = -INFINITY * player.sign();
        for &mv in &self.stack[first..] {
            let mut child = state.clone();
            if safe {
                game.shortcuts().play_on(&mut child, mv);
            } else {
                game.play(&mut child, mv);
            }
            let value = match game.turn(&child) {
                _ if self.past.repeats(game, &child) => 0,
                Turn::Over => self.leaves.end(game, &child, ply + 1),
                Turn::Player(_) => self.leaves.horizon(game, &child),
                Turn::Chance => panic!("minimax does not know chance; expectimax does"),
            };
            best = if player == Player::First { best.max(value) } else { best.min(value) };
        }
        let children = (self.stack.len() - first) as u64;
        self.stats.nodes += children;
        self.stats.leaves += children;
        self.stats.selective_depth = self.stats.selective_depth.max(ply + 1);
        self.stack.truncate(first);
        best
    }

    /// The value of an unfinished position at the horizon.
    fn horizon<H: SearchHints<G>>(
        &mut self,
        game: &G,
        _: H,
        state: &G::State,
        player: Player,
        ply: u32,
    ) -> i32 {
        // Not compiled for games without noisy moves.
        if H::HAS_NOISY && self.quiescence {
            return self.quiet(game, state, player, ply, QUIESCENCE_PLIES);
        }
        self.stats.leaves += 1;
        self.leaves.horizon(game, state)
    }

    /// The quiescence value of an unfinished position: see `QUIESCENCE_PLIES`.
    fn quiet(&mut self, game: &G, state: &G::State, player: Player, ply: u32, left: u32) -> i32 {
        self.stats.selective_depth = self.stats.selective_depth.max(ply);
        let first = self.stack.len();
        if left > 0 {
            game.hints().noisy(state, &mut self.stack);
        }
        let mut best = if self.stack.len() == first || game.hints().stand_pat(state) {
            self.leaves.horizon(game, state)
        } else {
            -INFINITY * player.sign()
        };
        self.stats.leaves += u64::from(self.stack.len() == first);
        for i in first..self.stack.len() {
            let mut child = state.clone();
            game.play(&mut child, self.stack[i]);
            self.stats.nodes += 1;
            let value = match game.turn(&child) {
                Turn::Over => {
                    self.stats.leaves += 1;
                    self.leaves.end(game, &child, ply + 1)
                }
                Turn::Player(next) => self.quiet(game, &child, next, ply + 1, left - 1),
                Turn::Chance => panic!("minimax does not know chance; expectimax does"),
            };
            best = if player == Player::First { best.max(value) } else { best.min(value) };
        }
        self.stack.truncate(first);
        best
    }
}
