//! Go on boards of 2 to 19 rows, by the rules of Tromp and Taylor.
//!
//! A stone is placed on an empty point; the opponent's chains without liberties are captured. A
//! move must not recreate an earlier position of the board (positional superko). A player may
//! always pass, and two passes end the game. All stones on the board count as alive: a side's area
//! is its stones and the empty points that reach only its stones. The second player gets komi.

mod chains;
mod evaluators;
mod rules;
mod solver;
mod state;
mod text;

pub use evaluators::Area;
pub use rules::GoParams;
pub use state::{Go, GoMove, GoState};
