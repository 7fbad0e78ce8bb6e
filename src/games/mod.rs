//! Rules, notation and evaluators: one module per game.

pub(crate) mod bits;
mod board_text;
mod cell_features;
pub(crate) mod cell_text;
pub mod chess;
mod configurable;
pub mod conformance;
pub mod connect4;
pub mod einstein;
mod evaluator;
mod evaluator_weights;
mod evaluators;
mod exact_values;
mod game;
pub mod hash;
mod line_evaluators;
pub mod linear_evaluator;
mod lines_on_grid;
pub mod mnk;
pub mod pacman;
mod perft;
pub mod picture;
pub mod pig;
mod player;
mod playout;
mod segments_evaluator;
mod threat;
pub mod tictactoe;
pub mod tree;
mod zero_evaluator;

pub use chess::Chess;
pub use configurable::Configurable;
pub use connect4::{Connect4, Connect4Standard};
pub use einstein::Einstein;
pub use evaluator::{AnyEvaluator, Evaluator, EvaluatorInfo, EvaluatorVisitor, MAX_VALUE, Weights};
pub use exact_values::{Exact, ExactSolver, Exactness, InStones, Offer, Unsolved, best_of};
pub use game::{
    Drawing, Game, Notation, PgnHeader, Plain, Repetition, Scoring, SearchHints, Shortcuts,
    Symmetry, below, last_occurrence, material_unit, repeats,
};
pub use mnk::Mnk;
pub use pacman::Pacman;
pub use perft::perft;
pub use pig::Pig;
pub use player::{Player, Turn};
pub use playout::{Buffer as PlayoutBuffer, playout, random_outcome};
pub use threat::Threat;
pub use tictactoe::TicTacToe;
pub use tree::GameTree;
pub use zero_evaluator::Zero;

/// Passes the list of games to a macro: one line for each kind, with its implementation types,
/// tried in order.
macro_rules! all_games {
    ($then:ident) => {
        $then! {
            TicTacToe;
            Mnk<1>, Mnk<6>;
            Connect4Standard, Connect4;
            Chess;
            Pig;
            Einstein;
            Pacman;
            GameTree;
        }
    };
}
pub(crate) use all_games;
