//! Techniques that can be switched off, to measure what each is worth.
//!
//! No value depends on them.

use super::order::Weights;
use super::weights::WEIGHTS;

/// What the search makes use of.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What the features of a move weigh, by whether the mover gets the upper cells of each
    /// pair by following, then by whether the question is if the mover wins.
    pub weights: [[Weights; 2]; 2],
    /// Proofs by strategy.
    pub strategy: bool,
    /// Proofs by the lack of lines that can still be completed.
    pub lifeless: bool,
    /// Stones that cannot matter any more have no colour in the table.
    pub idle: bool,
    /// A position and its mirror image are one in the table.
    pub mirror: bool,
    /// The table is asked about all children before any is visited.
    pub siblings: bool,
    /// The table, without which the last two do nothing.
    pub table: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
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
