//! Searches and solvers: against known answers, against plain searches and against each other.

mod agents;
mod budget;
mod chance;
mod chess;
mod equal;
mod known;
mod mcts;
mod solver_connect4;
mod solver_mnk;
mod star;
mod utility;

#[path = "../support/mod.rs"]
mod support;
