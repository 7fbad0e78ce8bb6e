//! `[output]`: what is written besides the tables, and how surely.

use std::time::Duration;

use crate::params::{Param, Value, Values};

/// How surely results are kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Saving {
    /// Seconds between two syncs of what was written; 0: as often as the machine can.
    pub sync_seconds: f64,
    /// Seconds that games may take to end once a run is asked to stop.
    pub grace_seconds: f64,
}

impl Default for Saving {
    fn default() -> Self {
        Saving { sync_seconds: 1.0, grace_seconds: 10.0 }
    }
}

impl Saving {
    /// Time between two syncs.
    pub fn sync(&self) -> Duration {
        Duration::from_secs_f64(self.sync_seconds)
    }

    /// Time that games may take to end.
    pub fn grace(&self) -> Duration {
        Duration::from_secs_f64(self.grace_seconds)
    }
}

/// The keys of the section.
pub(super) fn params() -> Vec<Param> {
    let Saving { sync_seconds, grace_seconds } = Saving::default();
    vec![
        Param::bool(
            "moves",
            false,
            "whether to write moves.csv: a row per move with its nodes, depth, value and time",
        ),
        Param::float(
            "sync_seconds",
            0.0,
            3600.0,
            sync_seconds,
            "seconds between two syncs to the disk: no more is lost when the power fails",
        ),
        Param::float(
            "grace_seconds",
            0.0,
            86_400.0,
            grace_seconds,
            "seconds that running games may take to end after Ctrl-C or SIGTERM",
        ),
    ]
}

/// Whether moves are written down one by one.
pub(super) fn from_values(values: &Values) -> bool {
    values.bool("moves").unwrap_or(false)
}

/// How surely results are kept.
pub(super) fn saving(values: &Values) -> Saving {
    let default = Saving::default();
    Saving {
        sync_seconds: values.float("sync_seconds").unwrap_or(default.sync_seconds),
        grace_seconds: values.float("grace_seconds").unwrap_or(default.grace_seconds),
    }
}

pub(super) fn to_values(moves: bool, saving: &Saving) -> Values {
    let mut values = Values::default();
    values.set("moves", Value::Bool(moves));
    values.set("sync_seconds", Value::Float(saving.sync_seconds));
    values.set("grace_seconds", Value::Float(saving.grace_seconds));
    values
}
