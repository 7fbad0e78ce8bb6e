//! Tic-tac-toe: three in a row on three by three.
//!
//! The same game as m,n,k with (3, 3, 3), in a position of six bytes. Cells are numbered
//! row by row from the top left; a row takes four bits, the last a guard.

mod rules;
mod symmetry;

pub use rules::{State, TicTacToe};
