//! What every section may use while it is built: the tree of the config, the sections that have no mistake,
//! and the game.

use std::collections::BTreeMap;
use std::path::Path;

use crate::config::tree::source_of_each_value::Span;
use crate::config::tree::toml_tree::TomlTable;
use crate::params::{Param, Params, Values};
use crate::play::{AnyGame, Registry};

/// A section with fixed keys. Its type has the keys as its fields.
pub(crate) trait Section: Params {
    /// Its name, as in `[name]`.
    const KEY: &'static str;

    /// One sentence, without a full stop.
    const SUMMARY: &'static str;

    /// Its definition.
    fn described() -> Described {
        Described { key: Self::KEY, summary: Self::SUMMARY, params: Self::list() }
    }
}

/// The definition of a section with fixed keys.
pub(crate) struct Described {
    pub key: &'static str,
    pub summary: &'static str,
    pub params: Vec<Param>,
}

/// Where a config comes from.
pub(crate) struct Origin<'a> {
    /// The default name of the experiment.
    pub stem: &'a str,
    /// The folder that relative paths start from.
    pub folder: &'a Path,
    /// Whether the config is the `resolved.toml` of a results folder.
    pub is_resolved: bool,
}

/// What a section may use while it is built.
#[derive(Clone, Copy)]
pub(crate) struct BuildContext<'a> {
    pub tree: &'a TomlTable,
    /// The sections with fixed keys that have no mistake.
    pub values: &'a BTreeMap<&'static str, Values>,
    pub registry: &'a Registry,
    pub origin: &'a Origin<'a>,
    /// The game, unless it has a mistake.
    pub any_game: Option<&'a AnyGame>,
    /// The seed of the run.
    pub seed: u64,
}

impl BuildContext<'_> {
    /// The keys of a section, unless it has a mistake. Without the section, these are the defaults.
    pub fn read<S: Section>(&self) -> Option<S> {
        self.values.get(S::KEY).map(|values| S::read(values).expect("the section was checked"))
    }

    /// The place of a key, or else of its section.
    pub fn place(&self, section: &str, key: &str) -> Span {
        self.tree.place_or_section(section, key)
    }
}
