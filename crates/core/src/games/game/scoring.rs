//! Payoffs beyond win, draw and loss, and material.

use std::ops::Deref;

use super::{Game, Plain, Player};
use crate::games::syzygy::SyzygyTables;

/// Scores of finished games, and material.
///
/// A game with numeric payoffs or material implements this trait for `&Self` and returns itself
/// from [`Game::scoring`].
pub trait Scoring<G: Game>: Copy + Deref<Target = G> {
    /// The unit of material, if the game counts material and more is better. Then
    /// [`material`](Self::material) shows which side is ahead.
    const MATERIAL: Option<&'static str> = None;

    /// Whether there are Syzygy tables of this game ([`by_tables`](Self::by_tables)).
    const HAS_TABLES: bool = false;

    /// Whether the payoff is a score to be maximised (as in Pacman), not only the sign of a result.
    /// Searches then use the payoff as the value of an end and do not prefer earlier wins.
    #[inline]
    fn numeric_score(self) -> bool {
        false
    }

    /// The smallest and largest payoff of any finished game, if the rules bound a [numeric
    /// score](Self::numeric_score). Searches use the range for pruning.
    fn payoff_range(self) -> Option<(i32, i32)> {
        None
    }

    /// The winner of a finished game, `None` for a draw. By default the sign of the payoff decides;
    /// override it if a numeric score means something else. The turn must be `Over`.
    fn winner(self, state: &G::State) -> Option<Player> {
        match self.payoff(state) {
            0 => None,
            payoff => Some(if payoff > 0 { Player::First } else { Player::Second }),
        }
    }

    /// The player who cannot win by any sequence of legal moves, if the rules give this player a
    /// draw where the opponent forfeits. The turn must be a player's.
    fn cannot_win(self, _state: &G::State) -> Option<Player> {
        None
    }

    /// The first player's material minus the second player's, in the unit of
    /// [`MATERIAL`](Self::MATERIAL); 0 if that is `None`.
    #[inline]
    fn material(self, _state: &G::State) -> i32 {
        0
    }

    /// The sign of the first player's result by tables, right after a move that cannot be undone.
    /// `None` after other moves and in positions that the tables do not have. The turn must be a
    /// player's.
    ///
    /// # Errors
    /// A table that can no longer be read, in a sentence for people.
    fn by_tables(self, _state: &G::State, _tables: &SyzygyTables) -> Result<Option<i32>, String> {
        Ok(None)
    }
}

impl<G: Game> Scoring<G> for Plain<'_, G> {}

/// [`Scoring::MATERIAL`] for a game type.
pub fn material_unit<G: Game>() -> Option<&'static str> {
    fn of<'a, G: Game, S: Scoring<G>>(_: impl FnOnce(&'a G) -> S) -> Option<&'static str> {
        S::MATERIAL
    }
    of(G::scoring)
}

/// [`Scoring::HAS_TABLES`] for a game type.
pub fn has_tables<G: Game>() -> bool {
    fn of<'a, G: Game, S: Scoring<G>>(_: impl FnOnce(&'a G) -> S) -> bool {
        S::HAS_TABLES
    }
    of(G::scoring)
}
