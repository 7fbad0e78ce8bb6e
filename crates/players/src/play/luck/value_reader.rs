//! Collects an evaluator's values in recorded games, to fit their map to expected scores.

use std::sync::Arc;

use super::luck_meter::LuckSettings;
use crate::games::{Game, Turn};
use crate::params::ParamError;
use crate::play::any_game::{AnyGame, DynEvaluator};
use crate::play::game_in_progress::{GameInProgress, words};
use crate::play::game_record::Outcome;
use crate::stats::LogisticFit;

/// Reads the values that the meter of luck needs: those after each outcome of chance, and after each
/// move of an agent that reports the probabilities of its choices.
pub struct ValueReader {
    game: Arc<AnyGame>,
    value: Box<DynEvaluator>,
}

impl ValueReader {
    /// A reader for a fitted evaluator; `None` for other settings.
    ///
    /// # Errors
    /// A game without this evaluator.
    pub fn new(game: &AnyGame, settings: &LuckSettings) -> Result<Option<Self>, ParamError> {
        let LuckSettings::Fitted { name, weights, .. } = settings else { return Ok(None) };
        let value = Arc::clone(&game.0).evaluator(name, weights)?;
        Ok(Some(ValueReader { game: Arc::new(game.clone()), value }))
    }

    /// Adds the values in a game with its result to a fit. Both texts are in the format of
    /// `games.csv`. `choices`: by side, whether the agent reports its probabilities.
    ///
    /// # Errors
    /// Texts that are not a legal game, in a sentence for people.
    pub fn add(
        &self,
        (opening, moves): (&str, &str),
        outcome: Outcome,
        choices: [bool; 2],
        fit: &mut LogisticFit,
    ) -> Result<(), String> {
        let half_points = match outcome {
            Outcome::First => 2,
            Outcome::Draw => 1,
            Outcome::Second => 0,
            Outcome::Void => return Ok(()),
        };
        let mut played = GameInProgress::after_opening(&self.game, opening)?;
        for word in words(moves) {
            let mv = played.read(word)?;
            let is_drawn = match played.play(mv) {
                Turn::Player(player) => choices[player.index()],
                turn => turn == Turn::Chance,
            };
            if is_drawn && self.game.turn(&played.state) != Turn::Over {
                fit.add((self.value)(&played.state), half_points);
            }
        }
        Ok(())
    }
}
