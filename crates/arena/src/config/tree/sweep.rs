//! Sweeps: a list in the place of one value makes one agent per entry. Several lists make all their
//! combinations; the last list changes fastest. Lists are expanded on the tree before any checks.

use super::config_kind::ConfigKind;
use super::diagnostics::Problems;
use super::source_of_each_value::Span;
use super::toml_tree::{Raw, TomlNode, TomlTable};
use crate::params::Type;

pub(crate) struct Sweep {
    /// The swept keys in the order of the file; empty without a list.
    pub keys: Vec<String>,
    /// One table per agent.
    pub tables: Vec<TomlTable>,
}

/// The swept keys of a table; those of a nested agent are dotted.
pub(crate) fn keys(table: &TomlTable, kinds: &[ConfigKind]) -> Vec<String> {
    let mut found = Vec::new();
    lists(table, kinds, "", &mut found);
    found.into_iter().map(|(key, _)| key).collect()
}

/// Expands a table. `None` if that is not possible, which is then reported.
pub(crate) fn expand(
    table: &TomlTable,
    kinds: &[ConfigKind],
    most: usize,
    path: &str,
    problems: &mut Problems,
) -> Option<Sweep> {
    let mut found = Vec::new();
    lists(table, kinds, "", &mut found);
    let all = combinations(&found, (most, "agents"), (path, table.span), problems)?;
    let mut tables = Vec::new();
    for choice in all {
        let mut one = table.clone();
        choice.into_iter().for_each(|(key, value)| put(&mut one, key, value));
        tables.push(one);
    }
    Some(Sweep { keys: found.into_iter().map(|(key, _)| key).collect(), tables })
}

/// All combinations of one entry of each list, with its key. `None` if a list is empty or if there
/// are too many combinations, which is then reported.
pub(crate) fn combinations<'t>(
    found: &'t [(String, &'t TomlNode)],
    (most, what): (usize, &str),
    (path, place): (&str, Span),
    problems: &mut Problems,
) -> Option<Vec<Vec<(&'t str, &'t TomlNode)>>> {
    let mut count = 1usize;
    for (key, list) in found {
        let Raw::List(items) = &list.raw else { continue };
        if items.is_empty() {
            let path = format!("{path}.{key}");
            let one = what.trim_end_matches('s');
            let help = format!("there is one {one} for each entry: give at least one");
            let message = format!("the list of `{key}` is empty");
            problems.wrong(list.span, path, message, help);
            return None;
        }
        count = count.saturating_mul(items.len());
    }
    if count > most {
        let message = format!("the lists make more than {most} {what}");
        let help = format!("shorten the lists, or write the {what} that you need");
        problems.wrong(place, path, message, help);
        return None;
    }
    let mut all = Vec::new();
    for number in 0..count {
        let (mut choice, mut left) = (Vec::new(), number);
        // The last list changes fastest: it is the lowest digit of the number.
        for (key, list) in found.iter().rev() {
            if let Raw::List(items) = &list.raw {
                choice.push((key.as_str(), &items[left % items.len()]));
                left /= items.len();
            }
        }
        choice.reverse();
        all.push(choice);
    }
    Some(all)
}

/// The kinds that a table names; several if its kind is a list.
pub(crate) fn named_kinds<'k>(table: &TomlTable, kinds: &'k [ConfigKind]) -> Vec<&'k ConfigKind> {
    let Some(entry) = table.get("kind") else { return Vec::new() };
    let named = |kind: &&ConfigKind| match &entry.node.raw {
        Raw::List(words) => words.iter().any(|word| word.text() == Some(kind.kind)),
        _ => entry.node.text() == Some(kind.kind),
    };
    kinds.iter().filter(named).collect()
}

/// Finds the lists that are in the place of one value.
fn lists<'t>(
    table: &'t TomlTable,
    kinds: &[ConfigKind],
    path: &str,
    found: &mut Vec<(String, &'t TomlNode)>,
) {
    let candidates = named_kinds(table, kinds);
    for entry in &table.entries {
        let key = if path.is_empty() { entry.key.clone() } else { format!("{path}.{}", entry.key) };
        let mut types = candidates
            .iter()
            .flat_map(|kind| &kind.params)
            .filter(|param| param.key == entry.key)
            .map(|param| &param.ty);
        match &entry.node.raw {
            Raw::List(_) if entry.key == "kind" || types.any(Type::is_scalar) => {
                found.push((key, &entry.node));
            }
            Raw::Table(inner) if types.any(|ty| *ty == Type::Agent) => {
                lists(inner, kinds, &key, found);
            }
            _ => {}
        }
    }
}

/// Replaces the value of an existing dotted key.
fn put(table: &mut TomlTable, path: &str, value: &TomlNode) {
    let (key, rest) = match path.split_once('.') {
        Some((key, rest)) => (key, Some(rest)),
        None => (path, None),
    };
    let Some(entry) = table.entries.iter_mut().find(|entry| entry.key == key) else {
        return;
    };
    match (rest, &mut entry.node.raw) {
        (Some(rest), Raw::Table(inner)) => put(inner, rest, value),
        _ => entry.node = value.clone(),
    }
}
