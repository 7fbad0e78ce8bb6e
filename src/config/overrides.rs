//! Options of the command line that override keys of the config.

use super::definition::Definitions;
use super::diagnostic::Problems;
use super::source::Source;
use super::tree::Table;

/// What the command line overrides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// `--set KEY=VALUE`, in the order given; later ones win.
    pub set: Vec<String>,
    /// `--seed N`.
    pub seed: Option<u64>,
    /// `--games N`.
    pub games: Option<u64>,
}

pub(super) fn apply(
    _tree: &mut Table,
    _overrides: &Overrides,
    _definitions: &Definitions,
    _sources: &mut Vec<Source>,
    _problems: &mut Problems,
) {
}
