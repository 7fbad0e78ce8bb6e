//! Options of the command line that override keys of the config. They are put into the tree before it is
//! checked, so their values pass the same checks.

#![deny(missing_docs)]

use super::section_definitions::Definitions;
use crate::config::sections::agents_section;
use crate::config::tree::config_kind::ConfigKind;
use crate::config::tree::diagnostics::{Diagnostic, Problems};
use crate::config::tree::read_toml_table::join_part;
use crate::config::tree::source_of_each_value::{Span, ValueSource};
use crate::config::tree::toml_tree::{self, Raw, TomlNode, TomlTable, shorten};
use crate::params::toml_key;
use crate::util::did_you_mean::did_you_mean;

/// The overrides of the command line.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overrides {
    /// `--set KEY=VALUE`, in the order given; later ones win.
    ///
    /// `KEY` is dotted: `schedule.games`, `game.columns`, `agents.NAME.depth`. `NAME` is the name
    /// as written in the file (`mm{depth}`) or the number of the table from 0. A part that contains
    /// dots goes in quotes. `VALUE` is TOML, or else plain text.
    pub set: Vec<String>,
    /// `--seed N`.
    pub seed: Option<u64>,
    /// `--games N`.
    pub games: Option<u64>,
    /// A sequential test, even if the config has no `[sprt]`.
    pub sequential: Option<Sequential>,
    /// A tune, which the config must then describe in `[tune]`.
    pub tune: bool,
}

/// The options for a sequential test. Values that are not given come from the config.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sequential {
    /// `--elo0 X`.
    pub elo0: Option<f64>,
    /// `--elo1 X`.
    pub elo1: Option<f64>,
    /// `--alpha X`.
    pub alpha: Option<f64>,
    /// `--beta X`.
    pub beta: Option<f64>,
}

const DEEPEST: usize = 12;

pub(super) fn apply(
    tree: &mut TomlTable,
    overrides: &Overrides,
    definitions: &Definitions,
    sources: &mut Vec<ValueSource>,
    problems: &mut Problems,
) {
    let kinds = definitions.kinds("agents");
    for text in &overrides.set {
        let source = ValueSource::typed("--set", format!("--set {text}"));
        sources.push(source);
        if let Err(wrong) = set(tree, text, sources.len() - 1, "--set ".len(), kinds) {
            problems.report(*wrong);
        }
    }
    let numbers = [
        ("--seed", &["seed"][..], overrides.seed),
        ("--games", &["schedule", "games"], overrides.games),
    ];
    for (option, keys, number) in numbers {
        let Some(number) = number else { continue };
        let raw = i64::try_from(number).map_or(Raw::Huge(number.to_string()), Raw::Int);
        option_value(tree, option, keys, raw, number.to_string(), sources, problems);
    }
    if overrides.tune {
        add_section(tree, "tune", "agon tune", sources);
    }
    if let Some(sequential) = &overrides.sequential {
        self::sequential(tree, sequential, sources, problems);
    }
}

/// Adds an empty section that a command needs, if the config lacks it.
fn add_section(tree: &mut TomlTable, key: &str, command: &str, sources: &mut Vec<ValueSource>) {
    if tree.get(key).is_none() {
        let span = Span::new(sources.len(), "agon ".len()..command.len());
        sources.push(ValueSource::typed(key, command));
        tree.set(key, span, TomlNode::new(Raw::Table(TomlTable::empty(span)), span));
    }
}

fn sequential(
    tree: &mut TomlTable,
    options: &Sequential,
    sources: &mut Vec<ValueSource>,
    problems: &mut Problems,
) {
    add_section(tree, "sprt", "agon sprt", sources);
    for (option, key, value) in [
        ("--elo0", "elo0", options.elo0),
        ("--elo1", "elo1", options.elo1),
        ("--alpha", "alpha", options.alpha),
        ("--beta", "beta", options.beta),
    ] {
        let Some(value) = value else { continue };
        let raw = Raw::Float(value);
        option_value(tree, option, &["sprt", key], raw, value.to_string(), sources, problems);
    }
}

fn option_value(
    tree: &mut TomlTable,
    option: &'static str,
    keys: &[&str],
    raw: Raw,
    value: String,
    sources: &mut Vec<ValueSource>,
    problems: &mut Problems,
) {
    let text = format!("{option} {value}");
    let span = Span::new(sources.len(), option.len() + 1..text.len());
    sources.push(ValueSource::typed(option, text));
    let path: Vec<Step> =
        keys.iter().map(|key| Step { key: (*key).to_owned(), at: span }).collect();
    if let Err(wrong) = put(tree, &path, TomlNode::new(raw, span), &[]) {
        problems.report(*wrong);
    }
}

struct Step {
    key: String,
    at: Span,
}

type Wrong = Box<Diagnostic>;

/// Puts one `KEY=VALUE` into the tree.
fn set(
    tree: &mut TomlTable,
    text: &str,
    source: usize,
    by: usize,
    kinds: &[ConfigKind],
) -> Result<(), Wrong> {
    let whole = Span::new(source, by..by + text.len());
    let form = |message: &str| {
        Box::new(
            Diagnostic::at(whole, "--set", message)
                .help("write it as KEY=VALUE, for example `--set schedule.games=50`"),
        )
    };
    let (path, end) = path(text, source, by).map_err(form)?;
    if path.len() > DEEPEST {
        return Err(form("the key has too many parts"));
    }
    let value = toml_tree::typed(source, &text[end + 1..], by + end + 1);
    put(tree, &path, value, kinds)
}

/// Splits `KEY=VALUE` at the first `=` outside quotes. The key is TOML: its parts have quotes where they
/// need them.
///
/// # Errors
/// A text without a key or without `=`.
pub fn key_and_value(text: &str) -> Result<(String, &str), &'static str> {
    let (steps, end) = path(text, 0, 0)?;
    let keys: Vec<String> = steps.iter().map(|step| toml_key(&step.key)).collect();
    Ok((keys.join("."), &text[end + 1..]))
}

/// Reads the dotted key up to the `=`. Also returns the place of the `=`.
fn path(text: &str, source: usize, by: usize) -> Result<(Vec<Step>, usize), &'static str> {
    let mut steps = Vec::new();
    let (mut begin, mut quote, mut braces) = (0, None, 0usize);
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            // `{a.b}` in a name is a placeholder.
            (None, '{') => braces += 1,
            (None, '}') => braces = braces.saturating_sub(1),
            (None, '.') if braces > 0 => {}
            (None, '.' | '=') => {
                let key = text[begin..i].trim();
                let bare = key
                    .strip_prefix(['"', '\''])
                    .and_then(|rest| rest.strip_suffix(['"', '\'']))
                    .unwrap_or(key);
                if bare.is_empty() {
                    return Err("a part of the key is empty");
                }
                let at = Span::new(source, by + begin..by + i);
                steps.push(Step { key: bare.to_owned(), at });
                begin = i + 1;
                if c == '=' {
                    return Ok((steps, i));
                }
            }
            _ => {}
        }
    }
    Err("there is no `=` after the key")
}

/// Puts a value at a dotted key. Creates missing tables on the way.
fn put(
    tree: &mut TomlTable,
    path: &[Step],
    value: TomlNode,
    kinds: &[ConfigKind],
) -> Result<(), Wrong> {
    match path {
        [first, name, rest @ ..] if first.key == "agents" => {
            let node = agent(tree, name, kinds)?;
            if rest.is_empty() && !matches!(value.raw, Raw::Table(_)) {
                let shown = shorten(&name.key);
                let message = format!("`agents.{shown}` is a whole agent");
                let wrong = Diagnostic::at(name.at, "agents", message).label(value.raw.describe());
                let help = format!("set one of its keys, such as `agents.{shown}.name=…`");
                return Err(Box::new(wrong.help(help)));
            }
            replace(node, rest, value, "agents")
        }
        _ => insert(tree, path, value, ""),
    }
}

/// Puts a value into a table; `above` is the key of the table.
fn insert(table: &mut TomlTable, path: &[Step], value: TomlNode, above: &str) -> Result<(), Wrong> {
    let [step, rest @ ..] = path else { return Ok(()) };
    if table.get(&step.key).is_none() {
        let empty = TomlNode::new(Raw::Table(TomlTable::empty(step.at)), step.at);
        table.set(&step.key, step.at, empty);
    }
    if rest.is_empty() {
        table.set(&step.key, step.at, value);
        return Ok(());
    }
    match table.entries.iter_mut().find(|entry| entry.key == step.key) {
        Some(entry) => replace(&mut entry.node, rest, value, &join_part(above, &step.key)),
        None => Ok(()),
    }
}

/// Replaces a node, or puts the value below the node if the path has more parts.
fn replace(node: &mut TomlNode, path: &[Step], value: TomlNode, key: &str) -> Result<(), Wrong> {
    let Some(step) = path.first() else {
        *node = value;
        return Ok(());
    };
    let found = node.raw.describe();
    match &mut node.raw {
        Raw::Table(table) => insert(table, path, value, key),
        Raw::List(items) => {
            let count = items.len();
            match step.key.parse::<usize>().ok().and_then(|index| items.get_mut(index)) {
                Some(item) => replace(item, &path[1..], value, key),
                None => {
                    let message = format!("`{key}` has no entry `{}`", shorten(&step.key));
                    let entries = match count {
                        0 => "it is empty".to_owned(),
                        count => format!("its entries are numbered from 0 to {}", count - 1),
                    };
                    Err(Box::new(Diagnostic::at(step.at, key, message).help(entries)))
                }
            }
        }
        _ => {
            let message = format!("`{key}` is not a table and has no keys");
            let wrong = Diagnostic::at(step.at, key, message).label(format!("`{key}` is {found}"));
            Err(Box::new(wrong.help(format!("set `{key}` itself"))))
        }
    }
}

/// The table of an agent, by its name in the file or by its number.
fn agent<'t>(
    tree: &'t mut TomlTable,
    name: &Step,
    kinds: &[ConfigKind],
) -> Result<&'t mut TomlNode, Wrong> {
    let message = format!("there is no agent `{}`", shorten(&name.key));
    let wrong = Diagnostic::at(name.at, "agents", message);
    let Some(entry) = tree.entries.iter_mut().find(|entry| entry.key == "agents") else {
        return Err(Box::new(wrong.help("the config has no agents at all")));
    };
    let Raw::List(items) = &mut entry.node.raw else {
        return Err(Box::new(wrong.help("`agents` is not a list of tables")));
    };
    let labels: Vec<String> = items
        .iter()
        .enumerate()
        .map(|(i, item)| match &item.raw {
            Raw::Table(table) => agents_section::label(table, kinds, i),
            _ => i.to_string(),
        })
        .collect();
    let by_name = labels.iter().position(|label| *label == name.key);
    let index = by_name.or_else(|| name.key.parse::<usize>().ok());
    match index.and_then(|index| items.get_mut(index)) {
        Some(node) => Ok(node),
        None => {
            let labels: Vec<_> = labels.iter().map(String::as_str).collect();
            let names = did_you_mean(&name.key, &labels);
            let help = format!("{names}; agents go by name, or by number from 0");
            Err(Box::new(wrong.help(help)))
        }
    }
}
