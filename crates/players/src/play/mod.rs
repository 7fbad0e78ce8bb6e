//! Type-erased games, the registry, and all code that plays games.
//!
//! The layers below are generic over the game. The layers above use [`AnyGame`].

mod adjudication;
mod agent_text_session;
mod agents_of_each_worker;
mod any_game;
mod erased_game;
mod exact;
mod game_in_progress;
mod game_record;
mod game_registry;
mod interactive_game;
mod luck;
mod move_numbers;
mod moves_as_text;
mod opening_of_each_game;
mod openings;
mod pgn;
mod random_choices;
mod random_streams;
mod referee;
mod replay_positions;
mod verify_record;

pub use adjudication::{ADJUDICATED_DRAW, ADJUDICATED_WIN};
pub use adjudication::{Adjudication, DrawRule, MaterialRule, ResignRule};
pub use agent_text_session::{ChosenMove, Seed, TextSession};
pub use agents_of_each_worker::{Lineup, LineupWorker, Setup, SetupError};
pub use any_game::{AnyGame, AnyMove, AnyState};
pub use exact::grade_moves::{GradeScale, GradedMove, Grader};
pub use exact::solve_any_game::{PositionSolver, SolvedMove, SolvedPosition};
pub use exact::visited_leaves_of_tree::short_number;
pub use exact::visited_leaves_of_tree::{LeafVisits, TreeReport};
pub use game_record::{GameRecord, GameSpec, MoveRecord, Outcome, SideRecord};
pub use game_registry::{GameEntry, Registry};
pub use interactive_game::{
    Advice, AgentAnswer, Choice, GameEnd, InteractiveError, InteractiveGame, InteractiveSetup,
};
pub use luck::ask_agents_again::ChoiceReader;
pub use luck::fit_luck::ValueReader;
pub use luck::measure_luck::{LuckMeter, LuckSettings, Roll};
pub use moves_as_text::{MoveEvent, MoveTexts};
pub use openings::make_openings::{Openings, OpeningsError};
pub use openings::read_openings::{OpeningError, OpeningRule, OpeningSource, ReadOpening};
pub use pgn::pgn_movetext::PgnMoves;
pub use pgn::pgn_reader::{PgnError, PgnGame, PgnReader};
pub use random_choices::RandomChoices;
pub use random_streams::{StreamRole, first_bits, stream};
pub use replay_positions::Frame;
pub use verify_record::Claim;
