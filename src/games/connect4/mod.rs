//! Connect Four: stones drop into columns, a line of four wins.
//!
//! Boards of any size that fits 64 bits, guard bits included. One bit per cell, a column
//! after another from the left, bottom up. The standard board is a type of its own, so
//! that its numbers are known to the compiler.

mod evaluators;
mod layout;
mod pair;
mod position;
mod rules;
mod standard_segments;
mod symmetry;
mod text;

pub use layout::{AnyBoard, Layout, StandardBoard};
pub use position::State;
pub use rules::{Connect4, Connect4Standard, ConnectFour};
pub use text::Base;
