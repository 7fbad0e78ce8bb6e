//! Grades of moves by a solver, after the games.

pub(crate) mod grading_pass;
pub(crate) mod grading_sample;
