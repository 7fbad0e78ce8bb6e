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

    /// The smallest key among all symmetric images of the position, and the image that has it unless
    /// it is the position itself.
    fn canonical_image(self, state: &G::State) -> (u64, Option<G::State>) {
        let (mut key, mut image) = (self.key(state), None);
        for s in 1..self.symmetries() {
            let mapped = self.map_state(s, state);
            let other = self.key(&mapped);
            if other < key {
                (key, image) = (other, Some(mapped));
            }
        }
        (key, image)
    }

    /// Whether a position is worth the same as the canonical image of another one with the same key.
    fn is_equivalent(self, canonical: &G::State, other: &G::State) -> bool {
        canonical == other
    }
}

impl<G: Game> Symmetry<G> for Plain<'_, G> {}
