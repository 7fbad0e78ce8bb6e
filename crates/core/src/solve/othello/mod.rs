//! The solver of Othello: boards of 4 and 6 rows, and endings on 8 rows.

mod disc_search;
mod flip_rays;
mod othello_solver;

pub(super) use othello_solver::offer;
