//! The evaluators that every game of lines offers: `segments`, `linear` and `zero`.

use super::evaluator::{EvaluatorInfo, EvaluatorVisitor, Weights, Zero};
use super::game::Configurable;
use super::linear::{Features, Linear};
use super::segments::{LineGame, Segments};
use super::weights::{resolve, unknown_evaluator};
use crate::params::ParamError;

/// The evaluators on offer, the default first.
pub fn list<const N: usize, G: LineGame + Features<N>>(game: &G) -> Vec<EvaluatorInfo> {
    vec![Segments::info(game.grid().length), Linear::info::<G>(), Zero::info()]
}

/// Calls the visitor with the evaluator of that name.
///
/// # Errors
/// An unknown evaluator or feature, or weights out of range.
pub fn visit<const N: usize, G: LineGame + Features<N> + Configurable, V: EvaluatorVisitor<G>>(
    game: &G,
    name: &str,
    weights: &Weights,
    visitor: V,
) -> Result<V::Out, ParamError> {
    match name {
        "segments" => Ok(visitor.visit(Segments::new(game.grid(), weights)?)),
        "linear" => Ok(visitor.visit(Linear::new(game, weights)?)),
        "zero" => {
            resolve(&Zero::info(), weights, |_| 0)?;
            Ok(visitor.visit(Zero))
        }
        _ => Err(unknown_evaluator(G::KIND, name, &list(game))),
    }
}
