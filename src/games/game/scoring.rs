//! What a payoff means where it is more than won, drawn or lost, and who is ahead before the end.

use std::ops::Deref;

use super::{Game, Plain, Player};

/// Scores of finished games, and material.
///
/// A game whose payoff is more than a sign, or that counts material, implements this trait for
/// `&Self` and returns itself from [`Game::scoring`].
pub trait Scoring<G: Game>: Copy + Deref<Target = G> {
    /// The unit in which the game counts material, where it does and more of it is better:
    /// then [`material`](Self::material) says who is ahead.
    const MATERIAL: Option<&'static str> = None;

    /// Whether the payoff is a score to be maximised (as in Pacman) and not only the sign of a
    /// result. Searches then value an ending by its payoff and do not prefer sooner wins.
    #[inline]
    fn numeric_score(self) -> bool {
        false
    }

    /// The least and the largest payoff of any finished game, where the rules bound a
    /// [numeric score](Self::numeric_score): searches prune with them.
    fn payoff_range(self) -> Option<(i32, i32)> {
        None
    }

    /// Who won a finished game, if it is not drawn: by the sign of the payoff, unless that is a
    /// score that says something else. Called only where `turn` is `Over`.
    fn winner(self, state: &G::State) -> Option<Player> {
        match self.payoff(state) {
            0 => None,
            payoff => Some(if payoff > 0 { Player::First } else { Player::Second }),
        }
    }

    /// How much material the first player has more than the second, in the unit of
    /// [`MATERIAL`](Self::MATERIAL); 0 where that is `None`.
    #[inline]
    fn material(self, _state: &G::State) -> i32 {
        0
    }
}

impl<G: Game> Scoring<G> for Plain<'_, G> {}

/// [`Scoring::MATERIAL`] of a type of game.
pub fn material_unit<G: Game>() -> Option<&'static str> {
    fn of<'a, G: Game, S: Scoring<G>>(_: impl FnOnce(&'a G) -> S) -> Option<&'static str> {
        S::MATERIAL
    }
    of(G::scoring)
}
