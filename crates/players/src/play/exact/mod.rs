//! Exact values: solvers of any game, and grades of moves by them.

pub(crate) mod grade_moves;
pub(crate) mod solve_any_game;
pub(crate) mod visited_leaves_of_tree;
