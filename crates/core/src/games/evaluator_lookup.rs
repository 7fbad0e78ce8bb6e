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
        Ok(match name {
            "linear" => Arc::new(Linear::new(game, weights)?),
            _ if name == self.name => {
                resolve(&self.info(), weights, &|_| 0)?;
                Arc::new(self.evaluator)
            }
            _ => Arc::new(Zero::named(name, weights, G::KIND, &self.list::<N, G>())?),
        })
    }
}
