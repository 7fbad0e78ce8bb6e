//! One kind of a section, such as a game or an agent.

use crate::params::Param;

/// One kind of a section.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfigKind {
    /// The value of the key `kind`.
    pub kind: &'static str,
    /// One sentence, without a full stop.
    pub summary: &'static str,
    /// Its parameters besides `kind`.
    pub params: Vec<Param>,
    /// Lines of TOML that define an example.
    pub example: String,
}
