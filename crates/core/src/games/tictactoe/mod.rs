//! Tic-tac-toe: three in a row on three by three.
//!
//! The same game as m,n,k with (3, 3, 3), with positions of six bytes. Cells are numbered row by
//! row from the top left. A row takes four bits; the last is a guard.

mod rules;

pub use rules::{TicTacToe, TicTacToeState};
