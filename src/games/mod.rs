//! Rules, notation and knowledge: one file per game.

mod connect4;
mod evaluator;
mod game;

pub use connect4::Connect4;
pub use evaluator::{Evaluator, EvaluatorInfo, EvaluatorVisitor, MAX_VALUE, Weights, Zero};
pub use game::{Configurable, Game, Player, Turn, below};
