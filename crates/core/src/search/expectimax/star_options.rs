//! Options of expectimax searches, except limits.

use super::super::leaves::Terminal;
use super::super::opponent_model::Opponent;
use super::super::utility_function::Utility;

crate::choice! {
    /// What is left out of the tree.
    #[derive(Default)]
    pub enum Pruning {
        None = "none",
        /// What cannot matter by the bounds of all values.
        Star1 = "star1",
        /// The same, after a look at one move behind every outcome.
        #[default]
        Star2 = "star2",
    }
}

/// Options of an expectimax search, except limits.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StarOptions {
    /// The valuation of finished positions.
    pub terminal: Terminal,
    /// The model of the opponent.
    pub opponent: Opponent,
    /// The utility of values for the searching side.
    pub utility: Utility,
    pub pruning: Pruning,
    /// Size of the transposition table in megabytes (2^20 bytes); 0 for no table.
    pub table_mb: usize,
}
