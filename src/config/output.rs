//! `[output]`: what is written besides the tables.

use crate::params::{Param, Value, Values};

/// The keys of the section.
pub(super) fn params() -> Vec<Param> {
    let moves = "whether to write moves.csv: a row per move with its nodes, depth, value and time";
    let report = "whether to write report.html: charts, and a board to replay games";
    vec![Param::bool("moves", false, moves), Param::bool("report", true, report)]
}

/// What is written besides the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Output {
    /// Whether every move gets a row in `moves.csv`.
    pub moves: bool,
    /// Whether the run ends with `report.html`.
    pub report: bool,
}

impl Output {
    pub(super) fn from_values(values: &Values) -> Output {
        let get = |key, default| values.bool(key).unwrap_or(default);
        Output { moves: get("moves", false), report: get("report", true) }
    }

    pub(super) fn to_values(self) -> Values {
        let mut values = Values::default();
        values.set("moves", Value::Bool(self.moves));
        values.set("report", Value::Bool(self.report));
        values
    }
}
