//! Knowledge: static evaluation of positions.

use std::collections::BTreeMap;

use super::game::{Configurable, Game};
use super::weights::{resolve, unknown_evaluator};
use crate::params::ParamError;

/// Weights by feature name.
pub type Weights = BTreeMap<String, i64>;

/// Scores a position that has not ended, in the first player's frame.
///
/// Values lie within ±[`MAX_VALUE`] so that a search can put wins and losses outside.
pub trait Evaluator<G: Game>: Clone + Send + Sync + 'static {
    /// The value of the position for the first player.
    fn evaluate(&self, game: &G, state: &G::State) -> i32;

    /// The least and the largest value of any position, ended ones included, where they are
    /// known to be narrower than ±[`MAX_VALUE`]: searches prune with them.
    fn range(&self, _game: &G) -> Option<(i32, i32)> {
        None
    }

    /// The least and the largest value after any outcome of chance in this position, where
    /// chance cannot end the game and the evaluator knows better than [`range`](Self::range)
    /// without a look: what the die decides may not matter to it at all.
    fn outcome_range(&self, _game: &G, _state: &G::State) -> Option<(i32, i32)> {
        None
    }
}

/// The largest absolute value that an evaluator may return.
pub const MAX_VALUE: i32 = 1_000_000_000;

/// What `agon list` and the config know of an evaluator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluatorInfo {
    /// The word in `evaluator = "…"`.
    pub name: &'static str,
    /// One sentence, without a full stop.
    pub summary: &'static str,
    /// Feature names with their default weights.
    pub features: Vec<(String, i64)>,
}

/// Takes an evaluator of any type: the way from a name to static dispatch.
pub trait EvaluatorVisitor<G: Game> {
    /// What the visit yields.
    type Out;

    /// Called with the evaluator.
    fn visit<E: Evaluator<G>>(self, evaluator: E) -> Self::Out;
}

/// Knows nothing: every position is worth 0.
#[derive(Debug, Clone, Copy, Default)]
pub struct Zero;

impl Zero {
    /// Its name; it takes no weights.
    pub fn info() -> EvaluatorInfo {
        let summary = "knows nothing: 0 everywhere";
        EvaluatorInfo { name: "zero", summary, features: Vec::new() }
    }

    /// Calls the visitor with this evaluator, if that is the one that the game is asked for.
    ///
    /// # Errors
    /// Another evaluator, or any weight.
    pub fn visit<G: Configurable, V: EvaluatorVisitor<G>>(
        game: &G,
        name: &str,
        weights: &Weights,
        visitor: V,
    ) -> Result<V::Out, ParamError> {
        if name != Zero::info().name {
            return Err(unknown_evaluator(G::KIND, name, &game.evaluators()));
        }
        resolve(&Zero::info(), weights, |_| 0)?;
        Ok(visitor.visit(Zero))
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
