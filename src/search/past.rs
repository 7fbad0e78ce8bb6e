//! The positions behind the one that a search looks at: for games in which positions come back.
//!
//! A search counts the first repetition as a draw, whether the position stood on the board
//! before or the line itself leads back to it: who can repeat once can repeat again.

use crate::games::{Game, Repetition, repeats};

/// Keys of positions, oldest first: those of the game, then those of the line that is searched.
/// Stays empty where repetitions do not matter ([`Repetition::REPEATS`]).
#[derive(Debug, Clone, Default)]
pub(super) struct Past {
    keys: Vec<u64>,
    /// Positions of the game.
    played: usize,
    /// Positions that a pass has cut off: nobody comes back to them by legal moves.
    cut_off: usize,
}

impl Past {
    /// Takes the keys of the game's positions before the next search.
    pub fn remember<G: Game>(&mut self, history: &[u64]) {
        self.keys.clear();
        if repeats::<G>() {
            self.keys.extend_from_slice(history);
        }
        (self.played, self.cut_off) = (self.keys.len(), 0);
    }

    /// Begins a search in a position.
    #[inline]
    pub fn begin<G: Game>(&mut self, game: &G, root: &G::State) {
        if repeats::<G>() {
            self.keys.truncate(self.played);
            self.keys.push(game.key(root));
        }
    }

    /// Whether the position, of which the last key is the parent's, has been there before.
    #[inline]
    pub fn repeats<G: Game>(&self, game: &G, state: &G::State) -> bool {
        if !repeats::<G>() {
            return false;
        }
        let plies = game.repetition().reversible_plies(state).min(self.keys.len() - self.cut_off);
        // The same side moves every other ply, and nobody undoes a move with his next one.
        if plies < 4 {
            return false;
        }
        let key = game.key(state);
        let before = &self.keys[self.keys.len() - plies..];
        before.iter().rev().skip(1).step_by(2).any(|&past| past == key)
    }

    /// Enters a position.
    #[inline]
    pub fn push<G: Game>(&mut self, game: &G, state: &G::State) {
        if repeats::<G>() {
            self.keys.push(game.key(state));
        }
    }

    /// Leaves it.
    #[inline]
    pub fn pop<G: Game>(&mut self) {
        if repeats::<G>() {
            self.keys.pop();
        }
    }

    /// Leaves all positions of the line but the root.
    #[inline]
    pub fn rewind<G: Game>(&mut self) {
        if repeats::<G>() {
            self.keys.truncate(self.played + 1);
        }
    }

    /// Cuts off all positions so far for a pass; gives what [`Past::join`] takes.
    #[inline]
    pub fn cut_off(&mut self) -> usize {
        std::mem::replace(&mut self.cut_off, self.keys.len())
    }

    /// The end of a pass.
    #[inline]
    pub fn join(&mut self, cut_off: usize) {
        self.cut_off = cut_off;
    }
}
