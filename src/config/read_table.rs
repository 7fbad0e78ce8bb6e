//! Reads tables against definitions: unknown keys, missing keys, kinds, nested agents.

use super::check_value;
use super::diagnostic::{Diagnostic, Problems};
use super::kind::ConfigKind;
use super::toml_tree::{Raw, TomlTable, shorten};
use super::value_source::Span;
use crate::gather::Gather;
use crate::params::{Default, Param, Spec, Type, Value, Values, toml_key};
use crate::suggest::{did_you_mean, nearest, one_of};

/// The owner of the keys, for messages.
pub(super) struct Owner<'a> {
    /// Its name inside a sentence.
    pub name: String,
    /// The kinds of the same section. An unknown key may belong to another kind.
    pub siblings: &'a [ConfigKind],
}

impl Owner<'_> {
    /// A section with fixed keys.
    pub fn section(name: impl Into<String>) -> Self {
        Owner { name: name.into(), siblings: &[] }
    }
}

/// Reads the keys of a table, except those in `known`, which the caller reads.
///
/// Missing keys take their defaults. `None` if anything is wrong.
pub(super) fn values(
    table: &TomlTable,
    params: &[Param],
    known: &[&str],
    owner: &Owner<'_>,
    path: &str,
    agents: &[ConfigKind],
    problems: &mut Problems,
) -> Option<Values> {
    let before = problems.mark();
    let mut values = Values::default();
    for entry in &table.entries {
        if known.contains(&entry.key.as_str()) {
            continue;
        }
        let key = join_part(path, &entry.key);
        let Some(param) = params.iter().find(|param| param.key == entry.key) else {
            let keys: Vec<_> =
                known.iter().copied().chain(params.iter().map(|param| param.key)).gather();
            problems.report(unknown_key(&entry.key, entry.at, &key, owner, &keys));
            continue;
        };
        let value = match (&param.ty, &entry.node.raw) {
            (Type::Agent, Raw::Table(inner)) => {
                spec(inner, agents, agents, "agent", &key, &[], problems)
                    .map(|spec| Value::Spec(Box::new(spec)))
            }
            // On the command line, a kind alone is an agent.
            (Type::Agent, Raw::Text(_)) if entry.node.bare.is_some() => {
                let mut inner = TomlTable::empty(entry.node.span);
                inner.set("kind", entry.node.span, entry.node.clone());
                spec(&inner, agents, agents, "agent", &key, &[], problems)
                    .map(|spec| Value::Spec(Box::new(spec)))
            }
            _ => {
                let (value, wrong) = check_value::check_each(&entry.node, param, &key);
                let right = wrong.is_empty();
                wrong.into_iter().for_each(|wrong| problems.report(wrong));
                value.filter(|_| right)
            }
        };
        if let Some(value) = value {
            values.set(param.key, value);
        }
    }
    for param in params.iter().filter(|param| table.get(param.key).is_none()) {
        match &param.default {
            Default::Is(value) => values.set(param.key, value.clone()),
            Default::Absent => {}
            Default::Required => {
                let key = join(path, param.key);
                let message = format!("`{key}` is missing");
                problems.missing(
                    Diagnostic::at(table.span, key, message)
                        .label(format!("{} needs `{}`", owner.name, param.key))
                        .help(format!("add `{} = …`: {}", param.key, param.help)),
                );
            }
        }
    }
    (problems.mark() == before).then_some(values)
}

/// Reads a table with a `kind`.
pub(super) fn spec(
    table: &TomlTable,
    kinds: &[ConfigKind],
    agents: &[ConfigKind],
    what: &str,
    path: &str,
    known: &[&str],
    problems: &mut Problems,
) -> Option<Spec> {
    let kind = kind(table, kinds, what, path, problems)?;
    let mut structural = vec!["kind"];
    structural.extend(known);
    let owner = Owner { name: format!("`{}`", kind.kind), siblings: kinds };
    let values = values(table, &kind.params, &structural, &owner, path, agents, problems)?;
    Some(Spec { kind: kind.kind.to_owned(), values })
}

/// The help text for a human player in an experiment.
const PEOPLE: &str =
    "people play in the terminal: `agon play --game SPEC --agent SPEC`, `--agent human` for two";

/// The kind that a table names.
fn kind<'k>(
    table: &TomlTable,
    kinds: &'k [ConfigKind],
    what: &str,
    path: &str,
    problems: &mut Problems,
) -> Option<&'k ConfigKind> {
    let words: Vec<_> = kinds.iter().map(|kind| kind.kind).gather();
    let key = join(path, "kind");
    let Some(entry) = table.get("kind") else {
        problems.missing(
            Diagnostic::at(table.span, &key, format!("`{key}` is missing"))
                .label(format!("which kind of {what}?"))
                .help(format!("{}, as in `kind = \"{}\"`", one_of(&words), words.first()?)),
        );
        return None;
    };
    let Some(word) = entry.node.text() else {
        problems.report(
            Diagnostic::at(entry.node.span, &key, format!("`{key}` must be text in quotes"))
                .label(entry.node.raw.describe())
                .help(one_of(&words)),
        );
        return None;
    };
    let found = kinds.iter().find(|kind| kind.kind == word);
    if found.is_none() {
        problems.report(
            Diagnostic::at(
                entry.node.span,
                key,
                format!("there is no {what} of kind \"{}\"", shorten(word)),
            )
            .help(match (what, word) {
                ("agent", "human") => PEOPLE.to_owned(),
                _ => did_you_mean(word, &words),
            }),
        );
    }
    found
}

/// The mistake of a key that does not exist.
fn unknown_key(word: &str, at: Span, key: &str, owner: &Owner<'_>, keys: &[&str]) -> Diagnostic {
    let message = format!("unknown key `{}`", shorten(word));
    let diagnostic = Diagnostic::at(at, key, message);
    if let Some(near) = nearest(word, keys.iter().copied()) {
        return diagnostic.help(format!("did you mean `{near}`?"));
    }
    let homes: Vec<_> = owner
        .siblings
        .iter()
        .filter(|kind| kind.params.iter().any(|param| param.key == word))
        .map(|kind| format!("`{}`", kind.kind))
        .gather();
    let help = match homes.as_slice() {
        [] => one_of(keys),
        homes => format!("it is a key of {}", homes.join(", ")),
    };
    diagnostic.label(format!("not a key of {}", owner.name)).help(help)
}

/// A dotted key with one more part, quoted if necessary.
pub(super) fn join_part(path: &str, key: &str) -> String {
    join(path, &shorten(&toml_key(key)))
}

/// Appends a dotted key to another, which may be empty.
pub(super) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
