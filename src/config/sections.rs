//! Reads the tree of a config against the definitions, section by section.

use super::agents::{self, AgentEntry};
use super::definitions::{Definitions, SectionShape, Top};
use super::diagnostic::{Diagnostic, Problems};
use super::read_table;
use super::toml_tree::{Raw, TomlEntry, TomlTable};
use crate::gather::Gather;
use crate::params::{Params, Spec, Values};
use crate::sorted_map::SortedMap;

/// The correct sections. A section with a mistake is missing here and has been reported.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub top: Option<Top>,
    keys: SortedMap<&'static str, Values>,
    specs: SortedMap<&'static str, Spec>,
    pub agents: Vec<AgentEntry>,
}

impl Parts {
    /// The values of a section with fixed keys.
    pub fn values(&self, section: &str) -> Option<&Values> {
        self.keys.iter().find(|(key, _)| *key == section).map(|(_, values)| values)
    }

    /// A section with a kind.
    pub fn spec(&self, section: &str) -> Option<&Spec> {
        self.specs.iter().find(|(key, _)| *key == section).map(|(_, spec)| spec)
    }
}

/// Reads every section.
pub(super) fn parts(tree: &TomlTable, definitions: &Definitions, problems: &mut Problems) -> Parts {
    let mut parts = Parts::default();
    let agents = definitions.kinds("agents");
    parts.top = top(tree, definitions, problems);
    for section in &definitions.sections {
        let entry = tree.get(section.key);
        match &section.shape {
            SectionShape::Keys(params) => {
                let empty = TomlTable::empty(tree.span);
                let Some(table) = entry.map_or(Some(&empty), |entry| as_table(entry, problems))
                else {
                    continue;
                };
                let owner = read_table::Owner::section(format!("`[{}]`", section.key));
                let values =
                    read_table::values(table, params, &[], &owner, section.key, agents, problems);
                if let Some(values) = values {
                    parts.keys.insert(section.key, values);
                }
            }
            SectionShape::OneOf { kinds, default } => {
                let spec = match (entry, default) {
                    (Some(entry), _) => as_table(entry, problems).and_then(|table| {
                        read_table::spec(
                            table,
                            kinds,
                            agents,
                            section.key,
                            section.key,
                            &[],
                            problems,
                        )
                    }),
                    (None, Some(kind)) => {
                        Some(Spec { kind: (*kind).to_owned(), values: Values::default() })
                    }
                    (None, None) => {
                        let example = kinds.first().map_or("", |kind| kind.kind);
                        problems.missing(
                            Diagnostic::at(
                                tree.span,
                                section.key,
                                format!("`[{}]` is missing", section.key),
                            )
                            .help(format!("add `[{}]` with `kind = \"{example}\"`", section.key)),
                        );
                        None
                    }
                };
                if let Some(spec) = spec {
                    parts.specs.insert(section.key, spec);
                }
            }
            SectionShape::Agents(kinds) => parts.agents = agents::read(tree, kinds, problems),
        }
    }
    parts
}

/// The keys before the first table.
fn top(tree: &TomlTable, definitions: &Definitions, problems: &mut Problems) -> Option<Top> {
    let sections: Vec<_> = definitions.sections.iter().map(|section| section.key).gather();
    // A key of a section at the top is the most common mistake: name the section.
    let (plain, known): (Vec<_>, Vec<_>) =
        tree.entries.iter().cloned().partition(|entry| misplaced(entry, definitions).is_none());
    for entry in known {
        let home = misplaced(&entry, definitions).unwrap_or_default();
        problems.report(
            Diagnostic::at(entry.at, &entry.key, format!("unknown key `{}`", entry.key))
                .label("not at the top of the file")
                .help(format!("it belongs into `[{home}]`")),
        );
    }
    let rest = TomlTable { entries: plain, span: tree.span };
    let owner = read_table::Owner::section("the top of the file");
    let values = read_table::values(&rest, &definitions.top, &sections, &owner, "", &[], problems)?;
    Some(Top::read(&values).expect("the keys were checked"))
}

/// The section that has a key which is unknown at the top.
fn misplaced(entry: &TomlEntry, definitions: &Definitions) -> Option<&'static str> {
    let at_top = definitions.top.iter().any(|param| param.key == entry.key)
        || definitions.section(&entry.key).is_some();
    if at_top {
        return None;
    }
    definitions
        .sections
        .iter()
        .find(|section| match &section.shape {
            SectionShape::Keys(params) => params.iter().any(|param| param.key == entry.key),
            _ => false,
        })
        .map(|section| section.key)
}

/// The table of a section. Reports a value that is not a table.
pub(super) fn as_table<'t>(entry: &'t TomlEntry, problems: &mut Problems) -> Option<&'t TomlTable> {
    let key = &entry.key;
    let help = match &entry.node.raw {
        Raw::Table(table) => return Some(table),
        Raw::List(_) => format!("write `[{key}]` once, in single brackets"),
        _ => format!("write `[{key}]` on a line of its own, then its keys"),
    };
    problems.report(
        Diagnostic::at(entry.node.span, key, format!("`{key}` must be a table"))
            .label(entry.node.raw.describe())
            .help(help),
    );
    None
}
