//! Rules, notation and evaluators: one module per game.

pub mod backgammon;
pub mod breakthrough;
pub(crate) mod cell_game;
pub mod checkers;
pub mod chess;
mod configurable_game_trait;
pub mod conformance;
pub mod connect4;
pub mod einstein;
mod engine_facts;
mod evaluator_trait;
mod evaluator_weights;
mod exact_value;
mod full_search;
mod game;
pub mod go;
pub(crate) mod grid;
pub mod kalah;
pub mod key_hash;
mod lenient_move_reading;
pub mod linear_evaluator;
mod material_evaluator;
pub mod mnk;
mod mnk_tictactoe_features;
mod named_evaluators;
pub mod othello;
pub mod pacman;
pub mod picture_for_html;
pub mod pig;
mod player;
mod random_playout;
mod read_number;
mod segments_evaluator;
mod stone_board_text;
mod syzygy;
pub mod tictactoe;
pub mod tree;

pub use backgammon::Backgammon;
pub use breakthrough::Breakthrough;
pub use checkers::Checkers;
pub use chess::Chess;
pub use configurable_game_trait::Configurable;
pub use connect4::{Connect4, Connect4Standard};
pub use einstein::Einstein;
pub use engine_facts::{EngineFacts, FiveInARow, GtpGame, UCI_VARIANT, UciOption};
pub use evaluator_trait::{
    AnyEvaluator, Evaluator, EvaluatorInfo, EvaluatorVisitor, MAX_VALUE, Weights,
};
pub use exact_value::{Exact, ExactSolver, InStones, Offer, Unsolved, best_of, for_whole_games};
pub use full_search::{EndlessPlay, FullSearch};
pub use game::{
    Drawing, Game, GameExt, Notation, PgnHeader, Repetition, SHORTEST_REPETITION, Scoring,
    SearchHints, Shortcuts, Symmetry, below, has_noisy, has_pass, last_occurrence, perft, repeats,
};
pub use game::{has_tables, material_unit};
pub use go::Go;
pub use grid::immediate_threats::Threat;
pub use kalah::Kalah;
pub use mnk::Mnk;
pub use named_evaluators::{NamedEvaluator, Zero};
pub use othello::Othello;
pub use pacman::Pacman;
pub use pig::Pig;
pub use player::{Player, Turn};
pub use random_playout::{Buffer as PlayoutBuffer, playout, random_outcome};
pub use syzygy::SyzygyTables;
pub use tictactoe::TicTacToe;
pub use tree::GameTree;

/// Passes the list of games to a macro: one line for each kind, with its implementation types,
/// tried in order.
#[doc(hidden)]
#[macro_export]
macro_rules! all_games {
    ($then:ident) => {
        $then! {
            TicTacToe;
            Mnk<1>, Mnk<4>, Mnk<7>;
            Connect4Standard, Connect4;
            Chess;
            Breakthrough;
            Kalah;
            Othello;
            Checkers;
            Go;
            Pig;
            Einstein;
            Backgammon;
            Pacman;
            GameTree;
        }
    };
}
