//! Failures of engines.

/// The kinds of failures of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineErrorKind {
    /// The deadline has passed.
    Late,
    /// The engine answered the greeting, but was not ready for a game in time.
    NotReady,
    /// The engine speaks the xboard protocol.
    XBoard,
    /// The answer is longer than agon reads.
    Endless,
    /// The engine refuses to move.
    NoMove,
    /// The process has ended.
    Crash,
    /// The sandbox of the process has ended it.
    Breach,
    /// The process still runs but has closed a pipe.
    Disconnected,
    /// The engine cannot be started, or does not support this game.
    Refused,
    /// The engine lacks an option, or rejects its value.
    Option,
    /// Agon lacks descriptors, processes or memory. Not the engine's fault.
    Shortage,
    /// A service that the engine calls does not answer it. Not the engine's fault.
    Unavailable,
    /// Agon was woken too late to judge the engine's time. Not the engine's fault.
    Overload,
}

/// A failure with a description for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct EngineError {
    /// The kind of failure.
    pub kind: EngineErrorKind,
    /// The description, in a sentence without a full stop.
    pub detail: String,
    /// How to solve the problem; may be empty.
    pub help: String,
}

impl EngineError {
    /// A failure without help.
    pub fn new(kind: EngineErrorKind, detail: impl Into<String>) -> Self {
        EngineError { kind, detail: detail.into(), help: String::new() }
    }

    /// The same failure, after the engine has answered the greeting.
    pub(super) fn after_greeting(self, greeting: &str, missing: &str) -> Self {
        if self.kind != EngineErrorKind::Late {
            return self;
        }
        let detail = format!("it answered {greeting}, but not {missing}");
        EngineError { kind: EngineErrorKind::NotReady, detail, ..self }
    }

    /// A program that cannot be started, or an engine that does not support the game.
    pub(super) fn refused(detail: impl Into<String>, help: impl Into<String>) -> Self {
        let kind = EngineErrorKind::Refused;
        EngineError { kind, detail: detail.into(), help: help.into() }
    }
}
