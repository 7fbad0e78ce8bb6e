//! The evaluator `linear`: a weighted sum of a game's features.

use super::evaluator_trait::{Evaluator, EvaluatorInfo, Weights};
use super::evaluator_weights::resolve;
use super::game::Game;
use crate::params::ParamError;

/// A game that counts `N` features in a position.
pub trait Features<const N: usize>: Game {
    /// Names with their default weights.
    const FEATURES: [(&'static str, i64); N];

    /// The value of each feature, first player minus second player.
    fn features(&self, state: &Self::State) -> [i32; N];

    /// Whether an outcome of chance in this position can change a feature or end the game. If not,
    /// searches need not try the outcomes at their horizon.
    #[inline]
    fn chance_matters(&self, _state: &Self::State) -> bool {
        true
    }

    /// The largest absolute value of any feature.
    fn largest_feature(&self) -> u32;
}

/// The weighted sum of a position's features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Linear<const N: usize> {
    weights: [i32; N],
}

impl<const N: usize> Linear<N> {
    /// Name, features and default weights.
    pub fn info<G: Features<N>>() -> EvaluatorInfo {
        info(&G::FEATURES)
    }

    /// Creates the evaluator for a game; missing weights get their defaults.
    ///
    /// # Errors
    /// An unknown feature, or weights so large that values could exceed
    /// `MAX_VALUE`.
    pub fn new<G: Features<N>>(game: &G, given: &Weights) -> Result<Self, ParamError> {
        let mut weights = [0; N];
        read_weights(&G::FEATURES, game.largest_feature(), given, &mut weights)?;
        Ok(Linear { weights })
    }
}

impl<G: Features<N>, const N: usize> Evaluator<G> for Linear<N> {
    #[inline]
    fn evaluate(&self, game: &G, state: &G::State) -> i32 {
        let mut sum = 0;
        for (i, count) in game.features(state).iter().enumerate() {
            sum += self.weights[i] * count;
        }
        sum
    }

    #[inline]
    fn outcome_range(&self, game: &G, state: &G::State) -> Option<(i32, i32)> {
        if game.chance_matters(state) {
            return None;
        }
        let value = self.evaluate(game, state);
        Some((value, value))
    }

    fn range(&self, game: &G) -> Option<(i32, i32)> {
        let most = largest_sum(&self.weights, game.largest_feature() as i32);
        Some((-most, most))
    }
}

fn info(features: &[(&str, i64)]) -> EvaluatorInfo {
    EvaluatorInfo::new("linear", "a weighted sum of features of the position", features)
}

fn read_weights(
    features: &[(&str, i64)],
    largest: u32,
    given: &Weights,
    weights: &mut [i32],
) -> Result<(), ParamError> {
    let bound = |weights: &[i64]| weights.iter().map(|w| w.abs() * i64::from(largest)).sum();
    weights.copy_from_slice(&resolve(&info(features), given, &bound)?);
    Ok(())
}

fn largest_sum(weights: &[i32], largest: i32) -> i32 {
    weights.iter().map(|weight| weight.abs() * largest).sum()
}

/// The first counts minus the second.
#[inline]
pub(super) fn difference<const N: usize>(mut first: [i32; N], second: [i32; N]) -> [i32; N] {
    for i in 0..N {
        first[i] -= second[i];
    }
    first
}
