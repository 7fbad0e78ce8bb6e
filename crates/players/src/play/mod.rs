//! Type-erased games, the registry, and all code that plays games.
//!
//! The layers below are generic over the game. The layers above use [`AnyGame`].

mod adjudication;
mod agent_text_session;
mod any_game;
mod erased_game;
mod exact;
mod game_in_progress;
mod game_record;
mod game_registry;
mod game_transcript;
mod interactive_game;
mod lineup;
mod luck;
mod move_numbers;
mod moves_as_text;
mod opening_book;
mod openings;
mod pgn;
mod random_choices;
mod random_streams;
mod referee;
mod refereed;
mod replay_positions;
mod verify_record;

pub use crate::rules_program::RulesFailure;
pub use adjudication::{ADJUDICATED_DRAW, ADJUDICATED_WIN};
pub use adjudication::{Adjudication, DrawRule, MaterialRule, ResignRule, SyzygyRule};
pub use agent_text_session::{ChosenMove, Seed, TextSession};
pub use any_game::{AnyGame, AnyMove, AnyState};
pub use exact::grader::{GradeScale, GradedMove, Grader};
pub use exact::leaf_visits::short_number;
pub use exact::leaf_visits::{LeafVisits, TreeReport};
pub use exact::position_solver::{PositionSolver, SolvedMove, SolvedPosition};
pub use game_record::{GameRecord, GameSpec, MoveRecord, Outcome, SideRecord};
pub use game_registry::{GameEntry, Registry};
pub use interactive_game::{
    Advice, AgentAnswer, Choice, GameEnd, InteractiveError, InteractiveGame, InteractiveSetup,
};
pub use lineup::{Lineup, LineupWorker, Setup, SetupError};
pub use luck::choice_reader::ChoiceReader;
pub use luck::luck_meter::{LuckMeter, LuckSettings, Roll};
pub use luck::value_reader::ValueReader;
pub use moves_as_text::{MoveEvent, MoveTexts};
pub use openings::make_openings::{Openings, OpeningsError};
pub use openings::read_openings::{OpeningError, OpeningRule, OpeningSource, ReadOpening};
pub use pgn::pgn_moves::PgnMoves;
pub use pgn::pgn_reader::{PgnError, PgnGame, PgnReader};
pub use random_choices::RandomChoices;
pub use random_streams::{StreamRole, first_bits, stream};
pub use refereed::REFEREE_LOG;
pub use replay_positions::Frame;
pub use verify_record::Claim;
