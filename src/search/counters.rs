//! What a search counts while it thinks.

/// Counters of one search; nobody prints from inside.
///
/// A node is a position that the search enters, the root included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SearchStats {
    /// Positions entered, the root included.
    pub nodes: u64,
    /// Positions valued without looking further: ends and horizon.
    pub leaves: u64,
    /// Plies of look-ahead that were completed.
    pub depth: u32,
    /// The deepest ply reached, quiescence included.
    pub selective_depth: u32,
    /// Look-ups in the transposition table.
    pub probes: u64,
    /// Look-ups that found the position.
    pub hits: u64,
    /// Nodes left early because a bound was met.
    pub cutoffs: u64,
    /// Cut-offs that came with the first move tried.
    pub first_cutoffs: u64,
}

impl SearchStats {
    /// Counts a node that is left early, and whether its first move led to that.
    #[inline(always)]
    pub(super) fn count_cutoff(&mut self, first: bool) {
        self.cutoffs += 1;
        self.first_cutoffs += u64::from(first);
    }
}
