//! How a game is named, configured and known about: what the registry needs.

use std::path::Path;
use std::sync::Arc;

use super::evaluator::{AnyEvaluator, EvaluatorInfo, EvaluatorVisitor, Weights};
use super::exact::Exactness;
use super::game::Game;
use super::zero::Zero;
use crate::params::{ParamError, Params, Values};

/// How a game is named, configured and known about: what the registry needs.
pub trait Configurable: Game + Sized {
    /// The word in `kind = "…"`.
    const KIND: &'static str;
    /// One sentence for `agon list`, without a full stop.
    const SUMMARY: &'static str;

    /// Random plies before the agents take over where the config has no `[openings]`; 0: games
    /// begin at the start, as they do where chance makes them differ.
    const OPENING_PLIES: u32 = 0;

    /// What `[game]` takes, made by [`params!`](crate::params!); `()` is nothing.
    type Params: Params;

    /// Builds the game; paths that are left are seen from the working folder.
    ///
    /// # Errors
    /// Parameters that do not work together, such as `k` larger than the board.
    fn from_params(params: Self::Params) -> Result<Self, ParamError>;

    /// Builds the game from values; what is not given is the default.
    ///
    /// # Errors
    /// As [`Params::read`] and [`from_params`](Self::from_params).
    fn build(values: &Values) -> Result<Self, ParamError> {
        Self::from_params(Self::Params::read(values)?)
    }

    /// Whether this type serves these parameters; lets several types share one kind.
    fn fits(_params: &Self::Params) -> bool {
        true
    }

    /// Takes the content of files into the parameters in place of their paths, which are seen
    /// from `folder`, so that the parameters say all there is to the game.
    ///
    /// # Errors
    /// A file that cannot be read, or not as this game.
    fn embed(_params: &mut Self::Params, _folder: &Path) -> Result<(), ParamError> {
        Ok(())
    }

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
