//! The evaluator `material`: weighted numbers of pieces.

use std::sync::Arc;

use super::evaluator_trait::{Evaluator, EvaluatorInfo, Weights};
use super::evaluator_weights::resolve;
use super::game::Game;
use super::linear_evaluator::difference;
use super::named_evaluators::NamedEvaluator;
use crate::params::ParamError;

/// A game with `N` kinds of pieces that have a value.
pub trait CountedPieces<const N: usize>: Game {
    /// The names of the kinds with their default weights.
    const KINDS: [(&'static str, i64); N];
    /// One sentence for `agon list`, without a full stop.
    const SUMMARY: &'static str;
    /// The most pieces of a side.
    const MOST: i32;

    /// The first player's pieces of each kind, and the second player's.
    fn pieces(state: &Self::State) -> [[i32; N]; 2];
}

/// Weighted pieces: the first player's minus the second player's.
#[derive(Debug, Clone, Copy)]
pub struct Material<const N: usize> {
    weights: [i32; N],
}

impl<const N: usize> Material<N> {
    pub fn info<G: CountedPieces<N>>() -> EvaluatorInfo {
        EvaluatorInfo::new("material", G::SUMMARY, &G::KINDS)
    }

    pub fn named<G: CountedPieces<N>>() -> NamedEvaluator<G> {
        NamedEvaluator::new(Self::info::<G>(), |_, given| Ok(Arc::new(Self::new::<G>(given)?)))
    }

    fn new<G: CountedPieces<N>>(given: &Weights) -> Result<Self, ParamError> {
        let bound = |weights: &[i64]| i64::from(G::MOST) * largest(weights);
        let weights = resolve(&Self::info::<G>(), given, &bound)?;
        Ok(Material { weights: weights.try_into().expect("a weight for each kind") })
    }

    /// The evaluator with its default weights.
    pub const fn standard<G: CountedPieces<N>>() -> Self {
        let mut weights = [0; N];
        let mut kind = 0;
        while kind < N {
            weights[kind] = G::KINDS[kind].1 as i32;
            kind += 1;
        }
        Material { weights }
    }
}

/// The largest absolute weight.
pub fn largest(weights: &[i64]) -> i64 {
    weights.iter().map(|weight| weight.abs()).max().unwrap_or(0)
}

impl<G: CountedPieces<N>, const N: usize> Evaluator<G> for Material<N> {
    #[inline]
    fn evaluate(&self, _game: &G, state: &G::State) -> i32 {
        let [first, second] = G::pieces(state);
        let lead = difference(first, second);
        lead.iter().zip(self.weights).map(|(count, weight)| count * weight).sum()
    }

    #[inline]
    fn counts_pieces(&self) -> bool {
        true
    }

    fn range(&self, _game: &G) -> Option<(i32, i32)> {
        let most = G::MOST * self.weights.iter().map(|weight| weight.abs()).max().unwrap_or(0);
        Some((-most, most))
    }
}
