//! The root: one depth after another, and what is asked of its moves.

use super::super::counters::SearchStats;
use super::super::limits::Limits;
use super::super::opponent::Opponent;
use super::tree::{Known, Tree, Window};
use crate::games::{Evaluator, Game, Player};

/// What must be known of the root's moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// The first of the best in the game's order.
    First,
    /// All that tie for best.
    Ties,
    /// The exact value of each.
    Values,
}

/// What is known of the root.
pub(super) struct Root<G: Game> {
    player: Player,
    /// The legal moves in the game's order.
    pub(super) moves: Vec<G::Move>,
    /// Exact values, if they were asked for.
    pub(super) values: Vec<f64>,
    /// The value of the position.
    pub(super) value: f64,
    /// The indices of the best moves, rising.
    pub(super) best: Vec<usize>,
    pub(super) stats: SearchStats,
    /// The order in which moves are searched.
    order: Vec<usize>,
}

impl<G: Game, E: Evaluator<G>> Tree<'_, G, E> {
    /// Searches deeper and deeper where that helps or the budget asks for it, else once.
    pub(super) fn solve(mut self, state: &G::State, limits: &Limits, goal: Goal) -> Root<G> {
        let mut root = self.root(state);
        let last = limits.last_depth();
        let deepening = limits.depth.is_none()
            || limits.interrupts()
            || (self.prunes()
                && self.work.table.exists()
                && self.options.opponent == Opponent::Perfect);
        let mut depth = if deepening { 1 } else { last };
        loop {
            let guesses = self.guesses;
            if !self.iterate(state, &mut root, depth, goal) {
                break;
            }
            self.stats.depth = depth;
            // Nothing was guessed: deeper looks see the same.
            if depth == last || self.guesses == guesses {
                break;
            }
            depth += 1;
        }
        root.stats = self.stats;
        root
    }

    fn root(&mut self, state: &G::State) -> Root<G> {
        let mut moves = Vec::new();
        self.game.moves(state, &mut moves);
        let mut order: Vec<usize> = (0..moves.len()).collect();
        if self.prunes() {
            order.sort_by_key(|&i| -i64::from(self.game.order_hint(state, moves[i])));
        }
        let value = self.leaves.horizon(self.game, state);
        let value = self.options.utility.apply(value, self.side);
        let values = vec![value; moves.len()];
        let (best, player) = (vec![order[0]], self.side);
        Root { player, moves, values, value, best, stats: SearchStats::default(), order }
    }

    /// Searches all moves to one depth; false if the budget was spent before.
    fn iterate(&mut self, state: &G::State, root: &mut Root<G>, depth: u32, goal: Goal) -> bool {
        // The root is entered in any case, once more for every further depth.
        if self.stats.nodes > 0 && self.budget.spent(self.stats.nodes) {
            return false;
        }
        self.stats.nodes += 1;
        let sign = f64::from(root.player.sign());
        let mut best: Vec<usize> = Vec::new();
        let mut value = f64::NEG_INFINITY;
        let mut values = vec![0.0; root.moves.len()];
        let mut finished = true;
        let mut seen = false;
        for place in 0..root.order.len() {
            let i = root.order[place];
            if self.budget.spent(self.stats.nodes) {
                finished = false;
                break;
            }
            let mut child = state.clone();
            self.game.play(&mut child, root.moves[i]);
            // A move matters if it is better, or as good and not behind the best in the
            // game's order; where a tie matters the window is wider by the least step.
            let tie = goal == Goal::Ties || best.iter().any(|&other| i < other);
            let floor = match goal {
                Goal::Values => f64::NEG_INFINITY,
                _ if best.is_empty() || !self.prunes() => f64::NEG_INFINITY,
                _ if tie => value.next_down(),
                _ => value,
            };
            let window = match root.player {
                Player::First => Window { alpha: floor, ..Window::ALL },
                Player::Second => Window { beta: -floor, ..Window::ALL },
            };
            let child_value = self.enter(&child, depth - 1, 1, window, Known::NONE);
            if self.budget.stopped() {
                finished = false;
                break;
            }
            values[i] = child_value;
            seen |= i == root.best[0];
            let own = child_value * sign;
            if own > value {
                value = own;
                best.clear();
                best.push(i);
            } else if own == value && (tie || goal == Goal::Values) {
                best.push(i);
            }
        }
        self.stats.selective_depth = self.stats.selective_depth.max(1);
        if finished && goal == Goal::Values {
            root.values = values;
        }
        // What was interrupted counts if it has looked at the best move known so far.
        if seen || (self.stats.depth == 0 && !best.is_empty()) {
            best.sort_unstable();
            if goal == Goal::First {
                best.truncate(1);
            }
            root.value = value * sign;
            root.best = best;
            if self.prunes() {
                // Move the best to the front, the others keep their order.
                let front = root.best[0];
                root.order.retain(|&i| i != front);
                root.order.insert(0, front);
            }
        }
        finished
    }
}
