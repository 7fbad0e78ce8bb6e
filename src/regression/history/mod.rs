//! The history of gates: one line for each gate in a CSV file.
//!
//! `history_line` is what a gate leaves, `history_csv` the file. `figures_over_time` finds the changes of each
//! figure.

mod figures_over_time;
mod history_csv;
mod history_line;

pub use figures_over_time::figures_over_time;
pub use history_csv::{HistoryCsv, read_history};
pub use history_line::{GateSideName, HistoryLine};
