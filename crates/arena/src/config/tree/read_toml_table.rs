//! Reads tables against definitions: unknown keys, missing keys, kinds, nested agents.

use super::check_parameter_value;
use super::config_kind::ConfigKind;
use super::diagnostics::{Diagnostic, Problems};
use super::keys_of_other_programs;
use super::source_of_each_value::Span;
use super::toml_tree::{Raw, TomlEntry, TomlNode, TomlTable, shorten};
use crate::params::{Default, Param, Spec, Type, Value, Values, toml_key};
use crate::util::did_you_mean::{did_you_mean, nearest, one_of};

/// The owner of the keys, for messages.
pub(crate) struct Owner<'a> {
    /// Its name inside a sentence.
    pub name: String,
    /// The kinds of the same section. An unknown key may belong to another kind.
    pub siblings: &'a [ConfigKind],
}

impl Owner<'_> {
    pub fn section(name: impl Into<String>) -> Self {
        Owner { name: name.into(), siblings: &[] }
    }
}

/// Reads the keys of a table, except those in `known`, which the caller reads.
///
/// Missing keys take their defaults. `None` after a mistake; all mistakes of the table are then
/// reported.
pub(crate) fn values(
    table: &TomlTable,
    params: &[Param],
    known: &[&str],
    owner: &Owner<'_>,
    path: &str,
    agents: &[ConfigKind],
    problems: &mut Problems,
) -> Option<Values> {
    let mut values = Values::default();
    let before = problems.mark();
    for entry in &table.entries {
        if known.contains(&entry.key.as_str()) {
            continue;
        }
        let key = join_part(path, &entry.key);
        let Some(param) = params.iter().find(|param| param.key == entry.key) else {
            let keys: Vec<_> =
                known.iter().copied().chain(params.iter().map(|param| param.key)).collect();
            let mut unknown = unknown_key(&entry.key, entry.at, &key, owner, &keys);
            if let (Some(right), true) = (right_option(entry), keys.contains(&"options")) {
                unknown = unknown.help(format!("write `{right}`"));
            }
            problems.report(unknown);
            continue;
        };
        if let Some(value) = value(&entry.node, param, &key, agents, problems) {
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

/// Reads the value of one key, which may be a nested agent.
fn value(
    node: &TomlNode,
    param: &Param,
    key: &str,
    agents: &[ConfigKind],
    problems: &mut Problems,
) -> Option<Value> {
    // On the command line, a kind alone is an agent.
    let mut inner = TomlTable::empty(node.span);
    let inner = match (&param.ty, &node.raw) {
        (Type::Agent, Raw::Table(inner)) => Some(inner),
        (Type::Agent, Raw::Text(_)) if node.bare.is_some() => {
            inner.set("kind", node.span, node.clone());
            Some(&inner)
        }
        _ => None,
    };
    if let Some(inner) = inner {
        let spec = spec(inner, agents, agents, "agent", key, &[], problems)?;
        return Some(Value::Spec(Box::new(spec)));
    }
    let (value, wrong) = check_parameter_value::check_each(node, param, key);
    wrong.into_iter().for_each(|wrong| problems.report(wrong));
    value
}

/// Reads a table with a `kind`.
pub(crate) fn spec(
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

const PEOPLE: &str =
    "people play in the terminal: `agon play --game SPEC --agent SPEC`, `--agent human` for two";

fn kind<'k>(
    table: &TomlTable,
    kinds: &'k [ConfigKind],
    what: &str,
    path: &str,
    problems: &mut Problems,
) -> Option<&'k ConfigKind> {
    let words: Vec<_> = kinds.iter().map(|kind| kind.kind).collect();
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
        let message = format!("there is no {what} of kind \"{}\"", shorten(word));
        let help = match (what, word) {
            ("agent", "human") => PEOPLE.to_owned(),
            ("agent", path) if path.contains('/') => {
                format!("an engine is an agent, too: `engine:command={}`", shorten(path))
            }
            _ => did_you_mean(word, &words),
        };
        problems.wrong(entry.node.span, key, message, help);
    }
    found
}

fn unknown_key(word: &str, at: Span, key: &str, owner: &Owner<'_>, keys: &[&str]) -> Diagnostic {
    let message = format!("unknown key `{}`", shorten(word));
    let diagnostic = Diagnostic::at(at, key, message).label(format!("not a key of {}", owner.name));
    let homes: Vec<_> = owner
        .siblings
        .iter()
        .filter(|kind| kind.params.iter().any(|param| param.key == word))
        .map(|kind| format!("`{}`", kind.kind))
        .collect();
    let near = nearest(word, keys);
    let help = match (&homes[..], keys_of_other_programs::answer(word), near) {
        ([], Some(answer), _) => answer.to_owned(),
        (_, _, Some(near)) => format!("did you mean `{near}`?"),
        ([], None, None) => one_of(keys),
        (homes, ..) => {
            let of_others = || format!("it is a key of {}", homes.join(", "));
            let instead = keys_of_other_programs::answer_for_own_agents(word);
            return diagnostic.help(instead.map_or_else(of_others, str::to_owned));
        }
    };
    diagnostic.unknown_key(word).help(help)
}

/// The key for an option of an engine that is written as fastchess does: `option.Hash`.
pub(crate) fn right_option(entry: &TomlEntry) -> Option<String> {
    match &entry.node.raw {
        Raw::Table(table) if entry.key == "option" => {
            Some(join_part("options", &table.entries.first()?.key))
        }
        _ => None,
    }
}

/// A dotted key with one more part, quoted if necessary.
pub(crate) fn join_part(path: &str, key: &str) -> String {
    join(path, &shorten(&toml_key(key)))
}

/// Appends a dotted key to another, which may be empty.
pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
