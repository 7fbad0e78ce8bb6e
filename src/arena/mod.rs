//! From an experiment to results: schedule, workers, journal and tally.
//!
//! The schedule is a pure function of the game's number, workers play in any order,
//! and the journal puts the rows back in order before anybody counts them.

mod again;
mod calibrate;
mod events;
mod histogram;
mod journal;
mod manifest;
mod probe;
mod results;
mod row;
mod run;
mod schedule;
mod tally;

pub use again::Repeated;
pub use calibrate::{Calibration, calibrate};
pub use events::{Observer, Progress, Silent};
pub use histogram::TimeHistogram;
pub use journal::JournalError;
pub use manifest::{FORMAT_VERSION, Machine, Manifest, Status};
pub use probe::{Repeats, probe};
pub use results::{Begin, Folder, FolderError};
pub use row::{COLUMNS, Row, RowError, Rows};
pub use run::{RunError, Runner};
pub use schedule::{Pairing, Schedule};
pub use tally::{AgentTally, PairingTally, Tally};
