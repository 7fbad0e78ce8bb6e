//! Knowledge: static evaluation of positions.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::game::Game;

/// Weights by feature name.
pub type Weights = BTreeMap<String, i64>;

/// Scores a position that has not ended, in the first player's frame.
///
/// Values lie within ±[`MAX_VALUE`] so that a search can put wins and losses outside.
pub trait Evaluator<G: Game>: Send + Sync + 'static {
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

/// An evaluator behind a pointer: one type for all evaluators of a game, so that each search
/// is compiled once for the game. A call costs some two nanoseconds more.
pub type AnyEvaluator<G> = Arc<dyn Evaluator<G>>;

impl<G: Game> Evaluator<G> for AnyEvaluator<G> {
    #[inline]
    fn evaluate(&self, game: &G, state: &G::State) -> i32 {
        (**self).evaluate(game, state)
    }

    fn range(&self, game: &G) -> Option<(i32, i32)> {
        (**self).range(game)
    }

    fn outcome_range(&self, game: &G, state: &G::State) -> Option<(i32, i32)> {
        (**self).outcome_range(game, state)
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
    fn visit<E: Evaluator<G> + Clone>(self, evaluator: E) -> Self::Out;
}
