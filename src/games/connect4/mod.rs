//! Connect Four: stones drop into columns; a line of four wins.
//!
//! Boards of any size that fits 64 bits, guard bits included. One bit per cell, column by column
//! from the left, each from the bottom. The standard board has its own type, so its dimensions are
//! compile-time constants.
//!
//! ```
//! use agon::games::{Configurable, Connect4, Game, Player, SearchHints};
//! use agon::params::Values;
//!
//! let game = Connect4::build(&Values::default()).unwrap();
//! let state = game.read_position("4 3 4 3 4 3").unwrap();
//! assert_eq!(game.write_position(&state).lines().count(), 1);
//! assert_eq!(game.completing_cells(&state, Player::First).count_ones(), 1);
//! let mut noisy = Vec::new();
//! game.hints().noisy(&state, &mut noisy);
//! assert_eq!(noisy, [3]);
//! ```

mod board_layout;
mod both_sides;
mod evaluators;
mod position;
mod rules;
mod standard_segments;
mod symmetry;
mod text;

pub use board_layout::{AnyBoard, BoardLayout, ConnectFourParams, StandardBoard};
pub use position::{Connect4, Connect4Standard, Connect4State, ConnectFour};
pub use text::Base;
