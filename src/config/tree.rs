//! The text of a config as a tree in which every key and value knows its place.
//!
//! `toml` keeps tables in alphabetical order; here they are in the order of the file,
//! which sweeps and messages follow.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::source::Span;

/// Tables and lists inside one another beyond this are refused: nothing in a config is
/// nested so deeply, and recursion stays within any thread's stack.
const MAX_DEPTH: usize = 24;

/// A value as it was written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Raw {
    Text(String),
    Int(i64),
    /// A whole number that does not fit 64 bits.
    Huge(String),
    Float(f64),
    Bool(bool),
    Date,
    List(Vec<Node>),
    Table(Table),
    /// More nested than any value of a config.
    TooDeep,
}

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub raw: Raw,
    pub span: Span,
}

/// A table: its entries in the order in which they were written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Table {
    pub entries: Vec<Entry>,
    /// The header, or the whole inline table.
    pub span: Span,
}

/// A key with its value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub key: String,
    pub at: Span,
    pub node: Node,
}

impl Table {
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    pub fn text(&self, key: &str) -> Option<&str> {
        match &self.get(key)?.node.raw {
            Raw::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The place of a dotted key, or of as much of it as is there.
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
    /// What was found instead of what was wanted, for people.
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

/// The beginning of a text that may be long.
pub(super) fn shorten(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The tree of a document.
pub(super) fn document(source: usize, table: &DeTable<'_>) -> Table {
    convert_table(source, table, Span::new(source, 0..0), 0)
}

/// The tree of a value.
pub(super) fn value(source: usize, value: &Spanned<DeValue<'_>>) -> Node {
    convert(source, value, 0)
}

fn convert(source: usize, value: &Spanned<DeValue<'_>>, depth: usize) -> Node {
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
    Node { raw, span }
}

fn convert_table(source: usize, table: &DeTable<'_>, span: Span, depth: usize) -> Table {
    let mut entries: Vec<Entry> = table
        .iter()
        .map(|(key, value)| Entry {
            key: key.get_ref().to_string(),
            at: Span::new(source, key.span()),
            node: convert(source, value, depth),
        })
        .collect();
    entries.sort_by_key(|entry| entry.at);
    Table { entries, span }
}
