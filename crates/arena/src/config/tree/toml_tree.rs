//! The text of a config as a tree in which every key and value has its place. Unlike the tables of
//! `toml`, it keeps the order of the file, because sweeps and messages follow it.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::source_of_each_value::Span;
use crate::util::beginning_of_text::beginning;
use crate::util::toml_nesting_depth;

/// The maximum nesting of tables and lists. No config needs more, and recursion to this depth fits
/// the stack of every thread.
const MAX_DEPTH: usize = 24;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Raw {
    Text(String),
    Int(i64),
    /// A whole number that does not fit in 64 bits.
    Huge(String),
    Float(f64),
    Bool(bool),
    Date,
    List(Vec<TomlNode>),
    Table(TomlTable),
    /// A value with too much nesting.
    TooDeep,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TomlNode {
    pub raw: Raw,
    pub span: Span,
    /// The words of a value from the command line, where text needs no quotes: `--set name=7` is a
    /// number or, for a key of type text, the text `7`.
    pub bare: Option<String>,
}

/// A table: its entries in the order of the file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TomlTable {
    pub entries: Vec<TomlEntry>,
    /// The header, or the whole inline table.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TomlEntry {
    pub key: String,
    pub at: Span,
    pub node: TomlNode,
}

impl TomlNode {
    pub fn new(raw: Raw, span: Span) -> Self {
        TomlNode { raw, span, bare: None }
    }

    pub fn text(&self) -> Option<&str> {
        match &self.raw {
            Raw::Text(text) => Some(text),
            Raw::List(_) | Raw::Table(_) | Raw::TooDeep => None,
            _ => self.bare.as_deref(),
        }
    }
}

impl TomlTable {
    pub fn empty(span: Span) -> Self {
        TomlTable { entries: Vec::new(), span }
    }

    /// Sets a key. Replaces an earlier value.
    pub fn set(&mut self, key: &str, at: Span, node: TomlNode) {
        match self.entries.iter_mut().find(|entry| entry.key == key) {
            Some(entry) => (entry.at, entry.node) = (at, node),
            None => self.entries.push(TomlEntry { key: key.to_owned(), at, node }),
        }
    }

    /// The section of a name.
    pub fn table(&self, key: &str) -> Option<&TomlTable> {
        match &self.get(key)?.node.raw {
            Raw::Table(table) => Some(table),
            _ => None,
        }
    }

    pub fn get(&self, key: &str) -> Option<&TomlEntry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.node.text()
    }

    /// The place of a key in a section.
    pub fn place(&self, section: &str, key: &str) -> Option<Span> {
        self.table(section)?.locate(key)
    }

    /// The place of a key, else of its section, else the beginning of the file.
    pub fn place_or_section(&self, section: &str, key: &str) -> Span {
        match self.table(section) {
            Some(table) => table.locate(key).unwrap_or(table.span),
            None => self.span,
        }
    }

    /// The place of a dotted key, or of the longest part of it that exists.
    pub fn locate(&self, path: &str) -> Option<Span> {
        let (key, rest) = path.split_once('.').unwrap_or((path, ""));
        let node = &self.get(key)?.node;
        match &node.raw {
            Raw::Table(inner) if !rest.is_empty() => Some(inner.locate(rest).unwrap_or(node.span)),
            _ => Some(node.span),
        }
    }
}

impl Raw {
    /// The number, if it is one. Without adding zero, -0.0 and 0.0 would be different experiments.
    pub fn number(&self) -> Option<f64> {
        match self {
            Raw::Int(int) => Some(*int as f64),
            Raw::Float(float) if !float.is_nan() => Some(float + 0.0),
            _ => None,
        }
    }

    /// A description of the value for messages about a wrong type.
    pub fn describe(&self) -> String {
        match self {
            Raw::Text(text) => format!("the text \"{}\"", shorten(text)),
            Raw::Int(int) => int.to_string(),
            Raw::Huge(digits) => format!("the number {}", shorten(digits)),
            Raw::Float(float) => format!("the number {float:?}"),
            Raw::Bool(bool) => bool.to_string(),
            Raw::Date => "a date".to_owned(),
            Raw::List(_) => "a list".to_owned(),
            Raw::Table(_) => "a table".to_owned(),
            Raw::TooDeep => "tables nested too deeply".to_owned(),
        }
    }
}

/// The beginning of a text, if it is long.
pub(crate) fn shorten(text: &str) -> String {
    beginning(text, 40)
}

/// The tree of a document.
pub(crate) fn document(source: usize, table: &DeTable<'_>) -> TomlTable {
    convert_table(source, table, Span::new(source, 0..0), 0)
}

/// The tree of a value that was typed `by` bytes from the start of its source: TOML, or else the
/// bare text.
pub(crate) fn typed(source: usize, text: &str, by: usize) -> TomlNode {
    let span = Span::new(source, by..by + text.len());
    // Dots in bare text are not nesting.
    if text.trim_start().starts_with(['[', '{']) && toml_nesting_depth::too_deep(text).is_some() {
        return TomlNode::new(Raw::TooDeep, span);
    }
    let parsed = DeValue::parse(text.trim());
    let raw = match &parsed {
        Ok(value) => {
            let indent = by + (text.len() - text.trim_start().len());
            let mut node = convert(source, value, 0);
            shift(&mut node, indent);
            node.raw
        }
        Err(_) => Raw::Text(text.trim().to_owned()),
    };
    TomlNode { raw, span, bare: Some(text.trim().to_owned()) }
}

/// Moves the places of a value that was parsed separately from the text around it.
fn shift(node: &mut TomlNode, by: usize) {
    node.span = node.span.shifted(by);
    match &mut node.raw {
        Raw::List(items) => items.iter_mut().for_each(|item| shift(item, by)),
        Raw::Table(table) => {
            table.span = table.span.shifted(by);
            for entry in &mut table.entries {
                entry.at = entry.at.shifted(by);
                shift(&mut entry.node, by);
            }
        }
        _ => {}
    }
}

fn convert(source: usize, value: &Spanned<DeValue<'_>>, depth: usize) -> TomlNode {
    let span = Span::new(source, value.span());
    let raw = match value.get_ref() {
        DeValue::Array(_) | DeValue::Table(_) if depth >= MAX_DEPTH => Raw::TooDeep,
        DeValue::String(text) => Raw::Text(text.to_string()),
        DeValue::Integer(int) => match i64::from_str_radix(int.as_str(), int.radix()) {
            Ok(int) => Raw::Int(int),
            Err(_) => Raw::Huge(int.to_string()),
        },
        DeValue::Float(float) => match float.as_str().parse::<f64>() {
            Ok(float) => Raw::Float(float),
            Err(_) => Raw::Huge(float.to_string()),
        },
        DeValue::Boolean(bool) => Raw::Bool(*bool),
        DeValue::Datetime(_) => Raw::Date,
        DeValue::Array(array) => {
            Raw::List(array.iter().map(|value| convert(source, value, depth + 1)).collect())
        }
        DeValue::Table(table) => Raw::Table(convert_table(source, table, span, depth + 1)),
    };
    TomlNode::new(raw, span)
}

fn convert_table(source: usize, table: &DeTable<'_>, span: Span, depth: usize) -> TomlTable {
    let mut entries: Vec<TomlEntry> = table
        .iter()
        .map(|(key, value)| TomlEntry {
            key: key.get_ref().to_string(),
            at: Span::new(source, key.span()),
            node: convert(source, value, depth),
        })
        .collect();
    entries.sort_by_key(|entry| entry.at);
    TomlTable { entries, span }
}
