//! Chess by the rules of FIDE: moves by the crate `cozy-chess`, the ends of a game here.
//!
//! The first player is White. Checkmate wins; stalemate, fifty moves of each side without
//! capture or pawn move, and material with which nobody can be mated are draws at once, and so
//! is the third occurrence of a position, which whoever plays the game has to count
//! (`Repetition::ended_by_history`): a position does not
//! know its past. Moves are written as engines do (`e2e4`, `e7e8q`, castling as the king's
//! step `e1g1`) and read in that form and as SAN; positions are FEN.

mod count;
mod drawing;
mod end;
mod evaluators;
mod moves;
mod picture;
mod position;
mod rules;
mod san;
mod squares;
mod text;

pub use drawing::BoardStyle;
pub use evaluators::{Material, Squares};
pub use moves::Move;
pub use rules::{Chess, ChessParams, State};
