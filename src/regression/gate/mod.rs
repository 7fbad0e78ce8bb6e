//! Plays the same games with two sides in turns: is the candidate slower than the baseline?
//!
//! `gate_side` says what a side is and how it plays a slice of the games. `slice_cost` plays one
//! slice in a process of its own and measures it. `play_in_turns` plays slices in random order until
//! the question of the time is decided. `slices_csv` keeps what was measured.

mod gate_side;
mod play_in_turns;
mod slice_cost;
mod slices_csv;

pub use gate_side::{GateSide, NamedSide, SideKind};
pub use play_in_turns::{GateError, GatePlan, TurnEvent, play_in_turns};
pub use slices_csv::SlicesCsv;
