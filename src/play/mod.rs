//! Type-erased games, the registry, and all code that plays games.
//!
//! The layers below are generic over the game. The layers above use [`AnyGame`].

mod adjudication;
mod any_game;
mod erased;
mod erased_agent;
mod erased_game;
mod erased_solver;
mod exact_values;
mod game_match;
mod game_record;
mod grade_moves;
mod interactive;
mod lineup;
mod move_texts;
mod opening_book;
mod openings;
mod pgn_moves;
mod pgn_reader;
mod random_streams;
mod referee;
mod registry;
mod replay;
mod text_session;
mod tree_visits;
mod verify_record;

pub use adjudication::{
    ADJUDICATED_DRAW, ADJUDICATED_WIN, Adjudication, DrawRule, MaterialRule, ResignRule,
};
pub use any_game::{AnyGame, AnyMove, AnyState};
pub use exact_values::{PositionSolver, SolvedMove, SolvedPosition};
pub use game_record::{GameRecord, GameSpec, MoveRecord, Outcome, SideRecord};
pub use grade_moves::{GradeScale, GradedMove, Grader};
pub use interactive::{
    Advice, AgentAnswer, GameEnd, InteractiveError, InteractiveGame, InteractiveSetup,
};
pub use lineup::{Lineup, LineupWorker, Setup, SetupError};
pub use move_texts::{MoveEvent, MoveTexts};
pub use openings::{Openings, OpeningsError};
pub use pgn_moves::PgnMoves;
pub use pgn_reader::{PgnGame, PgnReader};
pub use random_streams::{StreamRole, stream};
pub use registry::{GameEntry, Registry};
pub use replay::Frame;
pub use text_session::{ChosenMove, Seed, TextSession};
pub use tree_visits::{LeafVisits, TreeReport, short_number};
pub use verify_record::Claim;
