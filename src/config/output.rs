//! `[output]`: what is written besides the tables.

use crate::params::{Param, Value, Values};

/// What is written besides the tables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Output {
    /// Whether `moves.csv` is written: a row per move.
    pub moves: bool,
}

/// The keys of the section.
pub(super) fn params() -> Vec<Param> {
    vec![Param::bool("moves", false, "whether to write moves.csv, a row per move")]
}

impl Output {
    pub(super) fn from_values(values: &Values) -> Self {
        Output { moves: values.bool("moves").unwrap_or(false) }
    }

    pub(super) fn to_values(&self) -> Values {
        let mut values = Values::default();
        values.set("moves", Value::Bool(self.moves));
        values
    }
}
