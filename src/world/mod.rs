//! Type-erased games, the registry, and all code that plays games.
//!
//! The layers below are generic over the game. The layers above use [`AnyGame`].

mod adjudication;
mod any_game;
mod erased;
mod erased_agent;
mod erased_solver;
mod game_match;
mod grade;
mod interactive;
mod lineup;
mod openings;
mod pgn;
mod record;
mod referee;
mod registry;
mod replay;
mod session;
mod solve;
mod streams;
mod texts;
mod transcript;
mod verify;
mod visits;

pub use adjudication::{
    ADJUDICATED_DRAW, ADJUDICATED_WIN, Adjudication, DrawRule, MaterialRule, ResignRule,
};
pub use any_game::{AnyGame, AnyMove, AnyState};
pub use grade::{GradedMove, Grader, Scale};
pub use interactive::{
    Advice, Answer, Ending, InteractiveError, InteractiveGame, InteractiveSetup,
};
pub use lineup::{Lineup, Setup, SetupError, Worker};
pub use openings::{Openings, OpeningsError};
pub use pgn::{PgnGame, PgnReader};
pub use record::{GameRecord, GameSpec, MoveRecord, Outcome, SideRecord};
pub use registry::{GameEntry, Registry};
pub use replay::Frame;
pub use session::{Choice, Seed, Session};
pub use solve::{PositionSolver, Solved, SolvedMove};
pub use streams::{Role, stream};
pub use texts::{MoveEvent, MoveTexts};
pub use transcript::Transcript;
pub use verify::Claim;
pub use visits::{TreeReport, Visit, in_short};
