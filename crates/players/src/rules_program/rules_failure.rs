//! The failure of a program of rules, and its way to the place that handles it.

use std::any::Any;
use std::panic::resume_unwind;

/// Why a program of rules cannot answer, or why a referee has no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the program `{command}` fails: {what}")]
pub struct RulesFailure {
    /// The command of the program.
    pub command: String,
    /// What is wrong, in a sentence without a full stop.
    pub what: String,
    /// The recent conversation with the program; empty if it did not start.
    pub transcript: String,
}

impl RulesFailure {
    /// Leaves the current game. Rules cannot fail in the middle of a search, so the failure is
    /// the payload of an unwinding, without the message of a panic.
    /// [`of_payload`](Self::of_payload) finds it again.
    pub(crate) fn raise(self) -> ! {
        resume_unwind(Box::new(self))
    }

    /// The failure, if the unwinding that was caught is one.
    ///
    /// # Errors
    /// The payload of any other panic.
    pub fn of_payload(payload: Box<dyn Any + Send>) -> Result<Self, Box<dyn Any + Send>> {
        payload.downcast().map(|failure| *failure)
    }
}
