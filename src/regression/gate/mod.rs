//! Plays the same games with two sides: is the candidate slower than the baseline?
//!
//! `gate_side` says what a side is and how it plays a slice of the games. `slice_cost` runs the
//! processes of both sides and measures each. `play_interleaved` plays slices with both sides at the same time,
//! until the question of the time is decided. `slices_csv` keeps what was measured.

mod gate_side;
mod play_interleaved;
mod slice_cost;
mod slices_csv;

pub use gate_side::{GateSide, NamedSide, SideKind};
pub use play_interleaved::{GateError, GateEvent, GatePlan, play_interleaved};
pub use slices_csv::SlicesCsv;
