//! Failures of a service that an engine calls, its *provider*: they cost the engine no game.

use std::time::Duration;

use super::{EngineAgent, all_params};
use crate::engine::{EngineError, EngineErrorKind, Exit};
use crate::params::Spec;

/// The exit status of an engine whose provider fails: `EX_TEMPFAIL` of `sysexits.h`.
const PROVIDER_FAILED: Exit = Exit::Status(75);

/// How long a game of this agent waits at most for providers, the longest time of all its engines.
pub fn unavailable_wait(spec: &Spec) -> Duration {
    let waits = all_params(spec).into_iter().map(|params| params.unavailable_wait);
    Duration::from_secs(waits.max().unwrap_or(0))
}

impl EngineAgent {
    /// Whether a failure of the provider costs the engine no game.
    pub(super) fn forgives_provider(&self) -> bool {
        self.params.unavailable_wait > 0
    }

    /// The same failure of an engine that has ended like this, with the provider as its cause if
    /// the engine says so. If the config does not allow that, the engine itself has failed.
    pub(super) fn blame_provider(&self, error: EngineError, exit: Option<Exit>) -> EngineError {
        match (error.kind, self.forgives_provider()) {
            (EngineErrorKind::Crash, true) if exit == Some(PROVIDER_FAILED) => {
                let detail = format!("its provider is unavailable: {}", error.detail);
                EngineError { kind: EngineErrorKind::Unavailable, detail, ..error }
            }
            (EngineErrorKind::Unavailable, false) => {
                EngineError { kind: EngineErrorKind::NoMove, ..error }
            }
            _ => error,
        }
    }
}
