//! Repeated positions: their number of occurrences, and whether they end the game.

use std::ops::Deref;

use super::{Game, Plain};

/// The least number of plies after which a position can be there again: the same side moves every
/// second ply, and no move is undone by the same side's next move alone.
pub const SHORTEST_REPETITION: usize = 4;

/// The rules for repeated positions.
///
/// A game with relevant repetitions implements this trait for `&Self` and returns itself from
/// [`Game::repetition`].
pub trait Repetition<G: Game>: Copy + Deref<Target = G> {
    /// Whether positions can repeat and repetitions matter. If true,
    /// [`ended_by_history`](Self::ended_by_history) is called after each move, and searches score a
    /// repetition as a draw.
    const REPEATS: bool = false;

    /// The number of occurrences of a position at which the rules end the game, if there is such a
    /// number.
    const LAST_OCCURRENCE: Option<u32> = None;

    /// The maximum number of past plies in a repetition: the plies since the last irreversible
    /// move.
    #[inline]
    fn reversible_plies(self, _state: &G::State) -> usize {
        0
    }

    /// The number of occurrences of this position, the current one included. `history` contains the
    /// keys of the earlier positions, oldest first.
    fn occurrences(self, state: &G::State, history: &[u64]) -> usize {
        let key = self.key(state);
        let plies = self.reversible_plies(state);
        let before = &history[history.len().saturating_sub(plies)..];
        1 + before.iter().filter(|&&past| past == key).count()
    }

    /// The reason, as in the `reason` column, if the game is drawn because of earlier positions.
    /// `history` contains their keys, oldest first. The turn must be a player's. By default
    /// `threefold` at the last occurrence.
    #[inline]
    fn ended_by_history(self, state: &G::State, history: &[u64]) -> Option<&'static str> {
        let last = Self::LAST_OCCURRENCE? as usize;
        let can_be_last = self.reversible_plies(state) >= SHORTEST_REPETITION * (last - 1);
        (can_be_last && self.occurrences(state, history) >= last).then_some("threefold")
    }
}

impl<G: Game> Repetition<G> for Plain<'_, G> {}

/// [`Repetition::REPEATS`] for a game type.
#[inline]
pub fn repeats<G: Game>() -> bool {
    fn of<'a, G: Game, R: Repetition<G>>(_: impl FnOnce(&'a G) -> R) -> bool {
        R::REPEATS
    }
    of(G::repetition)
}

/// [`Repetition::LAST_OCCURRENCE`] for a game type.
pub fn last_occurrence<G: Game>() -> Option<u32> {
    fn of<'a, G: Game, R: Repetition<G>>(_: impl FnOnce(&'a G) -> R) -> Option<u32> {
        R::LAST_OCCURRENCE
    }
    of(G::repetition)
}
