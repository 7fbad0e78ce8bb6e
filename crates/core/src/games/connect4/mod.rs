//! Connect Four: stones drop into columns; a line of four wins.
//!
//! Boards of any size that fits 64 bits, guard bits included. One bit per cell, column by column
//! from the left, each from the bottom. The standard board has its own type, so its dimensions are
//! compile-time constants.

mod board_layout;
mod both_sides_bitboards;
mod evaluators;
mod fast_segments_evaluator;
mod rules;
mod state;
mod text;

pub use board_layout::{AnyBoard, BoardLayout, ConnectFourParams, StandardBoard};
pub use state::{Connect4, Connect4Standard, Connect4State, ConnectFour};
pub use text::Base;
