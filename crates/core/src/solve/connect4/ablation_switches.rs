//! Techniques that can be switched off to measure the effect of each.
//!
//! They do not change any value.

use super::child_ordering::OrderingWeights;
use super::ordering_weights::WEIGHTS;

/// The techniques of the search.
#[derive(Clone, Debug)]
pub struct Techniques {
    /// The weights of the features of a move. The first index: whether the player to move gets the
    /// upper cells of each pair by following. The second index: whether the search asks if this
    /// player wins.
    pub weights: [[OrderingWeights; 2]; 2],
    /// Proofs by strategy.
    pub strategy: bool,
    /// Proofs from the absence of lines that can still be completed.
    pub lifeless: bool,
    /// In the table, stones that no longer matter have no colour.
    pub idle: bool,
    /// In the table, a position and its mirror image share one entry.
    pub mirror: bool,
    /// Reads the table for all children before visiting any of them.
    pub siblings: bool,
    /// The table. Without it, `mirror` and `siblings` have no effect.
    pub table: bool,
}

impl Default for Techniques {
    fn default() -> Self {
        Techniques {
            weights: WEIGHTS,
            strategy: true,
            lifeless: true,
            idle: true,
            mirror: true,
            siblings: true,
            table: true,
        }
    }
}
