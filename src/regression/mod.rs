//! Regression checks: comparison of two runs, and a benchmark with fixed work for every agent.

mod bench;
mod benchmark_json;
mod compare;
mod gate;
mod history;

pub use bench::{Passes, Signature, measure};
pub use compare::{
    ChangeLimits, CompareError, Comparison, CompletedRun, GateVerdict, Metric, TIME_CONFIDENCE,
    check_comparable,
};
pub use gate::{
    GateError, GatePlan, GateSide, NamedSide, SideKind, SlicesCsv, TurnEvent, play_in_turns,
};
pub use history::{
    GateSideName, HistoryCsv, HistoryError, HistoryLine, figures_over_time, read_history,
};
