//! Compares two results folders: is the candidate worse than the baseline?
//!
//! Only comparable games are used. Strength is the difference of scores in twin games, which have
//! the same opponent, opening and seat. Work is compared exactly in games with the same moves.
//! Speed is the ratio of times in twin games.

mod comparison;
mod cost;
mod duel;
mod folder;
mod gates;
mod limits;
mod page;
mod question;
mod strength;
mod twins;

pub use comparison::Comparison;
pub use folder::Played;
pub use gates::Verdict;
pub use limits::Limits;

/// The reason why two folders cannot be compared: one sentence, and how to fix it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}\nhelp: {remedy}")]
pub struct CompareError {
    pub message: String,
    pub remedy: String,
}

impl CompareError {
    fn new(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        CompareError { message: message.into(), remedy: remedy.into() }
    }
}
