//! Monte Carlo tree search: UCT.
//!
//! A simulation walks from the root by upper confidence bounds, plays on at random from where
//! the tree ends, and counts what came out in every node that it passed (Kocsis and Szepesvári
//! 2006, "Bandit based Monte-Carlo planning"). Chance nodes are passed by the weights of their
//! outcomes. Values are payoffs in the first player's frame, results being 1, 0 and -1, so
//! that it does not matter who moves how often; where the payoff is a score, what lies between
//! the least and the largest that was seen counts as between 0 and 1.
//!
//! Ends of games are proven and so is what follows from them (Winands, Björnsson and Saito
//! 2008): a win that is seen is played, and a proven loss gets no further simulation.
//!
//! The tree has its memory from the start. A node gets its children when it is visited for
//! the second time; once the memory is full, simulations go on from the leaves there are.

mod options;
mod rng;
mod simulate;
mod tree;

use super::answer::Answer;
use super::counters::SearchStats;
use super::limits::{Budget, Limits};
use crate::games::{Evaluator, Game, Player, Turn};
pub use options::Options;
use rng::Fast;
use simulate::{Range, Scratch, Simulation};
use tree::Arena;

/// Whether the machine would give memory for a tree of that many megabytes.
pub fn tree_fits<G: Game>(megabytes: usize) -> bool {
    Arena::<G::Move>::fits(megabytes)
}

/// A Monte Carlo tree search with its memory.
///
/// # Examples
/// ```
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
    options: Options,
    arena: Arena<G::Move>,
    /// Where the tree moves to, if it is to be used again.
    spare: Arena<G::Move>,
    scratch: Scratch<G::Move>,
    last: Option<Last<G::State>>,
}

/// What the tree of the last search was about.
#[derive(Debug, Clone)]
struct Last<S> {
    root: S,
    /// How many positions came before it.
    before: usize,
    range: Range,
}

impl<G: Game, E: Evaluator<G>> Mcts<G, E> {
    /// A search that knows nothing yet. The tree takes its memory when a game begins.
    pub fn new(evaluator: E, options: Options) -> Self {
        let megabytes = if options.reuse { options.tree_mb / 2 } else { options.tree_mb };
        Mcts {
            evaluator,
            options,
            arena: Arena::new(megabytes),
            spare: Arena::new(if options.reuse { megabytes } else { 0 }),
            scratch: Scratch::new(),
            last: None,
        }
    }

    /// Forgets everything: no game influences another. The first call takes the memory of
    /// the tree, which no move then has to wait for.
    pub fn new_game(&mut self) {
        self.last = None;
        self.reserve();
    }

    fn reserve(&mut self) {
        self.arena.reserve();
        self.spare.reserve();
    }

    /// The most visited moves, of proven wins and losses only the better ones, and the value
    /// of the best as simulations found it. `history` holds the keys of the positions before
    /// this one, oldest first; only reuse asks for it. Stops at whichever limit is met first,
    /// and as soon as the value of the position is proven; a simulation that has begun is
    /// finished. Without any limit it ends with a proof only. The depth in `limits` is not
    /// looked at. The clock does not run while memory is taken that no
    /// [`new_game`](Mcts::new_game) has taken.
    ///
    /// [`SearchStats::nodes`] counts positions of playouts too, [`SearchStats::leaves`]
    /// simulations, and [`SearchStats::depth`] is the length of the most visited line.
    ///
    /// # Panics
    /// Where it is not a player's turn.
    pub fn search(
        &mut self,
        game: &G,
        state: &G::State,
        history: &[u64],
        simulations: Option<u64>,
        limits: &Limits,
        seed: u64,
    ) -> Answer<G::Move, f64> {
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
            playout_plies: self.options.playout_plies(game),
            rng: Fast::new(seed),
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
            simulation.run(state);
            left -= 1;
        }
        let (stats, range) = (simulation.stats, simulation.range);
        if let Some(last) = &mut self.last {
            last.range = range;
        }
        self.answer(player, stats, range)
    }

    /// Readies the tree: what is left of the last one, or a new root.
    fn settle(&mut self, game: &G, state: &G::State, history: &[u64]) -> Range {
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let known = self.last.take().filter(|_| self.options.reuse);
        let found = known.and_then(|last| Some((self.find(game, state, history, &last)?, last)));
        let range = if let Some((root, last)) = found {
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

    /// The node of this position in the tree of the last search, if the game went there.
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
        let keys = history[last.before + 1..].iter().copied().chain([game.key(state)]);
        for key in keys {
            let mut children = self.arena.nodes[at].children();
            (at, place) = children.find_map(|child| {
                let mut next = place.clone();
                game.play(&mut next, self.arena.nodes[child].mv);
                (game.key(&next) == key).then_some((child, next))
            })?;
        }
        (place == *state).then_some(at)
    }

    /// What the tree says of its root.
    fn answer(&self, player: Player, mut stats: SearchStats, range: Range) -> Answer<G::Move, f64> {
        let nodes = &self.arena.nodes;
        let sign = f64::from(player.sign());
        let root = &nodes[0];
        let lost = |value: f64| range.is_best(value, player.other());
        let mut best: Vec<usize> = Vec::new();
        let mut most = (f64::NEG_INFINITY, 0, f64::NEG_INFINITY);
        for index in root.children() {
            let child = &nodes[index];
            let value = child.value();
            // Where all is known values decide; else visits, but not for a lost move.
            let class = match child.is_proven() {
                true if root.is_proven() => sign * value,
                true if lost(value) => -1.0,
                _ if root.is_proven() => f64::NEG_INFINITY,
                _ => 0.0,
            };
            let rank = (class, child.visits, sign * value);
            if best.is_empty() || rank > most {
                best.clear();
                most = rank;
            }
            if rank == most {
                best.push(index);
            }
        }
        stats.depth = self.line(best[0]);
        Answer {
            value: nodes[best[0]].value() + 0.0,
            best: best.into_iter().map(|index| nodes[index].mv).collect(),
            stats,
        }
    }

    /// Plies of the most visited line that begins with this child of the root.
    fn line(&self, child: usize) -> u32 {
        let nodes = &self.arena.nodes;
        let (mut at, mut plies) = (child, 1);
        while nodes[at].visits > 0 {
            let Some(next) = nodes[at].children().max_by_key(|&next| nodes[next].visits) else {
                break;
            };
            plies += u32::from(nodes[at].player().is_some() && nodes[next].visits > 0);
            at = next;
        }
        plies
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{TicTacToe, Zero};

    /// A move is timed, so it must find the memory taken.
    #[test]
    fn memory_is_taken_before_the_first_move() {
        for reuse in [false, true] {
            let options = Options { tree_mb: 2, reuse, ..Options::default() };
            let mut search: Mcts<TicTacToe, Zero> = Mcts::new(Zero, options);
            assert_eq!(search.arena.nodes.capacity(), 0, "as yet nobody plays");
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
