//! The evaluators of every line game: `segments`, `linear` and `zero`.

use std::sync::Arc;

use super::configurable_game_trait::Configurable;
use super::evaluator_trait::{AnyEvaluator, EvaluatorInfo, Weights};
use super::linear_evaluator::{Features, Linear};
use super::segments_evaluator::{LineGame, Segments};
use super::zero_evaluator::Zero;
use crate::params::ParamError;

pub fn list<const N: usize, G: LineGame + Features<N>>(game: &G) -> Vec<EvaluatorInfo> {
    vec![Segments::info(game.grid().length), Linear::info::<G>(), Zero::info()]
}

/// The evaluator with this name.
///
/// # Errors
/// An unknown evaluator or feature, or weights out of range.
pub fn named<const N: usize, G: LineGame + Features<N> + Configurable>(
    game: &G,
    name: &str,
    weights: &Weights,
) -> Result<AnyEvaluator<G>, ParamError> {
    Ok(match name {
        "segments" => Arc::new(Segments::new(game.grid(), weights)?),
        "linear" => Arc::new(Linear::new(game, weights)?),
        _ => Arc::new(Zero::named(name, weights, G::KIND, &list(game))?),
    })
}
