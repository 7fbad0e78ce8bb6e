//! Searches, generic over the game and the evaluator.
//!
//! Values are from the first player's point of view: the first player maximises, the second
//! minimises, chance averages. [`Minimax`] is the reference for searches against a perfect
//! opponent: each of them returns its value. [`Expectimax`] is the reference for searches with
//! chance and imperfect opponents. [`Mcts`] samples instead. [`FullSearch`] visits every position
//! of a small game.

mod alphabeta;
mod counters;
mod expectimax;
mod full_search;
mod limits;
mod mcts;
mod minimax;
mod move_ordering;
mod opponent;
mod quiescence_value;
mod repetition_history;
mod root_driver;
mod search_result;
mod static_value;
mod transposition;
mod utility;

pub use alphabeta::{AlphaBeta, AlphaBetaOptions, table_fits};
pub use counters::SearchStats;
pub use expectimax::{Expectimax, Pruning, StarExpectimax, StarOptions};
pub use full_search::FullSearch;
pub use limits::{Limits, MAX_DEPTH, StopSwitch};
pub use mcts::{Mcts, MctsOptions, tree_fits};
pub use minimax::Minimax;
pub use move_ordering::Ordering;
pub use opponent::Opponent;
pub use quiescence_value::QUIESCENCE_PLIES;
pub use search_result::SearchResult;
pub use static_value::{INFINITY, Leaves, Terminal, WIN, is_win, win_distance};
pub use utility::Utility;
