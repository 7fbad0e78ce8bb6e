//! Breakthrough: pieces go forward only; the first piece on the opponent's home row wins.
//!
//! Each side fills the two rows nearest to it. A piece moves one step forward, straight or
//! diagonally, to an empty cell. Only a diagonal step may capture. A side also wins when the
//! opponent has no pieces left. There is no draw: the foremost piece of a side always has a
//! diagonal step. (Rules by D. Troyka, 2000.)

mod evaluators;
mod rules;
mod state;
mod text;

pub use evaluators::Pieces;
pub use rules::BreakthroughParams;
pub use state::{Breakthrough, BreakthroughMove, BreakthroughState};
