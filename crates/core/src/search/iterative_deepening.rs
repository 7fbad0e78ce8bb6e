//! The root driver: iterative deepening over the moves of the root.
//!
//! Shared by all searches that value positions. A search is configured through [`RootSearch`], and
//! [`answers!`] defines its public methods. Moves are numbers in the game's order here, so the code
//! is compiled once for each value type, not for each game.

use std::ops::Neg;

use super::leaves::INFINITY;
use super::search_limits::{Budget, Limits};
use super::search_result::{SearchResult, SearchStats};
use crate::games::{Game, GameExt, Player, SearchHints, Turn};

/// The required result for the root's moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RootRequest {
    /// The first best move in the game's order.
    First,
    /// All moves that tie for best.
    Ties,
    /// The exact value of each.
    Values,
}

impl RootRequest {
    /// The goal for the best moves: all, or only the first.
    pub(super) fn best(ties: bool) -> RootRequest {
        if ties { RootRequest::Ties } else { RootRequest::First }
    }
}

/// Defines `search` and `values` for a search that uses [`Start::solve`] with the given value type.
/// The search itself provides a method `run(game, state, limits, goal)` that returns the [`Root`].
macro_rules! answers {
    ($value:ty) => {
        /// The value of the position and the first of its best moves in the game's order, or with
        /// `ties` all of them. There is always an answer: if the budget is too small for one ply,
        /// it is the first move of the ordering and the static value.
        ///
        /// # Panics
        /// If no player is to move.
        pub fn search(
            &mut self,
            game: &G,
            state: &G::State,
            limits: &Limits,
            ties: bool,
        ) -> SearchResult<G::Move, $value> {
            self.run(game, state, limits, RootRequest::best(ties)).answer()
        }

        /// Fills `out` with the exact value of every move, in the game's order, at the completed
        /// depth ([`SearchStats::depth`]). If the budget is too small for one ply, every move gets
        /// the static value of the position.
        ///
        /// # Panics
        /// If no player is to move.
        pub fn values(
            &mut self,
            game: &G,
            state: &G::State,
            limits: &Limits,
            out: &mut Vec<(G::Move, $value)>,
        ) -> SearchStats {
            self.run(game, state, limits, RootRequest::Values).values(out)
        }
    };
}
pub(super) use answers;

/// A value type: integers, or floating-point numbers for averages.
pub(super) trait Scale: Copy + PartialOrd + Neg<Output = Self> {
    /// Less than any value that a search returns; its negation is greater than any.
    const LEAST: Self;

    /// The next smaller value.
    fn below(self) -> Self;
}

impl Scale for i32 {
    const LEAST: i32 = -INFINITY;

    fn below(self) -> i32 {
        self - 1
    }
}

impl Scale for f64 {
    const LEAST: f64 = f64::NEG_INFINITY;

    fn below(self) -> f64 {
        self.next_down()
    }
}

/// A running search of one position, as the root driver sees it.
pub(super) trait RootSearch<V> {
    fn budget(&mut self) -> &mut Budget;
    fn stats(&mut self) -> &mut SearchStats;

    /// How often the value of an unfinished position was estimated; `None` if not counted.
    fn guesses(&self) -> Option<u64>;

    /// Whether shallower searches make the last one cheaper.
    fn deepens(&self) -> bool;

    /// Whether moves are first ordered by the game's hint.
    fn hinted(&self) -> bool;

    /// Whether the best move is tried first at the next depth.
    fn best_first(&self) -> bool;

    /// Whether the best value so far narrows the window of the other moves.
    fn narrows(&self) -> bool {
        true
    }

    /// The static value of the position.
    fn standing(&self) -> V;

    /// Whether the value found at a depth is final for every greater depth.
    fn decided(&self, _value: V, _depth: u32) -> bool {
        false
    }

    /// The aspiration window around the value of the last depth, from the point of view of the
    /// player to move; `None` for a full window.
    fn around(&self, _value: V) -> Option<(V, V)> {
        None
    }

    /// The value of the position after a move of the player, with `depth` plies to go. It is exact
    /// inside the window (from the first player's point of view), otherwise a bound on the same
    /// side. `leads` is true for the first move of its depth.
    fn child(&mut self, mv: usize, depth: u32, window: (V, V), player: Player, leads: bool) -> V;
}

/// A search tree at its root position.
pub(super) struct Start<'a, G: Game, T> {
    pub(super) tree: T,
    pub(super) game: &'a G,
    pub(super) state: &'a G::State,
    /// The legal moves in the game's order.
    moves: Vec<G::Move>,
}

impl<'a, G: Game, T> Start<'a, G, T> {
    pub(super) fn new(tree: T, game: &'a G, state: &'a G::State) -> Self {
        let moves = game.legal_moves(state);
        Start { tree, game, state, moves }
    }

    /// The position after a move.
    pub(super) fn after(&self, mv: usize) -> G::State {
        self.game.after(self.state, self.moves[mv])
    }

    /// Searches with iterative deepening if it helps or the budget requires it, else once.
    ///
    /// # Panics
    /// If no player is to move.
    pub(super) fn solve<V: Scale>(mut self, limits: &Limits, goal: RootRequest) -> Root<G::Move, V>
    where
        Self: RootSearch<V>,
    {
        let Turn::Player(player) = self.game.turn(self.state) else {
            panic!("a search starts where a player is to move")
        };
        let hinted = self.hinted();
        let mut hints = Vec::new();
        for &mv in &self.moves {
            hints.push(if hinted { self.game.hints().order_hint(self.state, mv) } else { 0 });
        }
        let known = Known::find(&mut self, player, &hints, limits, goal);
        Root { moves: self.moves, known }
    }
}

/// The result at the root.
pub(super) struct Root<M, V> {
    moves: Vec<M>,
    known: Known<V>,
}

impl<M: Copy, V: Copy> Root<M, V> {
    /// The value and the best moves.
    pub(super) fn answer(self) -> SearchResult<M, V> {
        let mut best = Vec::new();
        for &i in &self.known.best {
            best.push(self.moves[i]);
        }
        SearchResult { value: self.known.value, best, stats: self.known.stats }
    }

    /// Fills `out` with the moves and their values.
    pub(super) fn values(self, out: &mut Vec<(M, V)>) -> SearchStats {
        out.clear();
        for (i, &mv) in self.moves.iter().enumerate() {
            out.push((mv, self.known.values[i]));
        }
        self.known.stats
    }
}

/// The same without the moves.
struct Known<V> {
    player: Player,
    /// Exact values, if requested.
    values: Vec<V>,
    value: V,
    /// The indices of the best moves, increasing.
    best: Vec<usize>,
    stats: SearchStats,
    /// The order of the search.
    order: Vec<usize>,
}

/// The result of one depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BestMoves {
    /// The value is inside the window.
    Value,
    /// The value is at most the window's lower bound.
    Low,
    /// The value is at least the window's upper bound.
    High,
    /// The budget was spent before the end.
    Nothing,
}

fn own<V: Scale>(value: V, player: Player) -> V {
    if player == Player::First { value } else { -value }
}

impl<V: Scale> Known<V> {
    fn find(
        search: &mut dyn RootSearch<V>,
        player: Player,
        hints: &[i32],
        limits: &Limits,
        goal: RootRequest,
    ) -> Self {
        let mut order: Vec<usize> = (0..hints.len()).collect();
        order.sort_by_key(|&i| -i64::from(hints[i]));
        let value = search.standing();
        let mut root = Known {
            player,
            values: vec![value; hints.len()],
            value,
            best: vec![order[0]],
            stats: SearchStats::default(),
            order,
        };
        let last = limits.last_depth();
        let deepening = limits.depth.is_none() || limits.interrupts() || search.deepens();
        let mut depth = if deepening { 1 } else { last };
        loop {
            let guesses = search.guesses();
            if !root.deepen(search, depth, goal) {
                break;
            }
            search.stats().depth = depth;
            // Nothing was estimated, or the end is in sight: deeper searches return the same value.
            let proven = guesses.is_some() && search.guesses() == guesses;
            let decided = goal != RootRequest::Values && search.decided(root.value, depth);
            if depth == last || proven || decided {
                break;
            }
            depth += 1;
        }
        root.stats = *search.stats();
        root
    }

    /// Searches one depth, first with an aspiration window if the search has one; returns false if
    /// the budget was spent before the end.
    fn deepen(&mut self, search: &mut dyn RootSearch<V>, depth: u32, goal: RootRequest) -> bool {
        let all = (V::LEAST, -V::LEAST);
        let known = search.stats().depth > 0 && goal != RootRequest::Values;
        let near = search.around(own(self.value, self.player)).filter(|_| known);
        let mut window = near.unwrap_or(all);
        let mut failures = 0;
        loop {
            let found = self.iterate(search, depth, goal, window);
            failures += 1;
            window = match found {
                BestMoves::Value => return true,
                BestMoves::Nothing => return false,
                // After a second failure, or failures on both sides, use the full window.
                _ if failures > 1 => all,
                BestMoves::Low => (V::LEAST, window.1),
                BestMoves::High => (window.0, -V::LEAST),
            };
        }
    }

    /// Searches all moves to one depth.
    fn iterate(
        &mut self,
        search: &mut dyn RootSearch<V>,
        depth: u32,
        goal: RootRequest,
        (low, high): (V, V),
    ) -> BestMoves {
        // Each iteration counts the root once; the first iteration does not check the budget.
        let nodes = search.stats().nodes;
        if nodes > 0 && search.budget().spent(nodes) {
            return BestMoves::Nothing;
        }
        search.stats().nodes += 1;
        let mut best: Vec<usize> = Vec::new();
        let mut value = V::LEAST;
        let mut values = vec![self.value; self.order.len()];
        let mut finished = true;
        let mut seen = false;
        for place in 0..self.order.len() {
            let i = self.order[place];
            let nodes = search.stats().nodes;
            if search.budget().spent(nodes) {
                finished = false;
                break;
            }
            // A move matters if it is better, or equally good and earlier in the game's order than
            // the best. If ties matter, the window is wider by the smallest step, because a bound
            // equal to the best value is not a tie.
            let tie = goal == RootRequest::Ties || best.iter().any(|&other| i < other);
            let floor = match goal {
                RootRequest::Values => V::LEAST,
                _ if best.is_empty() || value <= low || !search.narrows() => low,
                _ if tie => value.below(),
                _ => value,
            };
            let window = match self.player {
                Player::First => (floor, high),
                Player::Second => (-high, -floor),
            };
            let child_value = search.child(i, depth - 1, window, self.player, place == 0);
            if search.budget().stopped() {
                finished = false;
                break;
            }
            values[i] = child_value;
            seen |= i == self.best[0];
            let own = own(child_value, self.player);
            if own > value {
                value = own;
                best.clear();
                best.push(i);
            } else if own == value && (tie || goal == RootRequest::Values) {
                best.push(i);
            }
            if value >= high {
                break;
            }
        }
        let stats = search.stats();
        stats.selective_depth = stats.selective_depth.max(1);
        let answered = stats.depth > 0;
        if finished && value <= low {
            return BestMoves::Low;
        }
        if finished && value >= high {
            if search.best_first() {
                self.bring_forward(best[0]);
            }
            return BestMoves::High;
        }
        if finished && goal == RootRequest::Values {
            self.values = values;
        }
        // An interrupted iteration counts if it has searched the previously best move.
        if value > low && (seen || (!answered && !best.is_empty())) {
            best.sort();
            if goal == RootRequest::First {
                best.truncate(1);
            }
            self.value = own(value, self.player);
            self.best = best;
            if search.best_first() {
                self.bring_forward(self.best[0]);
            }
        }
        if finished { BestMoves::Value } else { BestMoves::Nothing }
    }

    /// Moves one index to the front; the others keep their order.
    fn bring_forward(&mut self, front: usize) {
        self.order.retain(|&i| i != front);
        self.order.insert(0, front);
    }
}
