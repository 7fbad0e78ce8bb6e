//! Options of alpha-beta searches, except limits.

use super::super::leaves::Terminal;
use super::super::move_ordering::Ordering;
use super::super::search_limits::Limits;

/// Options of an alpha-beta search, except limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlphaBetaOptions {
    /// The valuation of finished positions.
    pub terminal: Terminal,
    pub ordering: Ordering,
    /// With full ordering: try the last two moves that caused a cut-off at the same ply.
    pub killers: bool,
    /// With full ordering: sort by the cut-offs that moves caused elsewhere.
    pub history: bool,
    /// Size of the transposition table in megabytes (2^20 bytes); 0 for no table.
    pub table_mb: usize,
    /// Whether to use immediate wins and forced replies without search. Requires a game that
    /// reports them (`SearchHints::threat`) and ends valued by outcome.
    pub forced_moves: bool,
    /// Whether to search moves after the first with a null window, and again if they are better
    /// (principal variation search).
    pub pvs: bool,
    /// Half the width of the aspiration window around the value of the last depth; 0 for no window.
    pub aspiration: i32,
    /// Late move reductions: whether late moves are first searched less deeply. May change values.
    pub lmr: bool,
    /// Whether to follow noisy moves beyond the horizon (quiescence search).
    pub quiescence: bool,
    /// Null-move pruning: whether to leave a node if a shallower search keeps the bound even after
    /// a pass (`SearchHints::pass`). May change values.
    pub null_move: bool,
}

impl AlphaBetaOptions {
    /// Only the window: the textbook algorithm, with node counts comparable to the literature.
    pub const PLAIN: AlphaBetaOptions = AlphaBetaOptions {
        terminal: Terminal::Outcome,
        ordering: Ordering::None,
        killers: false,
        history: false,
        table_mb: 0,
        forced_moves: false,
        pvs: false,
        aspiration: 0,
        lmr: false,
        quiescence: false,
        null_move: false,
    };

    /// Every exact option that saves time, except the table, whose size is the caller's choice.
    pub const FULL: AlphaBetaOptions = AlphaBetaOptions {
        ordering: Ordering::Full,
        killers: true,
        history: true,
        forced_moves: true,
        pvs: true,
        ..AlphaBetaOptions::PLAIN
    };

    /// Whether a search to a depth with these options needs only the plain loop.
    pub(super) fn are_plain(self, limits: &Limits) -> bool {
        let AlphaBetaOptions { terminal, quiescence, .. } = self;
        self == AlphaBetaOptions { terminal, quiescence, ..AlphaBetaOptions::PLAIN }
            && limits.depth.is_some()
            && !limits.interrupts()
    }
}

impl Default for AlphaBetaOptions {
    fn default() -> Self {
        AlphaBetaOptions::FULL
    }
}
