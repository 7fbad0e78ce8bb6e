//! Grades of moves by a solver, after the games.

pub(crate) mod grade_sampled_games;
pub(crate) mod grading_sample;
