//! The `Configurable` trait: name, parameters and evaluators of a game, for the registry.

#![deny(missing_docs)]

use std::path::Path;

use super::engine_facts::EngineFacts;
use super::evaluator_trait::{AnyEvaluator, EvaluatorInfo, EvaluatorVisitor, Weights};
use super::exact_value::{Offer, Unsolved};
use super::game::Game;
use super::named_evaluators::{NamedEvaluator, find, with_zero};
use crate::params::{ParamError, Params, Values};

/// Name, parameters and evaluators of a game, for the registry.
pub trait Configurable: Game + Sized {
    /// The value of `kind = "…"`.
    const KIND: &'static str;
    /// One sentence for `agon list`, without a full stop.
    const SUMMARY: &'static str;

    /// What players of the game call the first and the second player, such as White and Black; several
    /// pairs of names are possible. `first` and `second` always work and are not here.
    const SIDES: &'static [[&'static str; 2]] = &[];

    /// The number of random opening plies if the config has no `[openings]`. With 0, games begin at
    /// the start, which suits games with chance.
    const OPENING_PLIES: u32 = 0;

    /// Whether all games of this type have chance. Searches for games without chance are then not
    /// compiled for this type.
    const ALWAYS_CHANCE: bool = false;

    /// The parameters in `[game]`, declared with [`params!`](crate::params!); `()` for none.
    type Params: Params;

    /// Builds the game. Remaining paths are relative to the working folder.
    ///
    /// # Errors
    /// Parameters that are inconsistent, such as `k` larger than the board.
    fn from_params(params: Self::Params) -> Result<Self, ParamError>;

    /// Builds the game from values; missing values get their defaults.
    ///
    /// # Errors
    /// As [`Params::read`] and [`from_params`](Self::from_params).
    fn build(values: &Values) -> Result<Self, ParamError> {
        Self::from_params(Self::Params::read(values)?)
    }

    /// Whether this type supports these parameters; lets several types share one kind.
    fn fits(_params: &Self::Params) -> bool {
        true
    }

    /// Replaces paths in the parameters by the content of the files, so the parameters describe the
    /// game completely. Paths are relative to `folder`.
    ///
    /// # Errors
    /// A file that cannot be read or is invalid for this game.
    fn embed(_params: &mut Self::Params, _folder: &Path) -> Result<(), ParamError> {
        Ok(())
    }

    /// Probable mistakes in this instance of the game, as readable sentences. They are shown before
    /// the first game and do not prevent play.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// The starts from which random openings begin, instead of the start. Empty: the game has one
    /// start.
    fn random_starts(&self) -> Vec<Self::State> {
        Vec::new()
    }

    /// What engines must know to play this game by the protocols of other programs.
    fn engine_facts(&self) -> EngineFacts {
        EngineFacts::default()
    }

    /// The solver of this game, as far as the game itself knows. Solvers in higher layers take
    /// precedence. For a game with few positions that always ends, it is
    /// [`FullSearch`](super::FullSearch).
    ///
    /// # Errors
    /// The reason why there is none.
    fn exact_solver(&self) -> Offer<Self> {
        let why = format!("there is no exact solver for {}", Self::KIND);
        Err(Unsolved { why, help: String::new() })
    }

    /// The game's own evaluators, the default first. Every game has `zero` in addition.
    fn own_evaluators(&self) -> Vec<NamedEvaluator<Self>> {
        Vec::new()
    }

    /// All evaluators, the default first, with features and default weights.
    fn evaluators(&self) -> Vec<EvaluatorInfo> {
        with_zero(&self.own_evaluators()).0
    }

    /// The evaluator with this name and these weights (missing weights get their defaults).
    ///
    /// # Errors
    /// An unknown evaluator or feature.
    fn evaluator(&self, name: &str, weights: &Weights) -> Result<AnyEvaluator<Self>, ParamError> {
        let (infos, makes) = with_zero(&self.own_evaluators());
        makes[find(Self::KIND, &infos, name, weights)?](self, weights)
    }

    /// Calls the visitor with [`evaluator`](Self::evaluator). For maximum search speed, a game can
    /// pass its evaluators with their own types. Then every search is compiled once per evaluator.
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
