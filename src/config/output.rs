//! `[output]`: what is written besides the tables.

use crate::params::{Param, Value, Values};

/// The keys of the section.
pub(super) fn params() -> Vec<Param> {
    vec![Param::bool(
        "moves",
        false,
        "whether to write moves.csv: a row per move with its nodes, depth, value and time",
    )]
}

/// Whether moves are written down one by one.
pub(super) fn from_values(values: &Values) -> bool {
    values.bool("moves").unwrap_or(false)
}

pub(super) fn to_values(moves: bool) -> Values {
    let mut values = Values::default();
    values.set("moves", Value::Bool(moves));
    values
}
