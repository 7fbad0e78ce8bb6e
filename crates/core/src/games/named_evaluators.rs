//! The evaluators of a game by name: its own ones, and `zero`.

use std::sync::Arc;

use super::evaluator_trait::{AnyEvaluator, Evaluator, EvaluatorInfo, Weights};
use super::evaluator_weights::{resolve, unknown_evaluator};
use super::game::Game;
use super::linear_evaluator::{Features, Linear};
use crate::params::ParamError;

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

/// The evaluators of a game with these own ones: descriptions, and in the same order how they are made.
pub fn with_zero<G: Game>(own: &[NamedEvaluator<G>]) -> (Vec<EvaluatorInfo>, Vec<Make<G>>) {
    let (mut infos, mut makes) = (Vec::new(), Vec::new());
    for NamedEvaluator { info, make } in own {
        infos.push(info.clone());
        makes.push(*make);
    }
    let NamedEvaluator { info, make } =
        NamedEvaluator::plain::<Zero>("zero", "0 for every position");
    infos.push(info);
    makes.push(make);
    (infos, makes)
}

/// The index of the evaluator with this name; `kind` is the game's.
///
/// # Errors
/// An unknown evaluator, or weights of an evaluator without weights.
pub fn find(
    kind: &str,
    all: &[EvaluatorInfo],
    name: &str,
    weights: &Weights,
) -> Result<usize, ParamError> {
    let Some(index) = all.iter().position(|info| info.name == name) else {
        let names: Vec<&str> = all.iter().map(|info| info.name).collect();
        return Err(unknown_evaluator(kind, name, &names));
    };
    if all[index].features.is_empty() {
        resolve(&all[index], weights, &|_| 0)?;
    }
    Ok(index)
}

/// Returns 0 for every position.
#[derive(Debug, Clone, Copy, Default)]
pub struct Zero;

impl<G: Game> Evaluator<G> for Zero {
    #[inline]
    fn evaluate(&self, _game: &G, _state: &G::State) -> i32 {
        0
    }

    #[inline]
    fn counts_pieces(&self) -> bool {
        true
    }

    fn range(&self, _game: &G) -> Option<(i32, i32)> {
        Some((0, 0))
    }
}
