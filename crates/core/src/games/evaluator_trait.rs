//! Evaluators: static evaluation of positions.

#![deny(missing_docs)]

use std::sync::Arc;

use super::game::Game;

use std::collections::BTreeMap;

/// Weights by feature name.
pub type Weights = BTreeMap<String, i64>;

/// Scores an unfinished position from the first player's point of view.
///
/// Values are within ±[`MAX_VALUE`], so a search can use larger values for wins and losses.
///
/// ```
/// # use agon_core as agon;
/// use agon::games::{Evaluator, Game, TicTacToe};
///
/// /// The number of stones of the first player.
/// struct Stones;
///
/// impl Evaluator<TicTacToe> for Stones {
///     fn evaluate(&self, game: &TicTacToe, state: &<TicTacToe as Game>::State) -> i32 {
///         game.write_position(state).matches('x').count() as i32
///     }
/// }
///
/// let game = TicTacToe;
/// let state = game.read_position("xx./oo./...").unwrap();
/// assert_eq!(Stones.evaluate(&game, &state), 2);
/// ```
pub trait Evaluator<G: Game>: Send + Sync + 'static {
    /// The value of the position for the first player.
    fn evaluate(&self, game: &G, state: &G::State) -> i32;

    /// Whether the value depends only on the pieces of each side and not on their squares. Then
    /// alpha-beta does not play the last move if it is [quiet](super::SearchHints::quiet).
    #[inline]
    fn counts_pieces(&self) -> bool {
        false
    }

    /// The smallest and largest value of any position, finished ones included, if known to be
    /// narrower than ±[`MAX_VALUE`]. Searches use the range for pruning.
    fn range(&self, _game: &G) -> Option<(i32, i32)> {
        None
    }

    /// The smallest and largest value after any chance outcome in this position. `Some` only if
    /// chance cannot end the game here. The evaluator must know this range without examining the
    /// outcomes, and it must be narrower than [`range`](Self::range). For example, the roll of a die may
    /// not affect the evaluator at all.
    fn outcome_range(&self, _game: &G, _state: &G::State) -> Option<(i32, i32)> {
        None
    }
}

/// An evaluator behind a pointer: one type for all evaluators of a game, so each search is compiled
/// once per game. A call costs about two nanoseconds more.
pub type AnyEvaluator<G> = Arc<dyn Evaluator<G>>;

impl<G: Game> Evaluator<G> for AnyEvaluator<G> {
    #[inline]
    fn evaluate(&self, game: &G, state: &G::State) -> i32 {
        (**self).evaluate(game, state)
    }

    #[inline]
    fn counts_pieces(&self) -> bool {
        (**self).counts_pieces()
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

/// The description of an evaluator for `agon list` and the config.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluatorInfo {
    /// The value of `evaluator = "…"`.
    pub name: &'static str,
    /// One sentence, without a full stop.
    pub summary: &'static str,
    /// Feature names with their default weights.
    pub features: Vec<(String, i64)>,
}

impl EvaluatorInfo {
    /// The description of an evaluator with these features and default weights.
    pub fn new(name: &'static str, summary: &'static str, features: &[(&str, i64)]) -> Self {
        let features = features.iter().map(|&(name, weight)| (name.to_owned(), weight)).collect();
        EvaluatorInfo { name, summary, features }
    }
}

/// Receives an evaluator of any type: converts a name to static dispatch.
pub trait EvaluatorVisitor<G: Game> {
    /// The result of the visit.
    type Out;

    /// Called with the evaluator.
    fn visit<E: Evaluator<G> + Clone>(self, evaluator: E) -> Self::Out;
}
