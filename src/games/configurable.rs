//! How a game is named, configured and known about: what the registry needs.

use std::path::Path;
use std::sync::Arc;

use super::evaluator::{AnyEvaluator, EvaluatorInfo, EvaluatorVisitor, Weights};
use super::exact::Exactness;
use super::game::Game;
use super::zero::Zero;
use crate::params::{Param, ParamError, Values};

/// How a game is named, configured and known about: what the registry needs.
pub trait Configurable: Game + Sized {
    /// The word in `kind = "…"`.
    const KIND: &'static str;
    /// One sentence for `agon list`, without a full stop.
    const SUMMARY: &'static str;

    /// Random plies before the agents take over where the config has no `[openings]`; 0: games
    /// begin at the start, as they do where chance makes them differ.
    const OPENING_PLIES: u32 = 0;

    /// The parameters of `[game]`: none unless said otherwise.
    fn params() -> Vec<Param> {
        Vec::new()
    }

    /// Whether this type serves these values; lets several types share one kind.
    fn fits(_values: &Values) -> bool {
        true
    }

    /// Takes the content of files into the values in place of their paths, which are seen
    /// from `folder`, so that the values say all there is to the game.
    ///
    /// # Errors
    /// A file that cannot be read, or not as this game.
    fn embed(_values: &mut Values, _folder: &Path) -> Result<(), ParamError> {
        Ok(())
    }

    /// Builds the game from checked values; paths that are left are seen from the working
    /// folder.
    ///
    /// # Errors
    /// Values that do not work together, such as `k` larger than the board.
    fn build(values: &Values) -> Result<Self, ParamError>;

    /// What is probably not meant about this instance of the game, in sentences for people:
    /// shown before anything is played, but no reason to refuse it.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// How the exact values of this game's positions can be had, as far as the game itself
    /// knows: solvers that lie above this floor are asked before.
    fn exactness(&self) -> Exactness<Self> {
        let why = format!("there is no exact solver for {}", Self::KIND);
        Exactness::None { why, remedy: String::new() }
    }

    /// The evaluators on offer, the default first, with features and default weights: `zero`
    /// unless the game knows more.
    fn evaluators(&self) -> Vec<EvaluatorInfo> {
        vec![Zero::info()]
    }

    /// The evaluator of that name with these weights (missing weights are the defaults). A
    /// game that offers evaluators of its own returns them here, and `zero` by [`Zero::named`].
    ///
    /// # Errors
    /// An unknown evaluator or feature.
    fn evaluator(&self, name: &str, weights: &Weights) -> Result<AnyEvaluator<Self>, ParamError> {
        Ok(Arc::new(Zero::named(name, weights, Self::KIND, &self.evaluators())?))
    }

    /// Calls the visitor with [`evaluator`](Self::evaluator). A game whose searches must be as
    /// fast as they can be hands over the evaluators themselves, each of its own type: then
    /// every search is compiled once for each of them.
    ///
    /// # Errors
    /// As [`evaluator`](Self::evaluator).
    fn with_evaluator<V: EvaluatorVisitor<Self>>(
        &self,
        name: &str,
        weights: &Weights,
        visitor: V,
    ) -> Result<V::Out, ParamError> {
        Ok(visitor.visit(self.evaluator(name, weights)?))
    }
}
