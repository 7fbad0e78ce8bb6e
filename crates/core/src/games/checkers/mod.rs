//! Checkers (English draughts): capture where you can; a player without a move loses.
//!
//! The first player is Black, on squares 1 to 12. Men move one step diagonally forward. A piece
//! captures by jumping over an adjacent enemy piece to the empty square beyond it; only kings jump
//! backwards. A player who can capture must, and goes on while the same piece can jump. All jumps
//! of a turn are one move. A man that reaches the last row becomes a king, which ends the move.
//! Kings move one step in any diagonal. Too many moves without a capture or a man's move, and the
//! third occurrence of a position, are draws.

mod endings_index;
mod endings_solver;
mod evaluators;
mod jumps;
mod pdn_text;
mod rules;
mod show_board;
mod state;

pub use rules::CheckersParams;
pub use state::{Checkers, CheckersMove, CheckersState};
