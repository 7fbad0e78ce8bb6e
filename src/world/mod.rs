//! Type erasure at the game's boundary: the registry, and one game refereed.
//!
//! Below this floor everything is generic over the game; above it nobody knows which
//! game is played. The step up costs one virtual call per game, not per move.

mod adjudication;
mod field;
mod grade;
mod live;
mod openings;
mod pgn;
mod record;
mod referee;
mod registry;
mod replay;
mod session;
mod solve;
mod streams;
mod transcript;
mod verify;
mod visits;

pub use adjudication::{
    ADJUDICATED_DRAW, ADJUDICATED_WIN, Adjudication, DrawRule, MaterialRule, ResignRule,
};
pub use field::{Field, MoveTexts, Seen, Setup, SetupError, Table, World};
pub use grade::{GradedMove, Grader, Scale};
pub use live::{Advice, Answer, Ending, Live, LiveError, LiveSetup};
pub use openings::{Openings, OpeningsError};
pub use pgn::{PgnGame, PgnReader};
pub use record::{GameRecord, GameSpec, MoveRecord, Outcome, SideRecord};
pub use registry::{GameEntry, Registry};
pub use replay::Frame;
#[cfg(test)]
pub(crate) use replay::replay;
pub use session::{Choice, Seed, Session};
pub use solve::{PositionSolver, Solved, SolvedMove};
pub use streams::{Role, stream};
pub use transcript::Transcript;
pub use verify::Claim;
pub use visits::{TreeReport, Visit, in_short};
