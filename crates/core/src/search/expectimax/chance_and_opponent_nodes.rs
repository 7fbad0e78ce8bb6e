//! Averaging nodes: chance, and the moves of an imperfect opponent.

use std::ops::Range;

use super::super::opponent_model::Opponent;
use super::bounds_table::NO_MOVE;
use super::choice_nodes::ExpectimaxSearcher;
use super::star_bounds::{AverageKind, Child, Known, Sums, Window};
use super::star_options::Pruning;
use crate::games::{Evaluator, Game, Player, Turn};

impl<G: Game, E: Evaluator<G>> ExpectimaxSearcher<'_, G, E> {
    /// The value of an averaging node, exact or a bound as in [`ExpectimaxSearcher::enter`].
    pub(super) fn mean(
        &mut self,
        state: &G::State,
        turn: Turn,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> f64 {
        let base = self.work.ways.len();
        let (kind, below) = self.unfold(state, turn, depth, ply);
        let value = self.value(state, kind, base, below, window);
        self.work.ways.truncate(base);
        self.work.average.children.truncate(base);
        value
    }

    /// Pushes the children on their stack; `below` is the depth and the ply of each.
    fn unfold(
        &mut self,
        state: &G::State,
        turn: Turn,
        depth: u32,
        ply: u32,
    ) -> (AverageKind, (u32, u32)) {
        let (mut lower, mut upper) = (self.low, self.high);
        if depth == 0
            && self.prunes()
            && let Some((least, most)) = self.leaves.evaluator.outcome_range(self.game, state)
        {
            lower = self.options.utility.apply(least, self.side);
            upper = self.options.utility.apply(most, self.side);
        }
        let child = |weight| Child { weight, lower, upper, known: Known::NONE };
        let work = &mut *self.work;
        let Turn::Player(player) = turn else {
            work.outcomes.clear();
            self.game.outcomes(state, &mut work.outcomes);
            for &(mv, weight) in &work.outcomes {
                work.ways.push(mv);
                work.average.children.push(child(f64::from(weight)));
            }
            return (AverageKind::Weighted, (depth, ply));
        };
        self.game.moves(state, &mut work.ways);
        work.average.children.resize(work.ways.len(), child(1.0));
        let kind = match self.options.opponent {
            Opponent::Epsilon(epsilon) => AverageKind::Epsilon(epsilon, player),
            Opponent::Softmax(temperature) => AverageKind::Softmax(temperature, player),
            Opponent::Uniform | Opponent::Perfect => AverageKind::Weighted,
        };
        (kind, (depth - 1, ply + 1))
    }

    fn value(
        &mut self,
        state: &G::State,
        kind: AverageKind,
        base: usize,
        below: (u32, u32),
        window: Window,
    ) -> f64 {
        let count = self.work.ways.len() - base;
        let mut sums = self.work.average.sums(base);
        let prunes =
            self.prunes() && !matches!(kind, AverageKind::Softmax(..)) && window != Window::ALL;
        if prunes
            && kind == AverageKind::Weighted
            && self.options.pruning == Pruning::Star2
            && below.0 > 0
            && count > 1
            && let Some(value) = self.look_ahead(state, base, below, window, &mut sums)
        {
            return value;
        }
        for i in base..base + count {
            if self.budget.spent(self.stats.nodes) {
                return 0.0;
            }
            let Child { weight, lower, upper, known } = self.work.average.children[i];
            if lower == upper && self.prunes() {
                // Its value is known from a probe of its only move, or from the evaluator.
                self.guesses += u64::from(below.0 == 0);
                continue;
            }
            let mut child = state.clone();
            self.game.play(&mut child, self.work.ways[i]);
            let needed = if prunes && kind == AverageKind::Weighted {
                sums.window(window, weight, lower, upper)
            } else {
                Window::ALL
            };
            let mut value = self.enter(&child, below.0, below.1, needed, known);
            if self.budget.stopped() {
                return 0.0;
            }
            if prunes {
                self.work.average.learn(i, value, needed, &mut sums);
                if let Some(bound) = self.outside(kind, base..i + 1, window, &sums) {
                    self.stats.count_cutoff(i == base);
                    return bound;
                }
            }
            if !needed.holds(value) {
                // The window was too narrow by a rounding error.
                value = self.enter(&child, below.0, below.1, Window::ALL, Known::NONE);
                if self.budget.stopped() {
                    return 0.0;
                }
                self.work.average.learn(i, value, Window::ALL, &mut sums);
            }
            let child = &mut self.work.average.children[i];
            (child.lower, child.upper) = (value, value);
        }
        self.work.average.mean(kind, base, sums.weight, false)
    }

    /// A bound that shows that the mean is outside the window, if there is one; the children `seen`
    /// have been searched.
    fn outside(
        &mut self,
        kind: AverageKind,
        seen: Range<usize>,
        window: Window,
        sums: &Sums,
    ) -> Option<f64> {
        let range = (self.low, self.high);
        self.work.average.outside(kind, seen, range, window, sums)
    }

    /// Probes one move after every outcome with an optimal player to move. Returns a bound of the
    /// mean if it is outside the window.
    fn look_ahead(
        &mut self,
        state: &G::State,
        base: usize,
        below: (u32, u32),
        window: Window,
        sums: &mut Sums,
    ) -> Option<f64> {
        for i in base..self.work.ways.len() {
            let mut child = state.clone();
            self.game.play(&mut child, self.work.ways[i]);
            let Turn::Player(player) = self.game.turn(&child) else { continue };
            // A maximiser bounds the mean from below, a minimiser from above.
            let open = match player {
                Player::First => window.beta <= self.high,
                Player::Second => window.alpha >= self.low,
            };
            if !self.chooses(player) || !open {
                continue;
            }
            if self.budget.spent(self.stats.nodes) {
                return Some(0.0);
            }
            self.probe(&child, player, i, below, window, sums);
            if self.budget.stopped() {
                return Some(0.0);
            }
            let bound = self.outside(AverageKind::Weighted, base..base, window, sums);
            if bound.is_some() {
                self.stats.count_cutoff(i == base);
                return bound;
            }
        }
        None
    }

    /// Searches the most promising move of child `i`, where `player` is to move.
    fn probe(
        &mut self,
        child: &G::State,
        player: Player,
        i: usize,
        (depth, ply): (u32, u32),
        window: Window,
        sums: &mut Sums,
    ) {
        self.stats.nodes += 1;
        let bottom = self.work.moves.len();
        let (index, count) = self.promising(child, player, ply);
        let mut grandchild = child.clone();
        self.game.play(&mut grandchild, self.work.moves[bottom + index]);
        self.work.moves.truncate(bottom);
        if self.budget.spent(self.stats.nodes) {
            return;
        }
        let Child { weight, lower, upper, .. } = self.work.average.children[i];
        let needed = sums.window(window, weight, lower, upper);
        // Only the bound on the player's side is needed.
        let needed = match player {
            Player::First => Window { alpha: f64::NEG_INFINITY, ..needed },
            Player::Second => Window { beta: f64::INFINITY, ..needed },
        };
        let guesses = self.guesses;
        let value = self.enter(&grandchild, depth - 1, ply + 1, needed, Known::NONE);
        if self.budget.stopped() {
            return;
        }
        let exact = needed.holds(value);
        // A single move bounds the value from both sides.
        let both = count == 1;
        let known = match player {
            Player::First => {
                Window { beta: if both && exact { f64::INFINITY } else { value }, ..needed }
            }
            Player::Second => {
                Window { alpha: if both && exact { f64::NEG_INFINITY } else { value }, ..needed }
            }
        };
        self.work.average.learn(i, value, known, sums);
        if exact && index < NO_MOVE as usize {
            let guessed = self.guesses != guesses;
            self.work.average.children[i].known = Known { index: index as u32, value, guessed };
        }
    }
}
