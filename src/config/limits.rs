//! `[limits]`: the maximum length of games.

use crate::params::{Param, Value, Values};

/// The default number of plies after which a game is adjudicated.
const MAX_PLIES: i64 = 400;

pub(super) fn params() -> Vec<Param> {
    vec![Param::int(
        "max_plies",
        1,
        1_000_000,
        MAX_PLIES,
        "plies after which a game is adjudicated a draw, counted apart",
    )]
}

/// The maximum number of plies.
pub(super) fn from_values(values: &Values) -> u32 {
    values.int("max_plies").unwrap_or(MAX_PLIES) as u32
}

pub(super) fn to_values(max_plies: u32) -> Values {
    let mut values = Values::default();
    values.set("max_plies", Value::Int(i64::from(max_plies)));
    values
}
