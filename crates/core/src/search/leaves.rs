//! The static value of a position: ends and the horizon.

use crate::games::{Evaluator, Game, MAX_VALUE, Scoring};

/// The value of a win at the root. A win `n` plies from the root is worth `WIN - n` to the winner,
/// so earlier wins and later losses are better. Larger than every evaluation (`MAX_VALUE`).
pub const WIN: i32 = 2_000_000_000;

/// Larger in absolute value than anything that a search returns.
pub const INFINITY: i32 = i32::MAX;

crate::choice! {
    /// How positions that have ended are valued.
    #[derive(Default)]
    pub enum Terminal {
        /// By the outcome: a win is [`WIN`] less the plies from the root, a draw 0; where the
        /// payoff is a score (`Scoring::numeric_score`), the payoff itself, within ±`MAX_VALUE`.
        #[default]
        Outcome = "outcome",
        /// By the evaluator, as the programs of the textbooks do.
        Evaluator = "evaluator",
    }
}

/// Whether a value is a forced win or loss and not an evaluation.
#[inline]
pub fn is_win(value: i32) -> bool {
    value.unsigned_abs() > MAX_VALUE.unsigned_abs()
}

/// Plies from the root to the forced win or loss, if the value is one.
#[inline]
pub fn win_distance(value: i32) -> Option<u32> {
    is_win(value).then(|| WIN.abs_diff(value.abs()))
}

/// Values the leaves of a search tree.
#[derive(Debug, Clone)]
pub struct Leaves<E> {
    /// Values positions at the horizon.
    pub evaluator: E,
    /// Values finished positions.
    pub terminal: Terminal,
}

impl<E> Leaves<E> {
    /// The value of a finished position, `ply` plies from the root.
    #[inline]
    pub fn end<G: Game>(&self, game: &G, state: &G::State, ply: u32) -> i32
    where
        E: Evaluator<G>,
    {
        if self.terminal == Terminal::Evaluator {
            return self.evaluator.evaluate(game, state);
        }
        let payoff = game.payoff(state);
        if game.scoring().numeric_score() { payoff } else { payoff.signum() * (WIN - ply as i32) }
    }

    /// The value of a position at the horizon.
    #[inline]
    pub fn horizon<G: Game>(&self, game: &G, state: &G::State) -> i32
    where
        E: Evaluator<G>,
    {
        self.evaluator.evaluate(game, state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_read_back() {
        assert_eq!(win_distance(WIN - 3), Some(3));
        assert_eq!(win_distance(-(WIN - 41)), Some(41));
        assert_eq!(win_distance(MAX_VALUE), None);
        assert_eq!(win_distance(-MAX_VALUE), None);
        assert_eq!(win_distance(0), None);
    }
}
