//! What is wrong in a table of results: where, what, and what to do.

use std::fmt;

/// A mistake in a table of results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableFault {
    /// The file, as the user named it.
    pub file: String,
    /// The line, from 1; 0 for the file as a whole.
    pub line: u64,
    /// The column: its number from 1, if the format has numbers, and its name.
    pub column: Option<(Option<usize>, String)>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl fmt::Display for TableFault {
    /// The place and what is wrong, without the help.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if self.line > 0 {
            write!(f, ", line {}", self.line)?;
        }
        match &self.column {
            Some((Some(number), name)) => write!(f, ", column {number} (`{name}`)")?,
            Some((None, name)) => write!(f, ", `{name}`")?,
            None => {}
        }
        write!(f, ": {}", self.message)
    }
}
