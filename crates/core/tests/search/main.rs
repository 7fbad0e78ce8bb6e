//! Tests of searches and solvers: against known results, plain searches and each other.

extern crate agon_core as agon;

mod budget;
mod chance;
mod chess;
mod equal;
mod known;
mod mcts;
mod recorded;
mod solver_connect4;
mod solver_mnk;
mod star;
mod support;
