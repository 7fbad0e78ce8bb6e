//! Type erasure at the game's boundary: the registry, and one game refereed.
//!
//! Below this floor everything is generic over the game; above it nobody knows which
//! game is played. The step up costs one virtual call per game, not per move.

mod field;
mod grade;
mod live;
mod openings;
mod record;
mod referee;
mod registry;
mod solve;
mod streams;
mod visits;

pub use field::{Field, MoveTexts, Seen, Setup, SetupError, Table, World};
pub use grade::{GradedMove, Grader, Scale};
pub use live::{Advice, Answer, Ending, Live, LiveError, LiveSetup};
pub use openings::{Openings, OpeningsError};
pub use record::{GameRecord, GameSpec, MoveRecord, Outcome, SideRecord};
pub use registry::{GameEntry, Registry};
pub use solve::{PositionSolver, Solved, SolvedMove};
pub use streams::{Role, stream};
pub use visits::{TreeReport, Visit, in_short};
