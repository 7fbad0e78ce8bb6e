//! Positions that come back: how often they have occurred and whether that ends the game.

use std::ops::Deref;

use super::{Game, Plain};

/// The rules on repeated positions.
///
/// A game in which positions can come back, and in which that matters, implements this trait
/// for `&Self` and returns itself from [`Game::repetition`].
pub trait Repetition<G: Game>: Copy + Deref<Target = G> {
    /// Whether positions can come back in a game and it matters when they do. Then
    /// [`ended_by_history`](Self::ended_by_history) is asked after each move, and searches
    /// count a repetition as a draw.
    const REPEATS: bool = false;

    /// The occurrence of a position with which the rules themselves end the game, if they do
    /// so by a number.
    const LAST_OCCURRENCE: Option<u32> = None;

    /// How many of the last plies can be part of a repetition: at most those since the last
    /// move that cannot be undone.
    #[inline]
    fn reversible_plies(self, _state: &G::State) -> usize {
        0
    }

    /// How often this position has occurred, now included, where the keys of those before it
    /// are given, oldest first.
    fn occurrences(self, state: &G::State, history: &[u64]) -> usize {
        let key = self.key(state);
        let plies = self.reversible_plies(state);
        let before = &history[history.len().saturating_sub(plies)..];
        1 + before.iter().filter(|&&past| past == key).count()
    }

    /// Whether the game is drawn in this position because of those before it, whose keys are
    /// given, oldest first: why, in the words of the `reason` column. Asked only where it is a
    /// player's turn.
    fn ended_by_history(self, _state: &G::State, _history: &[u64]) -> Option<&'static str> {
        None
    }
}

impl<G: Game> Repetition<G> for Plain<'_, G> {}

/// [`Repetition::REPEATS`] of a type of game.
#[inline]
pub fn repeats<G: Game>() -> bool {
    fn of<'a, G: Game, R: Repetition<G>>(_: impl FnOnce(&'a G) -> R) -> bool {
        R::REPEATS
    }
    of(G::repetition)
}

/// [`Repetition::LAST_OCCURRENCE`] of a type of game.
pub fn last_occurrence<G: Game>() -> Option<u32> {
    fn of<'a, G: Game, R: Repetition<G>>(_: impl FnOnce(&'a G) -> R) -> Option<u32> {
        R::LAST_OCCURRENCE
    }
    of(G::repetition)
}
