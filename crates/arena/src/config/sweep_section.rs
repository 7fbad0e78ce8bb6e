//! `[sweep]`: lists of values for keys of a whole run. Each combination is a run of its own. Lists in
//! an agent make agents instead.

use super::read_sections::as_table;
use super::section_definitions::{Definitions, SectionShape};
use crate::config::tree::diagnostics::{Diagnostic, Problems};
use crate::config::tree::read_toml_table::join;
use crate::config::tree::source_of_each_value::Span;
use crate::config::tree::sweep::combinations;
use crate::config::tree::toml_tree::{Raw, TomlNode, TomlTable, shorten};
use crate::params::Param;
use crate::util::did_you_mean::{nearest, one_of};

const KEY: &str = "sweep";

const SECTIONS: [&str; 4] = ["game", "openings", "schedule", "limits"];

/// The maximum number of runs.
const MOST: usize = 1000;

/// The longest name of a run's folder, in characters.
const LONGEST: usize = 120;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SweepRun {
    /// The values of this run, such as `seed=1,game.columns=5`; also the name of its folder.
    pub values: String,
    /// The name of the whole sweep.
    pub sweep: String,
    /// The options that play only this run: `--set sweep.game.columns=5`.
    pub options: String,
    pub runs: usize,
    /// The place of the section.
    pub(super) at: Span,
}

pub(super) struct SweptTree {
    pub values: String,
    pub options: String,
    pub at: Span,
    pub tree: TomlTable,
}

struct List {
    key: String,
    at: Span,
    values: TomlNode,
}

/// Takes the section out of the tree and makes a tree for each run. Empty without the section, and
/// after a mistake.
pub(super) fn expand(
    tree: &mut TomlTable,
    definitions: &Definitions,
    problems: &mut Problems,
) -> Vec<SweptTree> {
    let Some(at) = tree.entries.iter().position(|entry| entry.key == KEY) else {
        return Vec::new();
    };
    let section = tree.entries.remove(at);
    let Some(table) = as_table(&section, problems) else { return Vec::new() };
    let mut lists = Vec::new();
    let before = problems.mark();
    read_lists(table, "", &mut lists, problems);
    let keys = keys(definitions);
    for list in &lists {
        check_key(list, &keys, tree, problems);
    }
    if lists.is_empty() {
        let help = "add a list, such as `seed = [1, 2, 3]`";
        let message = "the sweep has no lists";
        problems.wrong(section.node.span, KEY, message, help);
    }
    if problems.mark() > before {
        return Vec::new();
    }
    let found: Vec<(String, &TomlNode)> =
        lists.iter().map(|list| (list.key.clone(), &list.values)).collect();
    let Some(all) = combinations(&found, (MOST, "runs"), (KEY, section.at), problems) else {
        return Vec::new();
    };
    let mut runs: Vec<SweptTree> = Vec::new();
    for choice in all {
        let mut one = tree.clone();
        let (mut values, mut options) = (Vec::new(), Vec::new());
        for (list, (key, node)) in lists.iter().zip(choice) {
            put(&mut one, key, list.at, node.clone());
            let value = word(&node.raw);
            if matches!(&list.values.raw, Raw::List(all) if all.len() > 1) {
                let typed = shlex::try_quote(&value).unwrap_or_default();
                options.push(format!("--set {KEY}.{key}={typed}"));
            }
            values.push(format!("{key}={value}"));
        }
        let values: String = values.join(",").chars().map(plain).take(LONGEST).collect();
        if runs.iter().any(|run| run.values == values) {
            let message = format!("two runs of the sweep would have the folder `{values}`");
            let help = "remove values that occur twice, and shorten texts";
            problems.wrong(section.at, KEY, message, help);
            return Vec::new();
        }
        let options = options.join(" ");
        runs.push(SweptTree { values, options, at: section.at, tree: one });
    }
    runs
}

/// The lists of the section. A single value is a list of one. A dotted key makes a table. On the
/// command line, a key replaces the same key of the file.
fn read_lists(table: &TomlTable, path: &str, lists: &mut Vec<List>, problems: &mut Problems) {
    for entry in &table.entries {
        let key = join(path, &entry.key);
        if let Raw::Table(inner) = &entry.node.raw {
            read_lists(inner, &key, lists, problems);
            continue;
        }
        let values = match &entry.node.raw {
            Raw::List(_) => entry.node.clone(),
            _ => TomlNode::new(Raw::List(vec![entry.node.clone()]), entry.node.span),
        };
        let list = List { key, at: entry.at, values };
        let Some(same) = lists.iter_mut().find(|other| other.key == list.key) else {
            lists.push(list);
            continue;
        };
        match (same.at.source, list.at.source) {
            (0, 0) => {
                let message = format!("`{}` is swept twice", list.key);
                let wrong = Diagnostic::at(list.at, join(KEY, &list.key), message);
                problems.report(wrong.also(same.at, "first here").help("remove one of the two"));
            }
            (0, _) => *same = list,
            _ => {}
        }
    }
}

fn keys(definitions: &Definitions) -> Vec<String> {
    let mut keys = vec!["seed".to_owned()];
    for section in SECTIONS {
        let mut add = |params: &[Param]| {
            let scalar = params.iter().filter(|param| param.ty.is_scalar());
            keys.extend(scalar.map(|param| join(section, param.key)));
        };
        match definitions.section(section).map(|section| &section.shape) {
            Some(SectionShape::Keys(params)) => add(params),
            Some(SectionShape::OneOf { kinds, .. }) => {
                kinds.iter().for_each(|kind| add(&kind.params));
                keys.push(join(section, "kind"));
            }
            _ => {}
        }
    }
    keys.sort();
    keys.dedup();
    keys
}

/// Reports a key that cannot be swept, or that has another value beside the sweep.
fn check_key(list: &List, keys: &[String], tree: &TomlTable, problems: &mut Problems) {
    let List { key, at, .. } = list;
    let path = join(KEY, key);
    if keys.contains(key) {
        let (section, rest) = key.split_once('.').unwrap_or((key, ""));
        let other = match (tree.get(section), rest) {
            (entry, "") => entry,
            _ => tree.table(section).and_then(|table| table.get(rest)),
        };
        if let Some(other) = other {
            let message = format!("`{key}` is swept and also has a value");
            let wrong = Diagnostic::at(*at, path, message).also(other.at, "its value");
            problems
                .report(wrong.help("remove one of the two; `--set sweep.KEY=VALUE` plays one run"));
        }
        return;
    }
    let message = format!("`{}` cannot be swept", shorten(key));
    let ends = |known: &&String| known.rsplit('.').next() == Some(key);
    let near = keys.iter().find(ends).map(String::as_str);
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let help = match near.or_else(|| nearest(key, &keys)) {
        _ if key.starts_with("agents") || key.starts_with("each") => {
            "write the list in the agent itself, such as `depth = [3, 4]`: it makes one agent of \
             each entry"
                .to_owned()
        }
        Some(near) => format!("did you mean `{near}`?"),
        None => one_of(&keys),
    };
    problems.wrong(*at, path, message, help);
}

/// Sets `seed`, or a key of a section, which is made if necessary.
fn put(tree: &mut TomlTable, key: &str, at: Span, node: TomlNode) {
    let Some((section, key)) = key.split_once('.') else {
        tree.set(key, at, node);
        return;
    };
    if tree.get(section).is_none() {
        tree.set(section, at, TomlNode::new(Raw::Table(TomlTable::empty(at)), at));
    }
    let entry = tree.entries.iter_mut().find(|entry| entry.key == section);
    if let Some(Raw::Table(table)) = entry.map(|entry| &mut entry.node.raw) {
        table.set(key, at, node);
    }
}

/// A value as a part of a folder's name.
fn word(value: &Raw) -> String {
    match value {
        Raw::Text(text) => text.clone(),
        Raw::Float(float) => float.to_string(),
        other => other.describe(),
    }
}

/// The character, or `-` if it does not belong into the name of a folder.
fn plain(c: char) -> char {
    match c.is_alphanumeric() || "._=,-+".contains(c) {
        true => c,
        false => '-',
    }
}
