//! Othello: enclose the opponent's discs between your own to turn them over.
//!
//! A disc is placed so that in at least one of the eight directions a row of the opponent's discs
//! is between it and another own disc. All such rows are turned over. A player without such a move
//! passes; with one, passing is not allowed. The game ends when neither player can move. More discs
//! win.

mod evaluators;
mod rules;
mod state;
mod text;

pub use evaluators::Mobility;
pub use rules::OthelloParams;
pub use state::{Othello, OthelloMove, OthelloState};
