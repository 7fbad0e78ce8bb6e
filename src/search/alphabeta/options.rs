//! How an alpha-beta search works, apart from how long.

use super::super::ordering::Ordering;
use super::super::value::Terminal;

/// How an alpha-beta search works, apart from how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How positions that have ended are valued.
    pub terminal: Terminal,
    /// Which moves are tried first.
    pub ordering: Ordering,
    /// With full ordering: try the last two moves that led to a cut-off at the same ply.
    pub killers: bool,
    /// With full ordering: sort by the cut-offs that moves led to elsewhere.
    pub history: bool,
    /// Megabytes (2^20 bytes) of the transposition table; 0 is none.
    pub table_mb: usize,
    /// Whether wins at once and forced replies are seen without search, where the game can
    /// tell (`SearchHints::threat`) and ends are valued by their outcome.
    pub threats: bool,
    /// Whether moves behind the first are only asked if they are better, and searched
    /// again if they are.
    pub pvs: bool,
    /// Half the width of the window around the last depth's value in which the next
    /// depth's value is looked for at first; 0: there is none.
    pub aspiration: i32,
    /// Whether late moves are searched less deeply at first. May change values.
    pub reductions: bool,
    /// Whether noisy moves are followed beyond the horizon.
    pub quiescence: bool,
    /// Whether a node is left where the mover stands so well that even passing
    /// (`SearchHints::pass`) keeps the bound, as a shallower search has it. May change values.
    pub null_move: bool,
}

impl Options {
    /// Nothing but the window: the textbook's algorithm, whose nodes can be compared with
    /// other people's.
    pub const PLAIN: Options = Options {
        terminal: Terminal::Outcome,
        ordering: Ordering::None,
        killers: false,
        history: false,
        table_mb: 0,
        threats: false,
        pvs: false,
        aspiration: 0,
        reductions: false,
        quiescence: false,
        null_move: false,
    };

    /// Everything that is exact and pays, but for the table, whose size is to be chosen.
    pub const FULL: Options = Options {
        ordering: Ordering::Full,
        killers: true,
        history: true,
        threats: true,
        pvs: true,
        ..Options::PLAIN
    };
}

impl Default for Options {
    fn default() -> Self {
        Options::FULL
    }
}
