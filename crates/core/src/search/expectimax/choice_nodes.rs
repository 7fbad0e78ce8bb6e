//! A running expectimax search: entering positions, and choice nodes.

use super::super::leaves::{Leaves, Terminal};
use super::super::move_ordering::{Memory, largest_first};
use super::super::opponent_model::Opponent;
use super::super::search_limits::{Budget, Limits};
use super::super::search_result::SearchStats;
use super::bounds_table::{BoundsTable, Entry, NO_MOVE};
use super::star_bounds::{Average, Known, Window};
use super::star_options::{Pruning, StarOptions};
use crate::games::key_hash::fold;
use crate::games::{Evaluator, Game, Player, Scoring, SearchHints, Turn};

/// Bits of a key for the index of a move. Nodes with more moves than fit are not ordered.
const INDEX_BITS: u32 = NO_MOVE.count_ones();
const INDEX_MASK: i64 = (1 << INDEX_BITS) - 1;
/// The key of the table's move.
const FRONT: i64 = i64::MAX & !INDEX_MASK;

/// Memory that is kept between nodes, depths and moves.
#[derive(Debug, Clone)]
pub(super) struct Work<G: Game> {
    /// The moves of all nodes on the path, each node's after its parent's.
    pub(super) moves: Vec<G::Move>,
    /// The same moves as ordering keys, largest first.
    pub(super) keys: Vec<i64>,
    /// The outcomes of the chance node being expanded.
    pub(super) outcomes: Vec<(G::Move, u32)>,
    /// The moves and outcomes of all averaging nodes on the path.
    pub(super) ways: Vec<G::Move>,
    /// The bounds of the positions after these moves and outcomes.
    pub(super) average: Average,
    pub(super) memory: Memory<G::Move>,
    pub(super) table: BoundsTable,
}

pub(super) struct ExpectimaxSearcher<'a, G: Game, E> {
    pub(super) game: &'a G,
    pub(super) leaves: &'a Leaves<E>,
    pub(super) options: &'a StarOptions,
    pub(super) work: &'a mut Work<G>,
    pub(super) budget: Budget,
    pub(super) stats: SearchStats,
    pub(super) side: Player,
    /// The smallest and the largest utility of any position.
    pub(super) low: f64,
    pub(super) high: f64,
    /// Counts how often the value of an unfinished position was estimated. A subtree that does not
    /// change the count contains only proofs.
    pub(super) guesses: u64,
    /// Whether the value of an end depends on its distance from the root.
    distances: bool,
}

impl<'a, G: Game, E: Evaluator<G>> ExpectimaxSearcher<'a, G, E> {
    pub(super) fn new(
        game: &'a G,
        leaves: &'a Leaves<E>,
        options: &'a StarOptions,
        work: &'a mut Work<G>,
        limits: &Limits,
        state: &G::State,
        (least, most): (i32, i32),
    ) -> Self {
        let Turn::Player(side) = game.turn(state) else {
            panic!("a search starts where a player is to move")
        };
        work.moves.clear();
        work.keys.clear();
        work.outcomes.clear();
        work.ways.clear();
        work.average.children.clear();
        ExpectimaxSearcher {
            game,
            leaves,
            options,
            work,
            budget: Budget::start(limits),
            stats: SearchStats::default(),
            side,
            low: options.utility.apply(least, side),
            high: options.utility.apply(most, side),
            guesses: 0,
            distances: leaves.terminal == Terminal::Outcome && !game.scoring().numeric_score(),
        }
    }

    /// Whether the search prunes at all.
    #[inline]
    pub(super) fn prunes(&self) -> bool {
        self.options.pruning != Pruning::None
    }

    /// Whether this player plays optimally.
    #[inline]
    pub(super) fn chooses(&self, player: Player) -> bool {
        player == self.side || self.options.opponent == Opponent::Perfect
    }

    /// Enters a position, `ply` plies from the root and with `depth` plies to go, and returns its
    /// value. The value is exact inside the window, otherwise a bound on the same side. It is
    /// meaningless once the budget is spent; the caller must have checked the budget.
    pub(super) fn enter(
        &mut self,
        state: &G::State,
        depth: u32,
        ply: u32,
        window: Window,
        known: Known,
    ) -> f64 {
        self.stats.nodes += 1;
        self.stats.selective_depth = self.stats.selective_depth.max(ply);
        match self.game.turn(state) {
            Turn::Over => {
                self.stats.leaves += 1;
                let value = self.leaves.end(self.game, state, ply);
                self.options.utility.apply(value, self.side)
            }
            Turn::Player(_) if depth == 0 => {
                self.stats.leaves += 1;
                self.guesses += 1;
                let value = self.leaves.horizon(self.game, state);
                self.options.utility.apply(value, self.side)
            }
            turn => self.inner(state, turn, depth, ply, window, known),
        }
    }

    /// The value of an inner node, from the table if its entry is sufficient.
    fn inner(
        &mut self,
        state: &G::State,
        turn: Turn,
        depth: u32,
        ply: u32,
        window: Window,
        known: Known,
    ) -> f64 {
        // The leaves after a chance node at the horizon cost less than a look-up.
        let key = (self.work.table.exists() && depth > 0).then(|| self.key(state, ply));
        let mut first = NO_MOVE;
        let mut old = None;
        if let Some(key) = key {
            self.stats.probes += 1;
            if let Some(entry) = self.work.table.probe(key) {
                self.stats.hits += 1;
                first = entry.mv;
                if entry.depth == depth || (entry.complete && entry.depth < depth) {
                    let Entry { lower, upper, .. } = entry;
                    if lower == upper || lower >= window.beta || upper <= window.alpha {
                        self.guesses += u64::from(!entry.complete);
                        return if upper <= window.alpha { upper } else { lower };
                    }
                    old = Some(entry);
                }
            }
        }
        let guesses = self.guesses;
        let (value, best) = match turn {
            Turn::Player(player) if self.chooses(player) => {
                self.choice(state, player, depth, ply, window, known, first)
            }
            turn => (self.mean(state, turn, depth, ply, window), NO_MOVE),
        };
        if let Some(key) = key
            && !self.budget.stopped()
        {
            let (mut lower, mut upper) = (f64::NEG_INFINITY, f64::INFINITY);
            if value > window.alpha {
                lower = value;
            }
            if value < window.beta {
                upper = value;
            }
            let mut complete = self.guesses == guesses;
            if lower < upper
                && let Some(old) = old
            {
                // Keeps the bound of the other side.
                lower = lower.max(old.lower);
                upper = upper.min(old.upper);
                complete &= old.complete;
            }
            self.work.table.store(key, Entry { lower, upper, depth, mv: best, complete });
        }
        value
    }

    /// The table's key of a position. Wins count their distance from the root, so the key includes
    /// the ply if distances matter.
    #[inline]
    pub(super) fn key(&self, state: &G::State, ply: u32) -> u64 {
        let ply = if self.distances { u64::from(ply) } else { 0 };
        fold(self.game.hints().table_key(state), ply << 1 | self.side.index() as u64)
    }

    /// The value of a position with an optimal player to move, and the index of the best move.
    #[expect(clippy::too_many_arguments, reason = "one node, one call")]
    fn choice(
        &mut self,
        state: &G::State,
        player: Player,
        depth: u32,
        ply: u32,
        window: Window,
        known: Known,
        first: u32,
    ) -> (f64, u32) {
        let (bottom, keys) = (self.work.moves.len(), self.work.keys.len());
        self.game.moves(state, &mut self.work.moves);
        let count = self.work.moves.len() - bottom;
        let ordered = self.prunes() && count <= NO_MOVE as usize;
        if ordered {
            self.order(state, player, bottom, if first == NO_MOVE { known.index } else { first });
        }
        let Window { mut alpha, mut beta } = window;
        let maximises = player == Player::First;
        let mut best = if maximises { f64::NEG_INFINITY } else { f64::INFINITY };
        let mut best_index = NO_MOVE;
        for place in 0..count {
            let index = if ordered {
                (INDEX_MASK - (self.work.keys[keys + place] & INDEX_MASK)) as usize
            } else {
                place
            };
            let mv = self.work.moves[bottom + index];
            let value = if index as u32 == known.index {
                self.guesses += u64::from(known.guessed);
                known.value
            } else {
                if self.budget.spent(self.stats.nodes) {
                    break;
                }
                let mut child = state.clone();
                self.game.play(&mut child, mv);
                let window = if self.prunes() { Window { alpha, beta } } else { Window::ALL };
                let value = self.enter(&child, depth - 1, ply + 1, window, Known::NONE);
                if self.budget.stopped() {
                    break;
                }
                value
            };
            if if maximises { value > best } else { value < best } {
                best = value;
                best_index = index as u32;
                if maximises {
                    alpha = alpha.max(value);
                } else {
                    beta = beta.min(value);
                }
            }
            if self.prunes() && alpha >= beta {
                self.stats.count_cutoff(place == 0);
                self.work.memory.reward(player, mv, index, ply, depth);
                break;
            }
        }
        self.work.moves.truncate(bottom);
        self.work.keys.truncate(keys);
        (best, best_index.min(NO_MOVE))
    }

    /// Sorts the moves from `bottom` of the stack: first the move known to be good, then by history
    /// and hint.
    fn order(&mut self, state: &G::State, player: Player, bottom: usize, first: u32) {
        let work = &mut *self.work;
        let keys = work.keys.len();
        for (index, &mv) in work.moves[bottom..].iter().enumerate() {
            let score = if index as u32 == first {
                FRONT
            } else {
                work.memory.score(self.game, state, player, mv) << INDEX_BITS
            };
            // Equal scores keep the game's order, so the key decreases with the index.
            work.keys.push(score | (INDEX_MASK - index as i64));
        }
        largest_first(&mut work.keys[keys..]);
    }

    /// The index of the move to probe first, and the number of moves; leaves the moves on the
    /// stack.
    pub(super) fn promising(
        &mut self,
        state: &G::State,
        player: Player,
        ply: u32,
    ) -> (usize, usize) {
        let bottom = self.work.moves.len();
        self.game.moves(state, &mut self.work.moves);
        let count = self.work.moves.len() - bottom;
        if self.work.table.exists()
            && let Some(entry) = self.work.table.probe(self.key(state, ply))
            && (entry.mv as usize) < count
        {
            return (entry.mv as usize, count);
        }
        let score = |mv| self.work.memory.score(self.game, state, player, mv);
        let mut best = (0, i64::MIN);
        for (index, &mv) in self.work.moves[bottom..].iter().enumerate() {
            let score = score(mv);
            if score > best.1 {
                best = (index, score);
            }
        }
        (best.0, count)
    }
}
