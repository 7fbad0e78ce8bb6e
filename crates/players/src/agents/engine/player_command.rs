//! The command of a player of a game by a referee. The referee starts it.

use std::collections::BTreeMap;

use crate::engine::{CommandText, EngineError, Launch};
use crate::params::{ParamError, Params, Spec};

/// The kind of the agent.
pub const KIND: &str = "command";

crate::params! {
    #[derive(Debug, Clone)]
    pub struct PlayerCommand {
        /// command that starts the player, as in a terminal or as a list of words; the referee
        /// gets it as one text
        command: CommandText,
        /// consecutive forfeits of the player that end the run; 0: no limit
        max_consecutive_forfeits: u64 [0..=1_000_000] = 3,
    }
}

impl PlayerCommand {
    /// The command of a spec; `None` for other agent kinds.
    pub fn of(spec: &Spec) -> Option<Self> {
        PlayerCommand::read(&spec.values).ok().filter(|_| spec.kind == KIND)
    }

    /// The command as one text for a shell.
    pub fn text(&self) -> String {
        match &self.command {
            CommandText::Line(line) => line.trim().to_owned(),
            CommandText::Words(words) => {
                shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default()
            }
        }
    }

    /// The words of the command, and its program seen from the folder of the referee.
    pub fn start(&self, dir: Option<&str>) -> (Vec<String>, Result<Launch, EngineError>) {
        let words = self.command.words(dir).unwrap_or_default();
        (words, self.command.launch(dir, &BTreeMap::new()))
    }

    /// Whether the referee can start the command, as far as agon can know this: a referee may give
    /// it to a shell.
    ///
    /// # Errors
    /// A program that does not exist.
    pub fn check(&self, dir: Option<&str>) -> Result<(), ParamError> {
        let text = self.text();
        let is_for_shell = |c: char| "$;&|<>()`*?~=".contains(c) || c.is_control();
        match self.start(dir).1 {
            Err(error) if text.is_empty() || !text.contains(is_for_shell) => {
                Err(ParamError::at("command", error.detail, error.help))
            }
            _ => Ok(()),
        }
    }
}
