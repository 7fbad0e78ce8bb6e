//! Regression checks: comparison of two runs, and a benchmark with fixed work for every agent.

mod bench;
mod benchmark_json;
mod compare;
mod gate;
mod history;
mod usage_error;

pub use bench::{Passes, Signature, measure};
pub use compare::{
    ChangeLimits, Comparison, CompletedRun, GateVerdict, Metric, TIME_CONFIDENCE, check_comparable,
};
pub use gate::{
    GateError, GateEvent, GatePlan, GateSide, NamedSide, SideKind, SlicesCsv, play_interleaved,
};
pub use history::{GateSideName, HistoryCsv, HistoryLine, figures_over_time, read_history};
pub use usage_error::UsageError;
