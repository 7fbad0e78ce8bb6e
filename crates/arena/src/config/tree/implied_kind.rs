//! The kind of a table that only a key of one kind shows, such as `referee` in `[game]`.

use super::config_kind::ConfigKind;
use super::toml_tree::{Raw, TomlNode, TomlTable};
use crate::params::{Default, Param};

/// The section whose tables need no `kind` then.
pub(crate) const SECTION: &str = "game";

/// The required key that no other kind has: a table with this key needs no `kind`.
pub(crate) fn key_of<'k>(kind: &'k ConfigKind, kinds: &[ConfigKind]) -> Option<&'k Param> {
    kind.params.iter().find(|param| {
        let owners = kinds.iter().filter(|kind| kind.params.iter().any(|p| p.key == param.key));
        matches!(param.default, Default::Required) && owners.count() == 1
    })
}

/// Adds the kind to a table that has none, if one of its keys shows the kind.
pub(crate) fn add(table: &mut TomlTable, kinds: &[ConfigKind]) {
    if table.get("kind").is_some() {
        return;
    }
    let shown = kinds.iter().find_map(|kind| {
        let entry = table.get(key_of(kind, kinds)?.key)?;
        Some((kind.kind, entry.at))
    });
    if let Some((kind, at)) = shown {
        table.set("kind", at, TomlNode::new(Raw::Text(kind.to_owned()), at));
    }
}
