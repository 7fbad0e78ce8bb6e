//! One of the kinds that a table of the config can be.

use crate::params::Param;

/// One of the kinds that a section can be.
#[derive(Debug, Clone, PartialEq)]
pub struct Kind {
    /// The word in `kind = "…"`.
    pub kind: &'static str,
    /// One sentence, without a full stop.
    pub summary: &'static str,
    /// What it takes besides `kind`.
    pub params: Vec<Param>,
    /// Lines of TOML that make one.
    pub example: String,
}
