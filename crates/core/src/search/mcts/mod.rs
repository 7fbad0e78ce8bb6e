//! Monte Carlo tree search: UCT.
//!
//! A simulation selects nodes from the root by upper confidence bounds. It plays randomly from the
//! first position outside the tree. Then it updates every node on its path (Kocsis and Szepesvári 2006,
//! "Bandit based Monte-Carlo planning"). In chance nodes it samples outcomes by weight. Values are
//! payoffs from the first player's point of view; results are 1, 0 and -1. So sides need not
//! alternate. Numeric scores are scaled to 0–1 between the smallest and the largest score seen.
//!
//! Ends of games are proven values, and so are the values that follow from them (Winands, Björnsson
//! and Saito 2008). The search plays a proven win and does not simulate a proven loss again.
//!
//! With [`MctsOptions::rave`], a simulation also counts for moves that its player made later.
//!
//! The tree's memory is allocated at the start. A node is expanded on its second visit. Once the
//! memory is full, simulations continue from the existing leaves.

mod all_moves_as_first;
mod mcts_options;
mod mcts_tree;
mod one_simulation;
mod playout_rng;
mod value_range;

use super::search_limits::{Budget, Limits};
use super::search_result::{SearchResult, SearchStats};
use crate::games::{Evaluator, Game, GameExt, Turn};
pub use mcts_options::MctsOptions;
use mcts_tree::MctsTree;
use one_simulation::{Scratch, Simulation};
use playout_rng::PlayoutRng;
use value_range::Range;

/// Whether the system can allocate a tree of this many megabytes.
pub fn tree_fits<G: Game>(megabytes: usize) -> bool {
    MctsTree::<G::Move>::fits(megabytes)
}

/// A Monte Carlo tree search with its memory.
///
/// # Examples
/// ```
/// # use agon_core as agon;
/// use agon::games::{Game, TicTacToe, Zero};
/// use agon::search::{Limits, Mcts, MctsOptions};
///
/// let state = TicTacToe.read_position("XX_OO____").unwrap();
/// let mut search = Mcts::new(Zero, MctsOptions { tree_mb: 1, ..MctsOptions::default() });
/// let answer = search.search(&TicTacToe, &state, &[], Some(1000), &Limits::default(), 7);
/// assert_eq!((answer.value, answer.best), (1.0, vec![2]));
/// ```
#[derive(Debug, Clone)]
pub struct Mcts<G: Game, E> {
    evaluator: E,
    options: MctsOptions,
    arena: MctsTree<G::Move>,
    /// The target of the copy when the tree is reused.
    spare: MctsTree<G::Move>,
    scratch: Scratch<G::Move>,
    last: Option<Last<G::State>>,
}

/// The root of the last search's tree.
#[derive(Debug, Clone)]
struct Last<S> {
    root: S,
    /// The number of positions before it.
    before: usize,
    range: Range,
}

impl<G: Game, E: Evaluator<G>> Mcts<G, E> {
    /// A search with an empty tree. The memory is allocated when a game begins.
    pub fn new(evaluator: E, options: MctsOptions) -> Self {
        let megabytes = if options.reuse { options.tree_mb / 2 } else { options.tree_mb };
        Mcts {
            evaluator,
            options,
            arena: MctsTree::new(megabytes, options.rave > 0.0),
            spare: MctsTree::new(if options.reuse { megabytes } else { 0 }, options.rave > 0.0),
            scratch: Scratch::new(),
            last: None,
        }
    }

    /// Clears the tree, so that no game influences another. The first call allocates the memory, so
    /// no move waits for it.
    pub fn new_game(&mut self) {
        self.last = None;
        self.reserve();
    }

    fn reserve(&mut self) {
        self.arena.reserve();
        self.spare.reserve();
    }

    /// Returns the most visited moves and the value of the best one. If the position is proven,
    /// returns its best moves by value. Proven losses come last. `history` contains the keys of the
    /// earlier positions, oldest first; only reuse needs it. The search stops at the first limit
    /// reached, or when the value of the position is proven, and completes the running simulation.
    /// Without limits it ends only with a proof. The depth in `limits` is ignored. The clock does
    /// not run during an allocation that [`new_game`](Mcts::new_game) has not made.
    ///
    /// [`SearchStats::nodes`] includes positions of playouts, [`SearchStats::leaves`] counts
    /// simulations, and [`SearchStats::depth`] is the length of the most visited line.
    ///
    /// # Panics
    /// If no player is to move.
    pub fn search(
        &mut self,
        game: &G,
        state: &G::State,
        history: &[u64],
        simulations: Option<u64>,
        limits: &Limits,
        seed: u64,
    ) -> SearchResult<G::Move, f64> {
        let Turn::Player(player) = game.turn(state) else {
            panic!("a search starts where a player is to move")
        };
        self.reserve();
        let mut budget = Budget::start(limits);
        let range = self.settle(game, state, history);
        self.scratch.past.remember::<G>(history);
        self.scratch.past.begin(game, state);
        let mut simulation = Simulation {
            game,
            evaluator: &self.evaluator,
            arena: &mut self.arena,
            scratch: &mut self.scratch,
            exploration: self.options.exploration as f32,
            rave: self.options.rave as f32,
            playout_plies: self.options.playout_plies(game),
            rng: PlayoutRng::new(seed),
            stats: SearchStats { nodes: 1, ..SearchStats::default() },
            range,
        };
        if simulation.arena.nodes[0].count == 0 {
            simulation.expand(0, state, Turn::Player(player));
        }
        let mut left = simulations.unwrap_or(u64::MAX);
        while left > 0 && !budget.spent(simulation.stats.nodes) {
            let root = &simulation.arena.nodes[0];
            if root.is_proven() || root.visits == u32::MAX {
                break;
            }
            simulation.arena.add_root_logs();
            simulation.run(state);
            left -= 1;
        }
        let (stats, range) = (simulation.stats, simulation.range);
        if let Some(last) = &mut self.last {
            last.range = range;
        }
        self.arena.answer(player, stats, range)
    }

    /// Prepares the tree: the reusable part of the last tree, or a new root.
    fn settle(&mut self, game: &G, state: &G::State, history: &[u64]) -> Range {
        let moves = game.legal_moves(state);
        let range = if self.options.reuse
            && let Some(last) = self.last.take()
            && let Some(root) = self.find(game, state, history, &last)
        {
            self.spare.take(&self.arena, root);
            std::mem::swap(&mut self.arena, &mut self.spare);
            last.range
        } else {
            self.arena.plant(moves[0]);
            Range::of(game)
        };
        self.last = Some(Last { root: state.clone(), before: history.len(), range });
        range
    }

    /// The node of this position in the last search's tree, if it contains the position.
    fn find(
        &self,
        game: &G,
        state: &G::State,
        history: &[u64],
        last: &Last<G::State>,
    ) -> Option<usize> {
        if *history.get(last.before)? != game.key(&last.root) {
            return None;
        }
        let mut at = 0;
        let mut place = last.root.clone();
        'plies: for before in last.before + 1..=history.len() {
            let key = history.get(before).copied().unwrap_or_else(|| game.key(state));
            for child in self.arena.nodes[at].children() {
                let mut next = place.clone();
                game.play(&mut next, self.arena.nodes[child].mv);
                if game.key(&next) == key {
                    (at, place) = (child, next);
                    continue 'plies;
                }
            }
            return None;
        }
        (place == *state).then_some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{TicTacToe, Zero};

    /// Moves are timed, so the memory must already be allocated.
    #[test]
    fn memory_is_taken_before_the_first_move() {
        for reuse in [false, true] {
            let options = MctsOptions { tree_mb: 2, reuse, ..MctsOptions::default() };
            let mut search: Mcts<TicTacToe, Zero> = Mcts::new(Zero, options);
            assert_eq!(search.arena.nodes.capacity(), 0, "no game has begun");
            search.new_game();
            let place = |search: &Mcts<TicTacToe, Zero>| {
                [&search.arena, &search.spare].map(|arena| arena.nodes.as_ptr())
            };
            let rooms = [&search.arena, &search.spare].map(|arena| arena.nodes.capacity());
            assert_eq!(rooms[0], (2 << 20) / 32 / if reuse { 2 } else { 1 });
            assert_eq!(rooms[1], if reuse { rooms[0] } else { 0 });
            let before = place(&search);
            let state = TicTacToe.start();
            search.search(&TicTacToe, &state, &[], Some(1000), &Limits::default(), 1);
            search.new_game();
            assert_eq!(place(&search), before);
        }
    }
}
