//! The failure of a program of rules, and its way to the place that handles it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::params::ParamError;

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
    /// Agon lacks descriptors, processes or memory. This is not a fault of the rules.
    pub is_shortage: bool,
}

const PROTOCOL: &str = "docs/your-own-game.md has the protocol";
/// The lines of a conversation that are shown.
const SHOWN_LINES: usize = 24;

impl RulesFailure {
    /// The end of the conversation, for people; empty if there was none.
    pub fn end_of_conversation(&self) -> String {
        let lines: Vec<&str> = self.transcript.lines().collect();
        if lines.is_empty() {
            return String::new();
        }
        let mut text = "the end of the conversation (seconds; > question, < answer, ! standard \
                        error):\n"
            .to_owned();
        for line in &lines[lines.len().saturating_sub(SHOWN_LINES)..] {
            text += &format!("  {line}\n");
        }
        text
    }

    /// The error if the program fails before the first game.
    pub(super) fn at_start(self) -> ParamError {
        if self.is_shortage {
            return ParamError::new(self.to_string(), "");
        }
        let help = match self.end_of_conversation() {
            none if none.is_empty() => PROTOCOL.to_owned(),
            conversation => format!("{PROTOCOL}; {}", conversation.trim_end()),
        };
        ParamError::at("command", self.to_string(), help)
    }

    /// The failure after some of the answers to one question.
    pub(super) fn after(self, answered: usize, asked: usize) -> Self {
        match answered {
            0 => self,
            _ => RulesFailure {
                what: format!("it has answered {answered} of {asked} moves; {}", self.what),
                ..self
            },
        }
    }

    /// Leaves the current game. Rules cannot fail in the middle of a search, so the failure is
    /// the payload of an unwinding, without the message of a panic.
    /// [`of_payload`](Self::of_payload) finds it again.
    pub(crate) fn raise(self) -> ! {
        resume_unwind(Box::new(self))
    }

    /// Runs code that may ask the program.
    ///
    /// # Errors
    /// A failure of the program. Other panics go on.
    pub fn catch<T>(code: impl FnOnce() -> T) -> Result<T, Self> {
        catch_unwind(AssertUnwindSafe(code)).map_err(|payload| {
            Self::of_payload(payload).unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    /// The failure on one line, for protocols.
    pub fn in_one_line(&self) -> String {
        let text = self.to_string();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        lines.join(" ")
    }

    /// The failure, if the unwinding that was caught is one.
    ///
    /// # Errors
    /// The payload of any other panic.
    pub fn of_payload(payload: Box<dyn Any + Send>) -> Result<Self, Box<dyn Any + Send>> {
        payload.downcast().map(|failure| *failure)
    }
}
