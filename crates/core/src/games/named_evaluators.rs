//! The evaluators of a game by name: its own ones, and `zero`.

use std::sync::Arc;

use super::evaluator_trait::{AnyEvaluator, Evaluator, EvaluatorInfo, Weights};
use super::evaluator_weights::{resolve, unknown_evaluator};
use super::game::Game;
use super::linear_evaluator::{Features, Linear};
use crate::params::ParamError;
use crate::util::collect_with_less_code::Gather;

type Make<G> = fn(&G, &Weights) -> Result<AnyEvaluator<G>, ParamError>;

/// An evaluator of a game: its description, and how it is made.
pub struct NamedEvaluator<G: Game> {
    pub(super) info: EvaluatorInfo,
    make: Make<G>,
}

impl<G: Game> NamedEvaluator<G> {
    /// An evaluator that `make` creates from weights; missing weights get their defaults.
    pub fn new(info: EvaluatorInfo, make: Make<G>) -> Self {
        NamedEvaluator { info, make }
    }

    /// An evaluator without weights.
    pub fn plain<E: Evaluator<G> + Default>(name: &'static str, summary: &'static str) -> Self {
        Self::new(EvaluatorInfo::new(name, summary, &[]), |_, _| Ok(Arc::new(E::default())))
    }

    /// The weighted sum of the game's features.
    pub fn linear<const N: usize>() -> Self
    where
        G: Features<N>,
    {
        Self::new(Linear::info::<G>(), |game, weights| Ok(Arc::new(Linear::new(game, weights)?)))
    }
}

/// The evaluators of a game with these own ones.
pub fn with_zero<G: Game>(mut own: Vec<NamedEvaluator<G>>) -> Vec<NamedEvaluator<G>> {
    own.push(NamedEvaluator::plain::<Zero>("zero", "0 for every position"));
    own
}

/// The evaluator with this name; `kind` is the game's.
///
/// # Errors
/// An unknown evaluator or feature, or weights out of range.
pub fn named<G: Game>(
    game: &G,
    kind: &str,
    all: &[NamedEvaluator<G>],
    name: &str,
    weights: &Weights,
) -> Result<AnyEvaluator<G>, ParamError> {
    let Some(NamedEvaluator { info, make }) = all.iter().find(|one| one.info.name == name) else {
        let names: Vec<&str> = all.iter().map(|one| one.info.name).gather();
        return Err(unknown_evaluator(kind, name, &names));
    };
    if info.features.is_empty() {
        resolve(info, weights, &|_| 0)?;
    }
    make(game, weights)
}

/// Returns 0 for every position.
#[derive(Debug, Clone, Copy, Default)]
pub struct Zero;

impl<G: Game> Evaluator<G> for Zero {
    #[inline]
    fn evaluate(&self, _game: &G, _state: &G::State) -> i32 {
        0
    }

    fn range(&self, _game: &G) -> Option<(i32, i32)> {
        Some((0, 0))
    }
}
