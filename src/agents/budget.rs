//! How long a searching agent may think, as the config says it.

use std::time::Duration;

use super::settings;
use crate::games::Game;
use crate::params::{Param, ParamError, Values};
use crate::search::Limits;

/// The largest table or tree that can be asked for, in megabytes.
pub(super) const MAX_MB: i64 = 65_536;

/// The parameter `nodes`.
pub(super) fn nodes_param(help: &'static str) -> Param {
    Param::int("nodes", 1, 1_000_000_000_000_000, 1, help).optional()
}

/// The parameter `movetime`.
pub(super) fn movetime_param(help: &'static str) -> Param {
    Param::int("movetime", 0, 86_400_000, 0, help).optional()
}

/// The parameters of a search that goes deeper and deeper.
pub(super) fn deepening() -> [Param; 3] {
    [
        settings::depth_param().optional(),
        nodes_param("positions that it may enter for one move, deepening as far as they last"),
        movetime_param("milliseconds for one move, deepening as far as they last; games then vary"),
    ]
}

/// The budget of a move without a look at the depth.
pub(super) fn shallow(values: &Values) -> Limits {
    let nodes = settings::unsigned(values, "nodes");
    let movetime = settings::unsigned(values, "movetime").map(Duration::from_millis);
    Limits { nodes, movetime, ..Limits::default() }
}

/// The budget of a move: at least one limit must be given.
///
/// # Errors
/// If none is, or the depth is out of range.
pub(super) fn limits<G: Game>(
    game: &G,
    values: &Values,
    agent: &str,
) -> Result<Limits, ParamError> {
    let depth = match values.get("depth") {
        Some(_) => Some(settings::depth(game, values)?),
        None => None,
    };
    let limits = Limits { depth, ..shallow(values) };
    if limits == Limits::default() {
        return Err(ParamError::at(
            "depth",
            format!("`{agent}` needs to know when to stop"),
            "give `depth`, `nodes` or `movetime`, or several of them",
        ));
    }
    Ok(limits)
}

/// The parameter `table_mb`.
pub(super) fn table_param() -> Param {
    Param::int("table_mb", 0, MAX_MB, 16, "megabytes of transposition table; 0 is none")
}

/// The size of the table in megabytes; none where nobody says.
///
/// # Errors
/// If the machine would not give as much.
pub(super) fn table_mb(values: &Values) -> Result<usize, ParamError> {
    let table_mb = settings::unsigned(values, "table_mb").unwrap_or(0) as usize;
    if !crate::search::table_fits(table_mb) {
        return Err(ParamError::at(
            "table_mb",
            format!("there is no memory for a table of {table_mb} MB"),
            "each worker has a table of its own; take a smaller one",
        ));
    }
    Ok(table_mb)
}
