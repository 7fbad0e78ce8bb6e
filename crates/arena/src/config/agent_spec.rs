//! `SPEC`s of the command line: `kind` or `kind:key=value,key=value`. A value is TOML or plain text. A key
//! of a table has a dot: `engine:command=stockfish,options.Hash=16`. A nested agent is in parentheses or braces: `noisy:agent=(alphabeta:depth=4),epsilon=0.1`.

use std::path::Path;

use super::check_specs::{check_spec, from_param, open};
use super::section_definitions::Definitions;
use crate::config::sections::luck_section::{self, LuckParams};
use crate::config::tree::diagnostics::{ConfigError, Diagnostic, Problems};
use crate::config::tree::implied_kind;
use crate::config::tree::read_toml_table;
use crate::config::tree::read_toml_table::Owner;
use crate::config::tree::source_of_each_value::{Span, ValueSource};
use crate::config::tree::toml_tree::{self, Raw, TomlEntry, TomlNode, TomlTable};
use crate::params::{Param, ParamError, Params, Spec, Type, Value, quoted, toml_key};
use crate::play::{AnyGame, LuckSettings, Registry};

const DEEPEST: usize = 12;

/// Reads the `SPEC` of a game with positions, and sets the game up. `option` is the option that it
/// was given to, such as `--game`.
///
/// # Errors
/// All mistakes of the `SPEC`, shown in it.
pub fn parse_game_spec(
    text: &str,
    option: &str,
    registry: &Registry,
) -> Result<(Spec, AnyGame), ConfigError> {
    let mut game = None;
    with_spec(text, option, "game", registry, &mut |spec, table, _, problems| match open(
        spec,
        registry,
        Path::new(""),
    ) {
        Some(Ok(opened)) => match opened.1.check_has_moves() {
            Ok(()) => game = Some(opened),
            Err(error) => problems.report(from_param(&error, table, "")),
        },
        Some(Err(error)) => problems.report(from_param(&error, table, "")),
        None => {}
    })?;
    Ok(game.expect("a registered game without mistakes"))
}

/// Reads the `SPEC` of an agent for the game.
///
/// # Errors
/// All mistakes of the `SPEC`, shown in it.
pub fn parse_agent_spec(
    text: &str,
    option: &str,
    any_game: &AnyGame,
    registry: &Registry,
) -> Result<Spec, ConfigError> {
    with_spec(text, option, "agents", registry, &mut |spec, table, definitions, problems| {
        check_spec(spec, table, "", any_game, definitions, problems);
    })
}

/// Reads the value function that measures luck: `exact`, or an evaluator with the keys of `[luck]`
/// such as `lead:scale=10`. `agents` are those of the run.
///
/// # Errors
/// All mistakes, shown in the `SPEC`.
pub fn parse_luck_spec(
    text: &str,
    option: &str,
    any_game: &AnyGame,
    agents: &[Spec],
) -> Result<LuckSettings, ConfigError> {
    let read = |text: &str, by| tree_of(text, by, 0);
    with_tree(text, option, read, |tree, problems| {
        luck_of_tree(&tree, option, (any_game, agents), problems)
    })
}

fn luck_of_tree(
    tree: &TomlTable,
    option: &str,
    (any_game, agents): (&AnyGame, &[Spec]),
    problems: &mut Problems,
) -> Option<LuckSettings> {
    // The kind is the value of `value`.
    let params = LuckParams::list().into_iter().filter(|param| param.key != "value");
    let (params, owner) = (params.collect::<Vec<_>>(), Owner::section(format!("`{option}`")));
    let mut values = read_toml_table::values(tree, &params, &["kind"], &owner, "", &[], problems)?;
    values.set("value", Value::Text(tree.text("kind")?.to_owned()));
    let report = |ParamError { key, message, help }| {
        let key = key.map(|key| if key == "value" { "kind".into() } else { key });
        let place = key.and_then(|key| tree.locate(&key)).unwrap_or(tree.span);
        problems.wrong(place, "", message, help);
    };
    luck_section::of_values(&values, any_game, agents).map_err(report).ok()
}

/// The keys of a `SPEC` with their values as TOML, the kind first. Only the form of the `SPEC` is
/// checked.
///
/// # Errors
/// A `SPEC` that is not of the form `kind:key=value,key=value`.
pub fn spec_as_toml(
    text: &str,
    option: &str,
    registry: &Registry,
) -> Result<Vec<(String, String)>, ConfigError> {
    let read = |text: &str, by| match option {
        "--game" => tree_of_game(text, by, registry),
        _ => tree_of(text, by, 0),
    };
    let tree = with_tree(text, option, read, |tree, _| Some(tree))?;
    let value = |entry: &TomlEntry| match &entry.node.bare {
        Some(_) if is_text_key(&entry.key, registry) => {
            entry.node.text().map_or_else(|| as_toml(&entry.node), quoted)
        }
        _ => as_toml(&entry.node),
    };
    Ok(tree.entries.iter().map(|entry| (toml_key(&entry.key), value(entry))).collect())
}

/// Whether a key of games or agents takes text. Then `60` is text on the command line.
pub fn is_text_key(key: &str, registry: &Registry) -> bool {
    let definitions = Definitions::new(registry);
    let is_text = |param: &Param| param.key == key && param.ty == Type::Text;
    let mut kinds = definitions.kinds("agents").iter().chain(definitions.kinds("game"));
    key == "name" || kinds.any(|kind| kind.params.iter().any(is_text))
}

/// A value as TOML in one line.
fn as_toml(node: &TomlNode) -> String {
    match &node.raw {
        Raw::Text(text) => quoted(text),
        Raw::Int(int) => int.to_string(),
        Raw::Float(float) => format!("{float:?}"),
        Raw::Bool(bool) => bool.to_string(),
        Raw::Huge(digits) => digits.clone(),
        Raw::Date | Raw::TooDeep => quoted(node.bare.as_deref().unwrap_or_default()),
        Raw::List(items) => {
            format!("[{}]", items.iter().map(as_toml).collect::<Vec<_>>().join(", "))
        }
        Raw::Table(table) => {
            let pair =
                |entry: &TomlEntry| format!("{} = {}", toml_key(&entry.key), as_toml(&entry.node));
            format!("{{ {} }}", table.entries.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Reads a `SPEC`. `check` reports further mistakes.
fn with_spec(
    text: &str,
    option: &str,
    section: &str,
    registry: &Registry,
    check: &mut dyn FnMut(&Spec, &TomlTable, &Definitions, &mut Problems),
) -> Result<Spec, ConfigError> {
    let definitions = Definitions::new(registry);
    let (kinds, agents) = (definitions.kinds(section), definitions.kinds("agents"));
    let what = if section == "agents" { "agent" } else { section };
    let read = |text: &str, by| match section {
        implied_kind::SECTION => tree_of_game(text, by, registry),
        _ => tree_of(text, by, 0),
    };
    with_tree(text, option, read, |mut tree, problems| {
        if section == implied_kind::SECTION {
            implied_kind::add(&mut tree, kinds);
        }
        let spec = read_toml_table::spec(&tree, kinds, agents, what, "", &[], problems)?;
        check(&spec, &tree, &definitions, problems);
        Some(spec)
    })
}

/// Makes a result from the table that a `SPEC` describes.
///
/// # Errors
/// All mistakes of the `SPEC`, shown in it.
fn with_tree<T>(
    text: &str,
    option: &str,
    read: impl FnOnce(&str, usize) -> Result<TomlTable, Box<Diagnostic>>,
    make: impl FnOnce(TomlTable, &mut Problems) -> Option<T>,
) -> Result<T, ConfigError> {
    let shown = if option.is_empty() { text.to_owned() } else { format!("{option} {text}") };
    let mut problems = Problems::default();
    let made = match read(text, shown.len() - text.len()) {
        Ok(tree) => make(tree, &mut problems),
        Err(wrong) => {
            problems.report(*wrong);
            None
        }
    };
    match made {
        Some(made) if problems.is_empty() => Ok(made),
        _ => Err(problems.into_error(vec![ValueSource::typed(option, shown)])),
    }
}

/// The table of a game. A text whose kind is a path, a file or several words is a command: of a
/// referee if it has the placeholder `{first}`, otherwise of a program with the rules.
fn tree_of_game(text: &str, by: usize, registry: &Registry) -> Result<TomlTable, Box<Diagnostic>> {
    let kind = text.split(':').next().unwrap_or_default().trim();
    // `connect 4` is a game with a blank too many, not the program `connect`.
    let joined = kind.replace(' ', "");
    let is_game = registry.games.iter().any(|game| game.kind == joined);
    if is_game || !kind.contains(['/', ' ']) && !Path::new(kind).is_file() {
        return tree_of(text, by, 0);
    }
    let at = span(by, text);
    let mut table = TomlTable::empty(at);
    let key = if text.contains("{first}") { "referee" } else { "command" };
    let command = match text.contains(['/', ' ']) {
        true => text.trim().to_owned(),
        // Without a path, a program is searched on PATH.
        false => format!("./{}", text.trim()),
    };
    table.set(key, at, TomlNode::new(Raw::Text(command), at));
    Ok(table)
}

/// The table that a `SPEC` describes; `by` is its start in its source.
fn tree_of(text: &str, by: usize, depth: usize) -> Result<TomlTable, Box<Diagnostic>> {
    let whole = span(by, text);
    let wrong = |at: Span, message: String, help: &str| {
        Err(Box::new(Diagnostic::at(at, "", message).help(help)))
    };
    if depth > DEEPEST {
        return wrong(whole, "agents are nested too deeply".to_owned(), "");
    }
    let (kind, pairs) = match text.split_once(':') {
        Some((kind, pairs)) => (kind, Some(pairs)),
        None => (text, None),
    };
    let example = "write it as `kind` or `kind:key=value,key=value`";
    let kind_at = span(by, kind);
    if kind.trim().is_empty() {
        return wrong(whole, "there is no kind".to_owned(), example);
    }
    if kind.contains([',', '=']) {
        return wrong(kind_at, "there is no colon after the kind".to_owned(), example);
    }
    let mut table = TomlTable::empty(whole);
    table.set("kind", kind_at, TomlNode::new(Raw::Text(kind.trim().to_owned()), kind_at));
    let mut begin = by + kind.len() + 1;
    for pair in pairs.iter().flat_map(|pairs| split(pairs)) {
        let at = begin;
        begin += pair.len() + 1;
        if pair.trim().is_empty() {
            continue;
        }
        let Some((key, value)) = pair.split_once('=') else {
            let message = format!("`{}` has no value", toml_tree::shorten(pair.trim()));
            return wrong(span(at, pair), message, "write it as `key=value`");
        };
        let key_at = span(at, key);
        let key = key.trim();
        let node = value_of(value, key_at.end + 1, depth)?;
        if !set(&mut table, key, key_at, node) {
            let message = format!("`{}` is given twice", toml_tree::shorten(key));
            return wrong(key_at, message, "keep one of them");
        }
    }
    Ok(table)
}

/// Sets a key, or a key of a table as in `options.Skill Level`. Returns `false` if it is set already.
fn set(table: &mut TomlTable, key: &str, at: Span, node: TomlNode) -> bool {
    let Some((outer, inner)) = key.split_once('.') else {
        let is_new = table.get(key).is_none();
        table.set(key, at, node);
        return is_new;
    };
    if table.get(outer).is_none() {
        table.set(outer, at, TomlNode::new(Raw::Table(TomlTable::empty(at)), at));
    }
    let inner = inner.trim().trim_matches(['"', '\'']);
    match table.entries.iter_mut().find(|entry| entry.key == outer).map(|e| &mut e.node.raw) {
        Some(Raw::Table(table)) if table.get(inner).is_none() => {
            table.set(inner, at, node);
            true
        }
        _ => false,
    }
}

/// A value: an agent in parentheses or braces, TOML, or plain text.
fn value_of(text: &str, by: usize, depth: usize) -> Result<TomlNode, Box<Diagnostic>> {
    let trimmed = text.trim();
    let inside = |open: char, close: char| trimmed.strip_prefix(open)?.strip_suffix(close);
    let node = toml_tree::typed(0, text, by);
    let nested = match inside('(', ')') {
        Some(inner) => Some(inner),
        // Braces may also contain a table of TOML, such as weights.
        None if matches!(node.raw, Raw::Text(_)) => inside('{', '}'),
        None => None,
    };
    let Some(inner) = nested else { return Ok(node) };
    let begin = by + (text.len() - text.trim_start().len()) + 1;
    let table = tree_of(inner, begin, depth + 1)?;
    Ok(TomlNode::new(Raw::Table(table), node.span))
}

fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut begin, mut depth, mut quote) = (0, 0usize, None);
    let mut before = '=';
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            // An apostrophe inside a word does not begin a quote.
            (None, '"' | '\'') if "=[({,:".contains(before) => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.push(&text[begin..i]);
                begin = i + 1;
            }
            _ => {}
        }
        if !c.is_whitespace() {
            before = c;
        }
    }
    parts.push(&text[begin..]);
    parts
}

fn span(by: usize, text: &str) -> Span {
    Span::new(0, by..by + text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_brackets_and_quotes_do_not_split() {
        assert_eq!(
            split("a=1,b=(x:c=2,d=3),e=\"f,g\",h=[1,2]"),
            ["a=1", "b=(x:c=2,d=3)", "e=\"f,g\"", "h=[1,2]"]
        );
        assert_eq!(split("a=it's,b=2"), ["a=it's", "b=2"]);
        assert_eq!(split(""), [""]);
    }
}
