//! Options of Monte Carlo tree searches, except limits.

/// Options of a Monte Carlo tree search, except limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MctsOptions {
    /// UCT exploration constant: the factor `c` of `sqrt(ln N / n)`, for means from 0 to 1; at
    /// least 0.
    pub exploration: f64,
    /// RAVE: the simulations of a move after which its own mean counts as much as the mean of all
    /// simulations in which its player played it later; 0 for plain UCT. Only in games with
    /// [numbered moves](crate::games::SearchHints::amaf_moves).
    pub rave: f64,
    /// Size of the tree in megabytes (2^20 bytes), at least 1.
    pub tree_mb: usize,
    /// Maximum plies of a playout. Then the evaluator decides: the side it favours wins, or its
    /// value is the score. Default: 1000 in games without a bound on their length.
    pub playout_plies: Option<u32>,
    /// Whether a search reuses the part of the last tree that is still reachable in the same game.
    /// Half of the memory is then reserved for the copy.
    pub reuse: bool,
}

impl Default for MctsOptions {
    fn default() -> Self {
        MctsOptions { exploration: 1.4, rave: 0.0, tree_mb: 64, playout_plies: None, reuse: false }
    }
}
