//! Exact values: solvers of any game, and grades of moves by them.

pub(crate) mod grader;
pub(crate) mod leaf_visits;
pub(crate) mod position_solver;
