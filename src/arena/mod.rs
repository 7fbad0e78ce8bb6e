//! From an experiment to results: schedule, workers, journal and tally.
//!
//! The schedule is a pure function of the game's number, workers play in any order,
//! and the journal puts the rows back in order before anybody counts them.

mod again;
mod ahead;
mod begin;
mod calibrate;
mod chronicle;
mod duplicates;
mod events;
mod grade;
mod grades;
mod histogram;
mod journal;
mod keeper;
mod lock;
mod looked;
mod manifest;
mod memory;
mod mend;
mod merge;
mod moves;
mod pgn;
mod picks;
pub mod pin;
mod probe;
mod results;
mod resume;
mod row;
mod run;
mod sample;
mod schedule;
mod shard;
mod tally;
mod votes;

pub use again::Repeated;
pub use ahead::{Ahead, Finished, FinishedGames, read as read_ahead};
pub use begin::{Begin, Opening};
pub use calibrate::{Calibration, calibrate};
pub use chronicle::{Chronicle, Lengths, Point};
pub(crate) use duplicates::Duplicates;
pub use events::{Observer, Progress, Silent};
pub use grade::{GradeError, Graded, GradingPass};
pub use grades::{Grades, SideGrades};
pub use histogram::TimeHistogram;
pub use journal::{JournalError, Outputs};
pub use keeper::Keeper;
pub use lock::FolderLock;
pub use looked::Looked;
pub use manifest::{FORMAT_VERSION, GradingRecord, Machine, Manifest, Status};
pub use memory::{Demand, available_memory};
pub use merge::{MergeError, Merged, Parts, merge, ranges};
pub use moves::{Costs, MOVE_COLUMNS, MoveRow};
pub use pgn::PGN;
pub use picks::{Interest, Kept, Picks};
pub use probe::{Repeats, probe};
pub use results::{Folder, FolderError};
pub use row::{COLUMNS, Row, RowError, Rows, header};
pub use run::{Rest, RunError, Runner};
pub use sample::Sample;
pub use schedule::{Pairing, Schedule};
pub use shard::{Place, Shard};
pub use tally::{AgentTally, PairingTally, Tally};
