//! A command of the config: one text as in a terminal, or the list of its words.

use std::collections::BTreeMap;

use super::engine_error::EngineError;
use super::launch::{Launch, command_words};
use crate::params::{Field, ParamError, Type, Value, mismatch};

/// A command of the config.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandText {
    /// One text. Its words depend on the programs that exist.
    Line(String),
    Words(Vec<String>),
}

impl CommandText {
    /// The program with everything needed to start it.
    ///
    /// # Errors
    /// A program that was not found.
    pub fn launch(
        &self,
        dir: Option<&str>,
        env: &BTreeMap<String, String>,
    ) -> Result<Launch, EngineError> {
        match self {
            CommandText::Line(line) => Launch::find_line(line, dir, env),
            CommandText::Words(words) => Launch::find(words, dir, env),
        }
    }

    /// The words of the command.
    ///
    /// # Errors
    /// A text that cannot be split into words.
    pub fn words(&self, dir: Option<&str>) -> Result<Vec<String>, String> {
        match self {
            CommandText::Line(line) => command_words(line, dir),
            CommandText::Words(words) => Ok(words.clone()),
        }
    }

    /// The command line for people.
    pub fn shown(&self) -> String {
        match self {
            CommandText::Line(line) => line.trim().to_owned(),
            CommandText::Words(words) => words.join(" "),
        }
    }
}

impl Field for CommandText {
    type Bounds = ();

    fn ty(_: &()) -> Type {
        Type::Command
    }

    fn read(value: &Value) -> Result<Self, ParamError> {
        match value {
            Value::Texts(words) => Ok(CommandText::Words(words.clone())),
            Value::Text(line) => Ok(CommandText::Line(line.clone())),
            _ => Err(mismatch()),
        }
    }

    fn value(&self) -> Option<Value> {
        Some(match self {
            CommandText::Line(line) => Value::Text(line.clone()),
            CommandText::Words(words) => Value::Texts(words.clone()),
        })
    }
}
