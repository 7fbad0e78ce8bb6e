//! The evaluator `zero`, available in every game.

use super::evaluator_trait::{Evaluator, EvaluatorInfo, Weights};
use super::evaluator_weights::{resolve, unknown_evaluator};
use super::game::Game;
use crate::params::ParamError;

/// Returns 0 for every position.
#[derive(Debug, Clone, Copy, Default)]
pub struct Zero;

impl Zero {
    /// Name and summary; it has no weights.
    pub fn info() -> EvaluatorInfo {
        let summary = "0 for every position";
        EvaluatorInfo { name: "zero", summary, features: Vec::new() }
    }

    /// This evaluator, if the name matches.
    ///
    /// # Errors
    /// Any other name (`kind` and `offered` go into the message), or any weight.
    pub fn named(
        name: &str,
        weights: &Weights,
        kind: &str,
        offered: &[EvaluatorInfo],
    ) -> Result<Self, ParamError> {
        if name != Zero::info().name {
            return Err(unknown_evaluator(kind, name, offered));
        }
        resolve(&Zero::info(), weights, &|_| 0)?;
        Ok(Zero)
    }
}

impl<G: Game> Evaluator<G> for Zero {
    #[inline]
    fn evaluate(&self, _game: &G, _state: &G::State) -> i32 {
        0
    }

    fn range(&self, _game: &G) -> Option<(i32, i32)> {
        Some((0, 0))
    }
}
