//! The evaluators of a game: its own evaluator, `linear` and `zero`.

use std::sync::Arc;

use super::configurable_game_trait::Configurable;
use super::evaluator_trait::{AnyEvaluator, Evaluator, EvaluatorInfo, Weights};
use super::evaluator_weights::resolve;
use super::linear_evaluator::{Features, Linear};
use super::zero_evaluator::Zero;
use crate::params::ParamError;

/// The game's own evaluator: the default, without weights.
pub struct OwnEvaluator<E> {
    pub name: &'static str,
    pub summary: &'static str,
    pub evaluator: E,
}

impl<E> OwnEvaluator<E> {
    fn info(&self) -> EvaluatorInfo {
        EvaluatorInfo { name: self.name, summary: self.summary, features: Vec::new() }
    }

    pub fn list<const N: usize, G: Features<N>>(&self) -> Vec<EvaluatorInfo> {
        vec![self.info(), Linear::info::<G>(), Zero::info()]
    }

    /// The evaluator with this name.
    ///
    /// # Errors
    /// An unknown evaluator or feature, or weights out of range.
    pub fn named<const N: usize, G: Features<N> + Configurable>(
        self,
        game: &G,
        name: &str,
        weights: &Weights,
    ) -> Result<AnyEvaluator<G>, ParamError>
    where
        E: Evaluator<G>,
    {
        if name == "linear" {
            return Ok(Arc::new(Linear::new(game, weights)?));
        }
        let own = check(name, weights, G::KIND, [self.info(), Linear::info::<G>()])?;
        Ok(if own { Arc::new(self.evaluator) } else { Arc::new(Zero) })
    }
}

/// Whether the name is that of the game's own evaluator, not `zero`. Neither has weights.
fn check(
    name: &str,
    weights: &Weights,
    kind: &str,
    [own, linear]: [EvaluatorInfo; 2],
) -> Result<bool, ParamError> {
    if name == own.name {
        resolve(&own, weights, &|_| 0)?;
        return Ok(true);
    }
    Zero::named(name, weights, kind, &[own, linear, Zero::info()])?;
    Ok(false)
}
