//! How an expectimax search works, apart from how long.

use super::super::opponent::Opponent;
use super::super::utility::Utility;
use super::super::value::Terminal;

crate::choice! {
    /// What is left out of the tree.
    #[derive(Default)]
    pub enum Pruning {
        /// Nothing.
        None = "none",
        /// What cannot matter by the bounds of all values.
        Star1 = "star1",
        /// The same, after a look at one move behind every outcome.
        #[default]
        Star2 = "star2",
    }
}

/// How an expectimax search works, apart from how long.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StarOptions {
    /// How positions that have ended are valued.
    pub terminal: Terminal,
    /// How the other side chooses.
    pub opponent: Opponent,
    /// What values are worth to the side that searches.
    pub utility: Utility,
    /// What is left out of the tree.
    pub pruning: Pruning,
    /// Megabytes (2^20 bytes) of the transposition table; 0 is none.
    pub table_mb: usize,
}
