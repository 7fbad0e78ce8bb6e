//! Starts an engine if needed, and prepares it for a game.

use std::time::Instant;

use super::engine_params::Restart;
use super::{EndedProcess, EngineAgent, EngineSession};
use crate::engine::{Connection, EngineError, EngineErrorKind};

impl EngineAgent {
    /// Prepares the engine for a new game. A process that has ended since its last game is started
    /// again, because it has not lost this game.
    pub(super) fn begin(&mut self) -> Result<(), EngineError> {
        if let Some(why) = self.engine_context.why_forfeit(&self.name) {
            return Err(EngineError::new(EngineErrorKind::Refused, why));
        }
        let ready = self.ready.take();
        if self.params.restart == Restart::Always && self.starting.is_none() && ready.is_none() {
            self.leave();
        }
        match ready.or_else(|| self.await_process()) {
            Some(Err(error)) if self.has_ended_between_games(&error) => self.forget_process(),
            Some(ready) => return ready,
            None => {}
        }
        if self.gone {
            let detail = "it has ended, and `restart = \"never\"`";
            return Err(EngineError::new(EngineErrorKind::Disconnected, detail));
        }
        let permit = self.engine_context.start_permit();
        self.starting = Some(self.spawn().map(|link| (link, Some(permit))));
        self.await_process().unwrap_or(Ok(()))
    }

    /// Waits until the process, if there is one, is ready for a new game. Starts no process.
    pub(super) fn await_process(&mut self) -> Option<Result<(), EngineError>> {
        if let Some(started) = self.starting.take() {
            match started.and_then(|(link, _permit)| self.greet(link)) {
                Ok(session) => self.session = Some(session),
                Err(error) => return Some(Err(error)),
            }
        }
        let announced = self.announce_game()?;
        let timeout = self.params.startup_timeout();
        let EngineSession { link, protocol, has_begun, .. } = self.session.as_mut()?;
        let ready = announced.and_then(|at| {
            // The other engine of the game may have used this time. An answer is then here already.
            let is_late = at.elapsed() > timeout / 2 && link.has_output();
            let begin = if is_late { Instant::now() } else { at };
            protocol.new_game(link, begin + timeout)
        });
        *has_begun |= ready.is_ok();
        let exit = ready.as_ref().err().and_then(|_| link.exit());
        Some(ready.map_err(|error| self.blame_provider(error, exit)))
    }

    /// Announces a game to the process, if there is one, and returns when it was announced.
    pub(super) fn announce_game(&mut self) -> Option<Result<Instant, EngineError>> {
        let EngineSession { link, protocol, announced, .. } = self.session.as_mut()?;
        if let Some(at) = announced.take() {
            return Some(Ok(at));
        }
        Some(match link.exit() {
            Some(exit) => Err(EngineError::new(EngineErrorKind::Crash, exit.to_string())),
            None => protocol.announce_game(link).map(|()| Instant::now()),
        })
    }

    /// Whether this error means that the process has ended by itself between two games.
    fn has_ended_between_games(&self, error: &EngineError) -> bool {
        self.params.restart != Restart::Never
            && [EngineErrorKind::Crash, EngineErrorKind::Disconnected].contains(&error.kind)
            && self.session.as_ref().is_some_and(|session| session.has_begun)
    }

    /// Drops a process that has ended, and keeps its end for a log.
    pub(super) fn forget_process(&mut self) {
        let Some(EngineSession { link, .. }) = self.session.take() else { return };
        let exit = link.exit();
        self.ended = Some(EndedProcess { exit, conversation_log: link.into_conversation_log() });
    }

    /// As [`EngineAgent::begin`], with the kind of error that ends a game.
    pub(super) fn begin_or_fail(&mut self) -> Result<(), EngineError> {
        use EngineErrorKind::{Crash, Disconnected, Endless, Late, Refused};
        self.begin().map_err(|error| {
            let is_new = self.session.as_ref().map_or(!self.gone, |session| !session.has_begun);
            let kind = match error.kind {
                Late | Endless => Refused,
                Crash | Disconnected if is_new => Refused,
                kind => kind,
            };
            EngineError { kind, ..error }
        })
    }

    /// Greets a process that has just started.
    fn greet(&self, mut link: Connection) -> Result<EngineSession, EngineError> {
        let mut protocol = self.params.protocol.conversation();
        let by = Instant::now() + self.params.startup_timeout();
        match protocol.open(&mut link, self.engine_settings(), by) {
            Ok(()) => {
                if let Some(name) = link.announced_name.take() {
                    self.engine_context.record_name(&self.name, name);
                }
                Ok(EngineSession { link, protocol, has_begun: false, announced: None })
            }
            Err(error) => {
                let error = self.blame_provider(error, link.exit());
                Err(link.explain(error))
            }
        }
    }
}
