//! What people read: tables in the terminal and in CSV, all made from a tally.

mod audit;
mod context;
mod correction;
mod cost;
mod csv_files;
mod duel;
mod grading;
mod html;
mod numbers;
mod plan;
mod progress;
mod ranking;
mod rating_notes;
mod replay;
mod seats;
mod sequential;
mod sheet;
mod shorten;
mod summary;
mod table;
mod verdict;
mod warnings;

pub use context::{Context, Ending};
pub use html::{Page, strip};
pub(crate) use numbers::{NONE, elo, fixed, p_value, percent, short, time};
pub use numbers::{counted, grouped};
pub use plan::{Available, DIFFERENCES, Plan, Planned};
pub use progress::{Bar, Lines};
pub use ranking::Ranking;
pub use replay::Replay;
pub use sheet::{Cell, Sheet};
pub use summary::{Heading, Summary};
pub(crate) use table::wrapped;
pub use table::{Format, Table};
pub use verdict::{Judged, Terms, Verdict};
