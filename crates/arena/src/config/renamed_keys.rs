//! Old names of keys: renames them to the present names and warns about each.
//!
//! The definition of a parameter has its old name: see [`params!`](crate::params!). The tree is
//! renamed once, before it is checked. So everything after that knows only the present names.

use super::section_definitions::{Definitions, SectionShape};
use crate::config::sections::agent_names;
use crate::config::sections::agents_section;
use crate::config::tree::diagnostics::{Diagnostic, OldKey, Problems};
use crate::config::tree::game_or_agent_kind::ConfigKind;
use crate::config::tree::read_toml_table::join;
use crate::config::tree::sweep;
use crate::config::tree::toml_tree::{Raw, TomlEntry, TomlNode, TomlTable};
use crate::params::{Param, Type};

pub(super) fn rename(tree: &mut TomlTable, definitions: &Definitions, problems: &mut Problems) {
    let inner = definitions.kinds("agents");
    keys(tree, &definitions.top.iter().collect::<Vec<_>>(), inner, "", problems);
    for section in &definitions.sections {
        let Some(entry) = tree.entries.iter_mut().find(|entry| entry.key == section.key) else {
            continue;
        };
        match (&section.shape, &mut entry.node.raw) {
            (SectionShape::Keys(params), Raw::Table(table)) => {
                let params: Vec<_> = params.iter().collect();
                keys(table, &params, inner, section.key, problems);
            }
            (SectionShape::OneOf { kinds, .. }, Raw::Table(table)) => {
                drop(spec(table, kinds, inner, section.key, problems));
            }
            (SectionShape::Agents(kinds), Raw::List(items)) => {
                for (index, item) in items.iter_mut().enumerate() {
                    if let Raw::Table(table) = &mut item.raw {
                        let label = agents_section::label(table, kinds, index);
                        let path = join(section.key, &agents_section::part(&label));
                        let renamed = spec(table, kinds, kinds, &path, problems);
                        rename_in_name(table, kinds, &renamed);
                    }
                }
            }
            _ => {}
        }
    }
}

/// A renamed key: the old and the present name; those of a nested agent are dotted.
type Renamed = (String, String);

/// Renames the keys of a table with a `kind`, which may be a list.
pub(super) fn spec(
    table: &mut TomlTable,
    kinds: &[ConfigKind],
    agents: &[ConfigKind],
    path: &str,
    problems: &mut Problems,
) -> Vec<Renamed> {
    let named = sweep::named_kinds(table, kinds);
    let params: Vec<&Param> = named.into_iter().flat_map(|kind| &kind.params).collect();
    keys(table, &params, agents, path, problems)
}

fn keys(
    table: &mut TomlTable,
    params: &[&Param],
    agents: &[ConfigKind],
    path: &str,
    problems: &mut Problems,
) -> Vec<Renamed> {
    let mut renamed = Vec::new();
    let mut place = 0;
    while let Some(entry) = table.entries.get_mut(place) {
        place += 1;
        let Some(param) = params.iter().find(|param| param.is_called(&entry.key)) else { continue };
        if param.ty == Type::Agent
            && let Raw::Table(inner) = &mut entry.node.raw
        {
            let all = spec(inner, agents, agents, &join(path, param.key), problems);
            renamed.extend(all.into_iter().map(|(old, new)| {
                (format!("{}.{old}", param.key), format!("{}.{new}", param.key))
            }));
        }
        if entry.key == param.key {
            continue;
        }
        let (at, new) = (entry.at, param.key);
        let old = std::mem::replace(&mut entry.key, new.to_owned());
        let this = place - 1;
        let under_new_name =
            table.entries.iter().enumerate().find(|(i, e)| *i != this && e.key == new);
        if let Some((other, under_new_name)) =
            under_new_name.map(|(other, under_new_name)| (other, under_new_name.clone()))
        {
            place -= usize::from(other < this);
            one_of_old_and_new(
                table,
                this,
                other,
                &under_new_name,
                &old,
                &join(path, new),
                problems,
            );
        }
        problems.old_key(OldKey { at, old: old.clone(), new });
        renamed.push((old, new.to_owned()));
    }
    renamed
}

/// Keeps one of two entries for the same key. An option of the command line overrides the file;
/// otherwise only one of the names may be given.
fn one_of_old_and_new(
    table: &mut TomlTable,
    old: usize,
    other: usize,
    under_new_name: &TomlEntry,
    old_key: &str,
    key: &str,
    problems: &mut Problems,
) {
    let (at, new_at) = (table.entries[old].at, under_new_name.at);
    if at.source == new_at.source {
        problems.report(
            Diagnostic::at(at, key, format!("`{}` is given twice", under_new_name.key))
                .label(format!("`{old_key}` is its old name"))
                .also(new_at, "and here")
                .help(format!("keep `{}`", under_new_name.key)),
        );
    } else if new_at.source > at.source {
        table.entries[old] = under_new_name.clone();
    }
    table.entries.remove(other);
}

/// Keeps the name of an agent whose keys were renamed: its placeholders get the present names, and
/// a default name keeps the old words, so that an old results folder has the same agents.
fn rename_in_name(table: &mut TomlTable, kinds: &[ConfigKind], renamed: &[Renamed]) {
    if renamed.is_empty() {
        return;
    }
    let Some(entry) = table.entries.iter_mut().find(|entry| entry.key == "name") else {
        let swept = sweep::keys(table, kinds);
        if renamed.iter().any(|(_, new)| swept.contains(new)) {
            let mut text = agent_names::default_template("", &swept);
            for (old, new) in renamed {
                let dashed = |key: &str| format!("-{}{{{new}}}", key.replace('.', "-"));
                text = text.replace(&dashed(new), &dashed(old));
            }
            let name = Raw::Text(format!("{{kind}}{text}"));
            table.set("name", table.span, TomlNode::new(name, table.span));
        }
        return;
    };
    if let Raw::Text(text) = &mut entry.node.raw {
        for (old, new) in renamed {
            *text = text.replace(&format!("{{{old}}}"), &format!("{{{new}}}"));
        }
    }
}
