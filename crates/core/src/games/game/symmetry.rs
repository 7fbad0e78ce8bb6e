//! Symmetries of the board.

use std::ops::Deref;

use super::{Game, Plain};

/// The symmetries of a game. With them, equivalent openings are played only once, and solvers store
/// equivalent positions once.
///
/// A game with symmetries implements this trait for `&Self` and returns itself from
/// [`Game::symmetry`].
pub trait Symmetry<G: Game>: Copy + Deref<Target = G> {
    /// The number of symmetries of the board, the identity (number 0) included.
    fn symmetries(self) -> usize {
        1
    }

    /// The position after symmetry `s`; commutes with `play`.
    fn map_state(self, _s: usize, state: &G::State) -> G::State {
        state.clone()
    }

    /// The move after symmetry `s`.
    fn map_move(self, _s: usize, mv: G::Move) -> G::Move {
        mv
    }

    /// The smallest key among all symmetric images of the position.
    fn canonical_key(self, state: &G::State) -> u64 {
        (1..self.symmetries())
            .map(|s| self.key(&self.map_state(s, state)))
            .fold(self.key(state), u64::min)
    }
}

impl<G: Game> Symmetry<G> for Plain<'_, G> {}
