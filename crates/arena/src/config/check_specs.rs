//! Opens games and checks agents, with each mistake at its key.

use std::path::Path;

use super::section_definitions::Definitions;
use crate::config::tree::diagnostics::{Diagnostic, Problems};
use crate::config::tree::read_toml_table::join;
use crate::config::tree::toml_tree::{Raw, TomlTable};
use crate::params::{ParamError, Spec, Type};
use crate::play::{AnyGame, Registry};

/// A game with the contents of its files, and the same game ready to be played.
pub(super) type Opened = (Spec, AnyGame);

/// Reads the files of a spec, with paths relative to `folder`, and opens the game. Returns `None`
/// for a kind that is not registered.
pub(super) fn open(
    spec: &Spec,
    registry: &Registry,
    folder: &Path,
) -> Option<Result<Opened, ParamError>> {
    let entry = registry.game(&spec.kind)?;
    let mut spec = spec.clone();
    let opened =
        (entry.embed(&mut spec.values, folder)).and_then(|()| registry.open(entry, &spec.values));
    Some(opened.map(|any_game| (spec, any_game)))
}

/// Whether the game can build the agent. Nested agents are checked first, so that a mistake in one
/// is reported at its own key. `table` is the table that the spec was read from.
pub(super) fn check_spec(
    spec: &Spec,
    table: &TomlTable,
    path: &str,
    any_game: &AnyGame,
    definitions: &Definitions,
    problems: &mut Problems,
) {
    let before = problems.mark();
    let params = definitions.kinds("agents").iter().find(|kind| kind.kind == spec.kind);
    let params = params.map_or(&[][..], |kind| &kind.params);
    for param in params.iter().filter(|param| param.ty == Type::Agent) {
        let inner = table.get(param.key).map(|entry| &entry.node.raw);
        if let (Some(inner_spec), Some(Raw::Table(inner))) = (spec.values.spec(param.key), inner) {
            let path = format!("{path}.{}", param.key);
            check_spec(inner_spec, inner, &path, any_game, definitions, problems);
        }
    }
    if problems.mark() == before
        && let Err(error) = any_game.check_agent(spec)
    {
        problems.report(from_param(&error, table, path));
    }
}

/// The error of a builder, at the key that it names.
pub(super) fn from_param(error: &ParamError, table: &TomlTable, path: &str) -> Diagnostic {
    let (place, key) = match &error.key {
        Some(key) => (table.locate(key).unwrap_or(table.span), join(path, key)),
        None => (table.span, path.to_owned()),
    };
    Diagnostic::at(place, key, error.message.as_str()).help(error.help.as_str())
}
