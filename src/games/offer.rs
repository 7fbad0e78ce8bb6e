//! What a game offers as knowledge: an evaluator of its own, `linear` and `zero`.

use super::evaluator::{Evaluator, EvaluatorInfo, EvaluatorVisitor, Weights, Zero};
use super::game::Configurable;
use super::linear::{Features, Linear};
use super::weights::resolve;
use crate::params::ParamError;

/// The game's own evaluator: the default, which takes no weights.
pub struct Own<E> {
    /// The word in `evaluator = "…"`.
    pub name: &'static str,
    /// One sentence, without a full stop.
    pub summary: &'static str,
    /// The evaluator itself.
    pub evaluator: E,
}

impl<E> Own<E> {
    fn info(&self) -> EvaluatorInfo {
        EvaluatorInfo { name: self.name, summary: self.summary, features: Vec::new() }
    }

    /// The evaluators on offer, the default first.
    pub fn list<const N: usize, G: Features<N>>(&self) -> Vec<EvaluatorInfo> {
        vec![self.info(), Linear::info::<G>(), Zero::info()]
    }

    /// Calls the visitor with the evaluator of that name.
    ///
    /// # Errors
    /// An unknown evaluator or feature, or weights out of range.
    pub fn visit<const N: usize, G, V>(
        self,
        game: &G,
        name: &str,
        weights: &Weights,
        visitor: V,
    ) -> Result<V::Out, ParamError>
    where
        G: Features<N> + Configurable,
        E: Evaluator<G>,
        V: EvaluatorVisitor<G>,
    {
        match name {
            "linear" => Ok(visitor.visit(Linear::new(game, weights)?)),
            _ if name == self.name => {
                resolve(&self.info(), weights, |_| 0)?;
                Ok(visitor.visit(self.evaluator))
            }
            _ => Zero::visit(game, name, weights, visitor),
        }
    }
}
