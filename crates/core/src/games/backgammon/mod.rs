//! Backgammon: two dice, fifteen checkers each, and a race that hits on the way.
//!
//! A move is the whole turn: the steps of both dice, four with a double. Both dice must be played if
//! possible, the larger one if only one can be played. Moves that lead to the same position are one
//! move. The first roll is never a double, and the player with the larger die begins. The first player
//! without checkers on the board wins. There is no doubling cube.

mod bear_off_solver;
mod checkers_of_one_side;
mod evaluators;
mod legal_moves;
mod position_text;
mod rules;
mod show_board;
mod state;
mod text;

pub use checkers_of_one_side::Side;
pub use evaluators::Pips;
pub use rules::BackgammonParams;
pub use state::{Backgammon, BackgammonMove, BackgammonState};
