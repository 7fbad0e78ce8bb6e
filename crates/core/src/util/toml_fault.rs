//! A mistake in a TOML text with its place, for readers of texts that are no configs.

use std::ops::Range;

use toml::Spanned;
use toml::de::DeTable;

use super::toml_nesting_depth;

#[derive(Debug)]
pub struct TomlFault {
    /// The place in bytes.
    pub at: Range<usize>,
    pub message: String,
    pub help: String,
}

impl TomlFault {
    /// The message after the name of the text and the line.
    pub fn with_line(&self, name: &str, text: &str) -> String {
        let before = text.bytes().take(self.at.start);
        let line = 1 + before.filter(|&byte| byte == b'\n').count();
        format!("{name}:{line}: {}", self.message)
    }
}

/// The result of a reader that finds this mistake.
///
/// # Errors
/// Always.
pub fn fault<T>(
    at: Range<usize>,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Result<T, TomlFault> {
    Err(TomlFault { at, message: message.into(), help: help.into() })
}

/// Parses the text of a tree. `less_deep` is the help if its nodes are nested too deeply.
///
/// # Errors
/// The first mistake of syntax.
pub fn parse_tree<'a>(text: &'a str, less_deep: &str) -> Result<Spanned<DeTable<'a>>, TomlFault> {
    if let Some(at) = toml_nesting_depth::too_deep(text) {
        return fault(at..at, "nodes are written inside one another too deeply", less_deep);
    }
    let help = "write it as TOML; `agon example --save FOLDER` writes trees to begin with";
    DeTable::parse(text).or_else(|error| fault(error.span().unwrap_or(0..0), error.message(), help))
}
