//! How a Monte Carlo tree search works, apart from how long.

/// How a tree search works, apart from how long.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The weight `c` of `sqrt(ln N / n)` against means from 0 to 1; at least 0.
    pub exploration: f64,
    /// Megabytes (2^20 bytes) of the tree, at least 1.
    pub tree_mb: usize,
    /// Plies of a playout before the evaluator decides it: whom it favours wins, or its value
    /// is the score. If not given, 1000 in games without a bound on their length.
    pub playout_plies: Option<u32>,
    /// Whether a search begins with the part of the tree that is still to come in the same
    /// game. Half of the memory is then for moving house.
    pub reuse: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { exploration: 1.4, tree_mb: 64, playout_plies: None, reuse: false }
    }
}
