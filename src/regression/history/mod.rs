//! The history of gates: one line for each gate in a CSV file.
//!
//! `history_line` is what a gate leaves, `history_csv` the file.

mod history_csv;
mod history_line;

pub use history_csv::HistoryCsv;
pub use history_line::{GateSideName, HistoryLine};
