//! The error for an engine that cannot begin a game.

use super::engine_params::EngineParams;
use super::sandbox_keys::is_refusal;
use crate::engine::{EngineError, EngineErrorKind, EngineProtocol};
use crate::params::ParamError;

impl EngineParams {
    /// The error for an engine that cannot begin a game, with the key of its cause.
    pub(super) fn start_error(&self, error: EngineError) -> ParamError {
        let is_sandbox = is_refusal(&error);
        let EngineError { kind, detail, help } = error;
        let (shown, startup) = (self.shown(), self.startup_timeout);
        let protocol = self.protocol.word().to_uppercase();
        let command = self.command_words().unwrap_or_default();
        let is_xboard =
            kind == EngineErrorKind::XBoard || command.iter().any(|word| word.ends_with("-xboard"));
        match kind {
            _ if is_sandbox => ParamError::at("sandbox", detail, help),
            EngineErrorKind::Option => ParamError::at("options", detail, help),
            EngineErrorKind::Refused
                if detail.contains("the protocol of Gomocup")
                    || detail.contains("the Go Text Protocol is for") =>
            {
                ParamError::at("protocol", detail, help)
            }
            EngineErrorKind::Refused => ParamError::at("command", detail, help),
            EngineErrorKind::Shortage => ParamError::new(detail, help),
            EngineErrorKind::NotReady => {
                let message = format!(
                    "`{shown}` is not ready within {startup} s (`startup_timeout`): {detail}"
                );
                let help =
                    "raise `startup_timeout` if the engine needs more time to load its files";
                ParamError::at("command", message, help)
            }
            _ if is_xboard => {
                let message =
                    format!("`{shown}` speaks the xboard protocol, not {protocol}: {detail}");
                let help = match command.first().is_some_and(|word| word.ends_with("gnuchess")) {
                    true => {
                        "agon does not support xboard; this engine has a UCI mode: `gnuchess --uci`"
                    }
                    false => {
                        "agon does not support xboard: start the UCI mode of the engine, or use an adapter"
                    }
                };
                ParamError::at("command", message, help)
            }
            _ => {
                let (said, heard) = self.protocol.greeting();
                let message = format!("`{shown}` does not speak {protocol}: {detail}");
                let other = match self.protocol {
                    EngineProtocol::Ugi => "a UCI engine needs the game `chess`",
                    _ => "agon does not support xboard engines",
                };
                let help = format!(
                    "try it in a terminal: it must answer `{said}` with `{heard}` within \
                     {startup} s (`startup_timeout`); or choose another `protocol`; {other}"
                );
                ParamError::at("command", message, help)
            }
        }
    }
}
