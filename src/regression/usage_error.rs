//! The reason why two sides cannot be compared, or a file is no history.

/// One sentence, and how to fix it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}\nhelp: {help}")]
pub struct UsageError {
    pub message: String,
    pub help: String,
}

impl UsageError {
    pub(super) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        UsageError { message: message.into(), help: help.into() }
    }
}
