//! Searches, generic over the game and the evaluator.
//!
//! Values are from the first player's point of view: the first player maximises, the second
//! minimises, chance averages. [`Minimax`] is the reference for searches against a perfect
//! opponent: each of them returns its value. [`Expectimax`] is the reference for searches with
//! chance and imperfect opponents. [`Mcts`] samples instead.

mod alphabeta;
mod expectimax;
mod iterative_deepening;
mod leaves;
mod mcts;
mod move_ordering;
mod opponent_model;
mod plain_minimax;
mod quiescence_definition;
mod recorded_search;
mod repetition_history;
mod search_limits;
mod search_result;
mod transposition_table;
mod utility_function;

pub use alphabeta::table_fits;
pub use alphabeta::{AlphaBeta, AlphaBetaOptions};
pub use expectimax::{Expectimax, Pruning, StarExpectimax, StarOptions};
pub use leaves::win_distance;
pub use leaves::{Leaves, Terminal, WIN, is_win};
pub use mcts::tree_fits;
pub use mcts::{Mcts, MctsOptions};
pub use move_ordering::Ordering;
pub use opponent_model::Opponent;
pub use plain_minimax::Minimax;
pub use quiescence_definition::QUIESCENCE_PLIES;
pub use recorded_search::{
    AlphaBetaWindow, Bound, OutcomeWeight, RecordedAlgorithm, RecordedLimits, RecordedNode,
    RecordedSearch, RecordedStep, RecordedValue, StepKind, record_search,
};
pub use search_limits::MAX_DEPTH;
pub use search_limits::{Limits, StopSwitch};
pub use search_result::{SearchResult, SearchStats};
pub use utility_function::Utility;
