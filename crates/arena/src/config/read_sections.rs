//! Reads the tree of a config against the definitions, section by section.

use super::section_definitions::{Definitions, SectionShape, Top};
use crate::config::sections::agents_section;
use crate::config::sections::agents_section::AgentEntry;
use crate::config::tree::diagnostics::{Diagnostic, Problems};
use crate::config::tree::read_toml_table;
use crate::config::tree::read_toml_table::Owner;
use crate::config::tree::toml_tree::{Raw, TomlEntry, TomlTable};
use crate::params::{Param, Params, Spec, Values};
use std::collections::BTreeMap;

/// The sections that could be read.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub top: Option<Top>,
    /// The sections with fixed keys that have no mistake.
    pub values: BTreeMap<&'static str, Values>,
    /// The sections with a kind that have no mistake.
    pub specs: BTreeMap<&'static str, Spec>,
    pub agents: Vec<AgentEntry>,
}

impl Parts {
    /// A section with a kind, if it is correct.
    pub fn spec(&self, section: &str) -> Option<&Spec> {
        self.specs.get(section)
    }
}

pub(super) fn parts(tree: &TomlTable, definitions: &Definitions, problems: &mut Problems) -> Parts {
    let mut parts = Parts::default();
    let agents = definitions.kinds("agents");
    parts.top = top(tree, definitions, problems);
    for section in &definitions.sections {
        let entry = tree.get(section.key);
        let key = section.key;
        match &section.shape {
            SectionShape::Keys(params) => {
                let empty = TomlTable::empty(tree.span);
                let table = entry.map_or(Some(&empty), |entry| as_table(entry, problems));
                let owner = Owner::section(format!("`[{key}]`"));
                let read = table.and_then(|table| {
                    read_toml_table::values(table, params, &[], &owner, key, agents, problems)
                });
                parts.values.extend(read.map(|values| (key, values)));
            }
            SectionShape::OneOf { kinds, default } => {
                let read = match (entry, default) {
                    (Some(entry), _) => as_table(entry, problems).and_then(|table| {
                        // `openings` has one kind of opening.
                        let what = key.trim_end_matches('s');
                        read_toml_table::spec(table, kinds, agents, what, key, &[], problems)
                    }),
                    (None, Some(kind)) => {
                        let (kind, values) = ((*kind).to_owned(), Values::default());
                        Some(Spec { kind, values })
                    }
                    (None, None) => {
                        let example = kinds.first().map_or("", |kind| kind.kind);
                        problems.missing(
                            Diagnostic::at(tree.span, key, format!("`[{key}]` is missing"))
                                .help(format!("add `[{key}]` with `kind = \"{example}\"`")),
                        );
                        None
                    }
                };
                parts.specs.extend(read.map(|spec| (key, spec)));
            }
            SectionShape::Shared | SectionShape::Lists => {}
            SectionShape::Agents(kinds) => {
                parts.agents = agents_section::read(tree, kinds, problems)
            }
        }
    }
    problems.explain_unknown_keys(|word| home(word, definitions));
    parts
}

/// The keys before the first table.
fn top(tree: &TomlTable, definitions: &Definitions, problems: &mut Problems) -> Option<Top> {
    let sections: Vec<_> = definitions.sections.iter().map(|section| section.key).collect();
    let owner = Owner::section("the top of the file");
    let read =
        read_toml_table::values(tree, &definitions.top, &sections, &owner, "", &[], problems);
    read.map(|values| Top::read(&values).expect("the keys were checked"))
}

/// Where a key belongs that is unknown in its place, if a section or the top has it.
fn home(word: &str, definitions: &Definitions) -> Option<String> {
    let has = |params: &[Param]| params.iter().any(|param| param.key == word);
    let homes: Vec<String> = (definitions.sections.iter())
        .filter(|section| match &section.shape {
            SectionShape::Keys(params) => has(params),
            SectionShape::OneOf { kinds, .. } => kinds.iter().any(|kind| has(&kind.params)),
            _ => false,
        })
        .map(|section| format!("`[{}]`", section.key))
        .collect();
    match &homes[..] {
        [] if has(&definitions.top) => Some("it belongs before the first table".to_owned()),
        [] => None,
        [one] => Some(format!("it belongs in {one}")),
        [first @ .., last] => Some(format!("it belongs in {} or {last}", first.join(", "))),
    }
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
