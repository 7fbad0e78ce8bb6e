//! Two results folders held against each other: is the candidate worse?
//!
//! Only games that ask both runs the same are compared. Strength is the difference of
//! scores in twin games (same opponent, opening and seat), work is counted exactly where
//! the games are the same move by move, speed is the ratio of times in twin games.

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

/// Why two folders cannot be compared: one sentence, and the remedy.
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
