//! Compares two results folders: is the candidate worse than the baseline?
//!
//! Only comparable games are used. Strength is the difference of scores in twin games, which have
//! the same opponent, opening and seat. Work is compared exactly in games with the same moves.
//! Speed is the ratio of times in twin games.

mod comparability;
mod comparison;
mod cost;
mod head_to_head;
mod limit_checks;
mod limits;
mod paired;
mod print;
mod results_folder;
mod strength;

pub use comparison::Comparison;
pub use limit_checks::GateVerdict;
pub use limits::ChangeLimits;
pub use results_folder::CompletedRun;

/// The reason why two folders cannot be compared: one sentence, and how to fix it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}\nhelp: {help}")]
pub struct CompareError {
    pub message: String,
    pub help: String,
}

impl CompareError {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        CompareError { message: message.into(), help: help.into() }
    }
}
