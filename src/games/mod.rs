//! Rules, notation and knowledge: one module per game.

pub mod bits;
mod board_text;
pub mod cell_features;
pub mod cell_text;
pub mod connect4;
mod evaluator;
mod game;
pub mod grid;
pub mod line_evaluators;
pub mod linear;
pub mod mnk;
mod perft;
mod playout;
pub mod segments;
pub mod tictactoe;
pub mod weights;

pub use connect4::{Connect4, Connect4Standard};
pub use evaluator::{Evaluator, EvaluatorInfo, EvaluatorVisitor, MAX_VALUE, Weights, Zero};
pub use game::{Configurable, Game, Player, Turn, below};
pub use mnk::Mnk;
pub use perft::perft;
pub use playout::{Buffer as PlayoutBuffer, playout, random_outcome};
pub use tictactoe::TicTacToe;
