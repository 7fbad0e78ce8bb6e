//! A Connect Four solver: exact scores and win, draw or loss, without an opening book.
//!
//! The solver does not depend on the type of the game. A game passes its positions as [`BoardStones`]
//! and its size as a [`BoardSize`].

mod bitboard_geometry;
mod board_size_and_stones;
mod canonical_key;
mod child_list;
mod child_ordering;
mod connect4_exact_values;
mod connect4_solver;
mod expand_children;
mod forced_play;
mod null_window_search;
mod ordering_weights;
mod score_book;
mod score_search;
mod score_table;
mod simd_level;
mod simd_words;
mod strategy_proof;

pub use board_size_and_stones::{BoardSize, BoardStones};
#[doc(hidden)]
pub use child_ordering::{FEATURES, WeightSets};
pub(super) use connect4_exact_values::solver_or_reason;
pub use connect4_solver::{MoveScore, ScoredPosition, Solver, WinDrawLoss};
#[doc(hidden)]
pub use ordering_weights::WEIGHTS;
pub(crate) use score_book::MOST_PLIES;
pub use score_book::ScoreBook;
pub use simd_level::Level;
