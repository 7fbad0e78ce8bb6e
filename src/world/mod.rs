//! Type erasure at the game's boundary: the registry, and one game refereed.
//!
//! Below this floor everything is generic over the game; above it nobody knows which
//! game is played. The step up costs one virtual call per game, not per move.

mod field;
mod grade;
mod openings;
mod record;
mod referee;
mod registry;
mod replay;
mod solve;
mod streams;
mod visits;

pub use field::{Field, MoveTexts, Setup, SetupError, Table, World};
pub use grade::{GradedMove, Grader, Scale};
pub use openings::{Openings, OpeningsError};
pub use record::{GameRecord, GameSpec, MoveRecord, Outcome, SideRecord};
pub use registry::{GameEntry, Registry};
pub use replay::Frame;
#[cfg(test)]
pub(crate) use replay::replay;
pub use solve::{PositionSolver, Solved, SolvedMove};
pub use streams::{Role, stream};
pub use visits::{TreeReport, Visit, in_short};
