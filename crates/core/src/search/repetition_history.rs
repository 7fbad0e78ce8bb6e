//! The history of a searched position, for games with relevant repetitions.
//!
//! A search counts the first repetition as a draw, both of game positions and of positions on the
//! searched line: a player who can repeat once can repeat again.

use crate::games::{Game, Repetition, SHORTEST_REPETITION, repeats};

/// Keys of positions, oldest first: those of the game, then those of the searched line. Empty if
/// repetitions do not matter ([`Repetition::REPEATS`]).
#[derive(Debug, Clone, Default)]
pub(super) struct RepetitionHistory {
    keys: Vec<u64>,
    /// The number of game positions.
    played: usize,
    /// The number of positions before a pass; legal moves cannot return to them.
    cut_off: usize,
}

impl RepetitionHistory {
    /// Stores the keys of the game's positions for the next search.
    pub fn remember<G: Game>(&mut self, history: &[u64]) {
        self.keys.clear();
        if repeats::<G>() {
            self.keys.extend_from_slice(history);
        }
        (self.played, self.cut_off) = (self.keys.len(), 0);
    }

    /// Starts a search in a position.
    #[inline]
    pub fn begin<G: Game>(&mut self, game: &G, root: &G::State) {
        if repeats::<G>() {
            self.keys.truncate(self.played);
            self.keys.push(game.key(root));
        }
    }

    /// Whether the position has occurred before; the last key must be the parent's.
    #[inline]
    pub fn repeats<G: Game>(&self, game: &G, state: &G::State) -> bool {
        if !repeats::<G>() {
            return false;
        }
        let plies = game.repetition().reversible_plies(state).min(self.keys.len() - self.cut_off);
        if plies < SHORTEST_REPETITION {
            return false;
        }
        let key = game.key(state);
        let before = &self.keys[self.keys.len() - plies..];
        before.iter().rev().skip(1).step_by(2).any(|&past| past == key)
    }

    #[inline]
    pub fn push<G: Game>(&mut self, game: &G, state: &G::State) {
        if repeats::<G>() {
            self.keys.push(game.key(state));
        }
    }

    #[inline]
    pub fn pop<G: Game>(&mut self) {
        if repeats::<G>() {
            self.keys.pop();
        }
    }

    /// Leaves all positions of the line except the root.
    #[inline]
    pub fn rewind<G: Game>(&mut self) {
        if repeats::<G>() {
            self.keys.truncate(self.played + 1);
        }
    }

    /// Hides all positions so far during a pass; returns the argument for [`RepetitionHistory::join`].
    #[inline]
    pub fn cut_off(&mut self) -> usize {
        std::mem::replace(&mut self.cut_off, self.keys.len())
    }

    /// Ends a pass.
    #[inline]
    pub fn join(&mut self, cut_off: usize) {
        self.cut_off = cut_off;
    }
}
