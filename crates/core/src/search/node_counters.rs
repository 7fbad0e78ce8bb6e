//! Counters of a search.

/// Counters of one search. Searches themselves print nothing.
///
/// A node is a position that the search enters, the root included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SearchStats {
    /// Positions entered, the root included.
    pub nodes: u64,
    /// Positions valued without further search: ends and horizon.
    pub leaves: u64,
    /// The completed search depth in plies.
    pub depth: u32,
    /// The largest ply reached, quiescence included.
    pub selective_depth: u32,
    /// Look-ups in the transposition table.
    pub probes: u64,
    /// Look-ups that found the position.
    pub hits: u64,
    /// Cut-offs: nodes left early because of a bound.
    pub cutoffs: u64,
    /// Cut-offs by the first move tried.
    pub first_cutoffs: u64,
}

impl SearchStats {
    /// Counts a cut-off, and whether the first move caused it.
    #[inline(always)]
    pub(super) fn count_cutoff(&mut self, first: bool) {
        self.cutoffs += 1;
        self.first_cutoffs += u64::from(first);
    }
}
