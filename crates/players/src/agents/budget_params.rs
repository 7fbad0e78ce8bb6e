//! Search budgets of agents, as the config gives them.

use std::time::Duration;

use crate::params::{Depth, ParamError, milliseconds, work};
use crate::search::{Limits, MAX_DEPTH};

/// The largest table or tree, in megabytes.
pub(super) const MAX_MB: i64 = 65_536;
/// The largest number of positions for one move.
pub(super) const MAX_NODES: i64 = 1_000_000_000_000_000;
/// The longest time for one move, in milliseconds: a day.
pub(super) const MAX_MOVETIME: i64 = 86_400_000;

crate::params! {
    /// The budget of a search that goes deeper and deeper.
    pub(super) struct Deepening {
        /// search depth in plies (1: only the own moves), or in rounds of one move per
        /// player, such as "2r"
        depth: Option<Depth> [MAX_DEPTH] = None,
        /// maximum number of nodes for one move, with iterative deepening
        nodes: Option<u64> [work(1..=MAX_NODES)] = None,
        /// milliseconds for one move, with iterative deepening; games then vary
        movetime: Option<u64> [milliseconds(0..=MAX_MOVETIME)] = None,
    }
}

impl Deepening {
    /// The budget of a move. The config must give at least one limit.
    ///
    /// # Errors
    /// No limit, or a depth out of range.
    pub(super) fn limits(&self, plies_per_round: u32, agent: &str) -> Result<Limits, ParamError> {
        let depth = match self.depth {
            Some(depth) => Some(plies(depth, plies_per_round)?),
            None => None,
        };
        let limits = Limits { depth, ..limits(self.nodes, self.movetime) };
        if limits == Limits::default() {
            return Err(ParamError::at(
                "depth",
                format!("`{agent}` needs to know when to stop"),
                "give `depth`, `nodes` or `movetime`, or several of them",
            ));
        }
        Ok(limits)
    }
}

/// Limits on positions and milliseconds.
pub(super) fn limits(nodes: Option<u64>, movetime: Option<u64>) -> Limits {
    Limits { nodes, movetime: movetime.map(Duration::from_millis), ..Limits::default() }
}

/// A depth in plies.
///
/// # Errors
/// A depth out of range.
pub(super) fn plies(depth: Depth, per_round: u32) -> Result<u32, ParamError> {
    let (plies, help) = match depth {
        Depth::Plies(plies) => {
            let help = format!("1 to {MAX_DEPTH}; 1 looks at the positions after the own moves");
            (u64::from(plies), help)
        }
        Depth::Rounds(rounds) => {
            let each = per_round.max(1);
            let most = MAX_DEPTH / each;
            let help = format!("a round has {each} plies here: at most `\"{most}r\"`");
            (u64::from(rounds) * u64::from(each), help)
        }
    };
    if (1..=u64::from(MAX_DEPTH)).contains(&plies) {
        Ok(plies as u32)
    } else {
        Err(ParamError::at("depth", format!("a depth of {plies} plies is not supported"), help))
    }
}

/// Whether the machine has enough memory for a table of this size in megabytes.
///
/// # Errors
/// Not enough memory.
pub(super) fn check_table(table_mb: usize) -> Result<(), ParamError> {
    if crate::search::table_fits(table_mb) {
        return Ok(());
    }
    Err(ParamError::at(
        "table_mb",
        format!("not enough memory for a table of {table_mb} MB"),
        "each worker has a table of its own; take a smaller one",
    ))
}
