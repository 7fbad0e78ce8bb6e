//! Searches, generic over the game and the evaluator.
//!
//! Values are from the first player's point of view: the first player maximises, the second
//! minimises, chance averages. [`Minimax`] is the reference for searches against a perfect
//! opponent: each of them returns its value. [`Expectimax`] is the reference for searches with
//! chance and imperfect opponents. [`Mcts`] samples instead. [`FullSearch`] visits every position
//! of a small game.

mod alphabeta;
mod answer;
mod counters;
mod expectimax;
mod full;
mod limits;
mod mcts;
mod minimax;
mod opponent;
mod ordering;
mod past;
mod quiet;
mod root;
mod table;
mod utility;
mod value;

pub use alphabeta::{AlphaBeta, Options, table_fits};
pub use answer::Answer;
pub use counters::SearchStats;
pub use expectimax::{Expectimax, Pruning, StarExpectimax, StarOptions};
pub use full::FullSearch;
pub use limits::{Limits, MAX_DEPTH, Stop};
pub use mcts::{Mcts, Options as MctsOptions, tree_fits};
pub use minimax::Minimax;
pub use opponent::Opponent;
pub use ordering::Ordering;
pub use quiet::QUIESCENCE_PLIES;
pub use utility::Utility;
pub use value::{INFINITY, Leaves, Terminal, WIN, is_win, win_distance};
