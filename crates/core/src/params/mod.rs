//! Parameters of games, agents and other configurable things: type, range, default and help.
//!
//! The config reader, `SPEC`s on the command line, `agon list` and the JSON schema all use the same
//! definition, so they always agree.

#![deny(missing_docs)]

mod dotted_numbers;
mod params_macro;

pub use dotted_numbers::Number;
pub use params_macro::{Field, ParamEntry, ParamField, Params, Whole, mismatch};
pub use params_macro::{megabytes, milliseconds, work};

use std::fmt;

use crate::rounds::adaptive_rounds::AdaptiveWeight;
use crate::stats::sprt::{EloModel, Unit};
use crate::util::beginning_of_text::beginning;
use std::collections::BTreeMap;

crate::choice! { EloModel { Logistic = "logistic", Normalized = "normalized", Bayes = "bayeselo" } }
crate::choice! { AdaptiveWeight { Games = "games", Cost = "cost" } }
crate::choice! { Unit { Pairs = "pairs", Games = "games" } }

/// The type and the range of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Type {
    /// A whole number, both ends included.
    Int {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// A finite number, both ends included.
    Float {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// `true` or `false`.
    Bool,
    /// One of the given words.
    Choice(&'static [&'static str]),
    /// Any text.
    Text,
    /// A table from feature names to whole numbers.
    Weights,
    /// Another agent: a table with its own `kind`.
    Agent,
    /// A list of texts.
    Texts,
    /// A depth: a whole number of plies from 1, or rounds as text such as `3r`.
    Depth {
        /// The maximum number of plies, and of rounds.
        max: i64,
    },
    /// A whole number from 0, or one of the given words.
    CountOr {
        /// The largest number.
        max: i64,
        /// The words.
        words: &'static [&'static str],
    },
    /// A list of pairs of finite numbers.
    Pairs,
    /// A command line: text, or a list of its words.
    Command,
    /// A table from names to texts; numbers and switches are read as texts. The order means
    /// nothing.
    Settings,
    /// The same in the order of the config.
    Options,
    /// As `Settings`, with these keys only.
    Keys(Vec<Param>),
    /// A table from keys to ranges of numbers.
    Ranges,
}

impl Type {
    /// The valid values, for messages: "a whole number from 1 to 9".
    pub fn wanted(&self) -> String {
        match self {
            Type::Int { min, max: i64::MAX } => format!("a whole number of at least {min}"),
            Type::Int { min, max } => format!("a whole number from {min} to {max}"),
            Type::Float { min, max } => match (*min > -HUGE, *max < HUGE) {
                (true, true) => format!("a number from {min} to {max}"),
                (true, false) => format!("a number of at least {min}"),
                (false, true) => format!("a number of at most {max}"),
                (false, false) => "a number".to_owned(),
            },
            Type::Bool => "`true` or `false`".to_owned(),
            Type::Choice(words) => {
                // A switch is written without quotes.
                let shown = |word: &&str| match word.parse::<bool>() {
                    Ok(_) => (*word).to_owned(),
                    Err(_) => format!("\"{word}\""),
                };
                let words: Vec<_> = words.iter().map(shown).collect();
                match words.split_last() {
                    Some((last, rest)) if !rest.is_empty() => {
                        format!("{} or {last}", rest.join(", "))
                    }
                    _ => words.join(""),
                }
            }
            Type::CountOr { max, words } => {
                let number = Type::Int { min: 0, max: *max }.wanted();
                format!("{}, or {number}", Type::Choice(words).wanted())
            }
            Type::Text => "text in quotes".to_owned(),
            Type::Weights => "a table of whole numbers, such as `{ three = 100 }`".to_owned(),
            Type::Agent => "an agent, such as `{ kind = \"random\" }`".to_owned(),
            Type::Texts => "a list of texts, such as `[\"a\", \"b\"]`".to_owned(),
            Type::Depth { max } => {
                format!("plies from 1 to {max}, or rounds in quotes, such as \"3r\"")
            }
            Type::Command => "a command line, or the list of its words".to_owned(),
            Type::Settings | Type::Options => {
                "a table of values, such as `{ Hash = 64 }`".to_owned()
            }
            Type::Keys(params) => {
                let keys: Vec<_> = params.iter().map(|param| format!("`{}`", param.key)).collect();
                format!("a table with {}", keys.join(" and "))
            }
            Type::Ranges => "a table of ranges, such as `{ depth = [2, 8] }`".to_owned(),
            Type::Pairs => "a list of pairs of numbers, such as `[[0, 0], [100, 50]]`".to_owned(),
        }
    }

    /// Whether the value has this type and is in its range.
    pub fn allows(&self, value: &Value) -> bool {
        match (self, value) {
            (Type::Int { min, max }, Value::Int(int)) => (min..=max).contains(&int),
            (Type::Float { min, max }, Value::Float(float)) => (min..=max).contains(&float),
            (Type::Float { min, max }, Value::Int(int)) => (*min..=*max).contains(&(*int as f64)),
            (Type::Choice(words), Value::Text(word)) => words.contains(&word.as_str()),
            (Type::CountOr { max, .. }, Value::Int(int)) => (0..=*max).contains(int),
            (Type::CountOr { words, .. }, Value::Text(word)) => words.contains(&word.as_str()),
            (Type::Depth { max }, value) => match Depth::of(value) {
                Some(Depth::Plies(depth) | Depth::Rounds(depth)) => {
                    (1..=*max).contains(&depth.into())
                }
                None => false,
            },
            (Type::Bool, Value::Bool(_))
            | (Type::Text | Type::Command, Value::Text(_))
            | (Type::Texts | Type::Command, Value::Texts(_))
            | (Type::Weights, Value::Weights(_))
            | (Type::Settings | Type::Options | Type::Keys(_), Value::Settings(_))
            | (Type::Pairs, Value::Pairs(_))
            | (Type::Ranges, Value::Ranges(_))
            | (Type::Agent, Value::Spec(_)) => true,
            _ => false,
        }
    }

    /// Whether one value is one word. Only lists of such values can be swept.
    pub fn is_scalar(&self) -> bool {
        use Type::{Agent, Command, Keys, Options, Pairs, Ranges, Settings, Texts, Weights};
        let is_table = matches!(self, Weights | Agent | Settings | Options | Keys(_) | Ranges);
        !is_table && !matches!(self, Texts | Pairs | Command)
    }
}

/// Bounds from here on are too large to be worth printing.
const HUGE: f64 = 1e15;

/// The value of a parameter that is not given.
#[derive(Debug, Clone, PartialEq)]
pub enum Default {
    /// None: the parameter must be given.
    Required,
    /// None: the parameter may be left out, which has a meaning of its own.
    Absent,
    /// This value.
    Is(Value),
}

/// The role of a parameter that the program must know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Any other role.
    Setting,
    /// Megabytes (2^20 bytes) that one instance uses.
    Memory,
    /// The budget of work for a move.
    Work,
    /// The budget of time for a move.
    Time,
}

/// One parameter of a game, an agent or an opening source.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// The key in the config.
    pub key: &'static str,
    /// Type and range.
    pub ty: Type,
    /// The value if it is not given.
    pub default: Default,
    /// Its role.
    pub role: Role,
    /// One sentence for people, without a full stop.
    pub help: &'static str,
}

impl Param {
    /// A parameter of any type that may be left out.
    pub fn of(key: &'static str, ty: Type, help: &'static str) -> Self {
        Param { key, ty, default: Default::Absent, role: Role::Setting, help }
    }

    /// The same with a default.
    pub fn or(self, default: Value) -> Self {
        Param { default: Default::Is(default), ..self }
    }
}

/// A checked value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A whole number.
    Int(i64),
    /// A finite number.
    Float(f64),
    /// A switch.
    Bool(bool),
    /// Text, or the word of a choice.
    Text(String),
    /// Feature names with their weights.
    Weights(BTreeMap<String, i64>),
    /// A nested agent.
    Spec(Box<Spec>),
    /// Texts in their order.
    Texts(Vec<String>),
    /// Pairs of finite numbers in their order.
    Pairs(Vec<(f64, f64)>),
    /// Names with their texts, sorted by name or in the order of the config.
    Settings(Vec<(String, String)>),
    /// Keys with the smallest and the largest of their values.
    Ranges(BTreeMap<String, (f64, f64)>),
}

impl Value {
    /// The text or word, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    /// The value as TOML, in one line; nested tables are inline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(int) => write!(f, "{int}"),
            // The debug format always has a point or an exponent, which TOML requires.
            Value::Float(float) => write!(f, "{float:?}"),
            Value::Bool(bool) => write!(f, "{bool}"),
            Value::Text(text) => write!(f, "{}", quoted(text)),
            Value::Weights(weights) => {
                inline_table(f, weights.iter().map(|(key, weight)| (key, weight.to_string())))
            }
            Value::Spec(spec) => write!(f, "{spec}"),
            Value::Texts(texts) => {
                let texts: Vec<_> = texts.iter().map(|text| quoted(text)).collect();
                write!(f, "[{}]", texts.join(", "))
            }
            Value::Settings(settings) => {
                inline_table(f, settings.iter().map(|(key, text)| (key, quoted(text))))
            }
            Value::Ranges(ranges) => {
                let range = |&(low, high): &(f64, f64)| format!("[{low}, {high}]");
                inline_table(f, ranges.iter().map(|(key, ends)| (key, range(ends))))
            }
            Value::Pairs(pairs) => {
                let pairs: Vec<_> = pairs.iter().map(|(a, b)| format!("[{a:?}, {b:?}]")).collect();
                write!(f, "[{}]", pairs.join(", "))
            }
        }
    }
}

fn inline_table<'a>(
    f: &mut fmt::Formatter<'_>,
    entries: impl Iterator<Item = (&'a String, String)>,
) -> fmt::Result {
    let entries = entries.map(|(key, value)| format!("{} = {value}", toml_key(key)));
    match entries.collect::<Vec<_>>().join(", ") {
        all if all.is_empty() => f.write_str("{}"),
        all => write!(f, "{{ {all} }}"),
    }
}

impl fmt::Display for Spec {
    /// The spec as an inline table of TOML.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{ kind = {}", quoted(&self.kind))?;
        for (key, value) in &self.values.0 {
            write!(f, ", {} = {value}", toml_key(key))?;
        }
        f.write_str(" }")
    }
}

/// Whether a character changes the direction of the text around it (bidirectional controls).
fn is_bidi(c: char) -> bool {
    matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2066}'..='\u{2069}')
}

/// Whether a character controls a terminal, breaks a line or changes the direction of the text.
pub fn is_steering(c: char) -> bool {
    c.is_control() || is_bidi(c)
}

/// A text in which characters that change its direction are replaced by their code: `<U+202E>`.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if is_bidi(c) => out.push_str(&format!("<U+{:04X}>", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// A text in TOML's quotes, in one line.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A key of TOML, quoted if necessary.
pub fn toml_key(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(bare) { key.to_owned() } else { quoted(key) }
}

/// A kind with its checked values, from `[game]` or one of `[[agents]]`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Spec {
    /// The registered kind, such as `connect4`.
    pub kind: String,
    /// Its parameters, defaults filled in.
    pub values: Values,
}

impl Spec {
    /// The kind with its values for people, in the order of its parameters: `connect4 (columns 7,
    /// rows 6, connect 4)`.
    pub fn in_words(&self, params: &[Param]) -> String {
        let values: Vec<String> = (params.iter())
            .filter_map(|param| self.values.get(param.key).map(|value| (param.key, value)))
            .map(|(key, value)| match value {
                Value::Text(text) => format!("{key} {}", in_one_line(text)),
                other => format!("{key} {other}"),
            })
            .collect();
        if values.is_empty() {
            self.kind.clone()
        } else {
            format!("{} ({})", self.kind, values.join(", "))
        }
    }
}

/// The beginning of a text in one line, for people. The text may be a whole file.
fn in_one_line(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    beginning(&lines.join(" / "), 60)
}

/// Checked parameters by key, defaults filled in.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Values(pub BTreeMap<String, Value>);

impl Values {
    /// The value of a key, if there is one.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    /// Sets a key.
    pub fn set(&mut self, key: &str, value: Value) {
        self.0.insert(key.to_owned(), value);
    }

    /// Sets all keys of other values.
    pub fn add(&mut self, others: Values) {
        self.0.extend(others.0);
    }

    /// The values, with the default of every parameter that is not given.
    pub fn filled(&self, params: &[Param]) -> Values {
        let mut filled = self.clone();
        for param in params {
            match &param.default {
                Default::Is(value) if self.get(param.key).is_none() => {
                    filled.set(param.key, value.clone());
                }
                _ => {}
            }
        }
        filled
    }

    /// A whole number, `None` when absent.
    pub fn int(&self, key: &str) -> Option<i64> {
        match self.get(key) {
            Some(Value::Int(v)) => Some(*v),
            _ => None,
        }
    }

    /// A text or word, `None` when absent.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Value::text)
    }

    /// A nested agent, `None` when absent.
    pub fn spec(&self, key: &str) -> Option<&Spec> {
        match self.get(key) {
            Some(Value::Spec(v)) => Some(v),
            _ => None,
        }
    }
}

/// The depth of a search: in plies, or in rounds, for games in which a round has several plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Plies: moves of players.
    Plies(u32),
    /// Rounds. The game defines the number of plies per round.
    Rounds(u32),
}

impl Depth {
    /// Reads rounds from text: `3r`, also `3 R`; `None` for anything else.
    pub fn rounds(text: &str) -> Option<Depth> {
        let digits = text.trim().strip_suffix(['r', 'R'])?.trim_end();
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| plain).map(Depth::Rounds)
    }

    /// The value of a checked parameter.
    pub fn of(value: &Value) -> Option<Depth> {
        match value {
            Value::Int(plies) => u32::try_from(*plies).ok().map(Depth::Plies),
            Value::Text(text) => Depth::rounds(text),
            _ => None,
        }
    }

    /// The depth as the value of a parameter.
    pub fn to_value(self) -> Value {
        match self {
            Depth::Plies(plies) => Value::Int(plies.into()),
            Depth::Rounds(rounds) => Value::Text(format!("{rounds}r")),
        }
    }
}

/// The reason why values do not work together although each is in its range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}{}", if help.is_empty() { String::new() } else { format!(" ({help})") })]
pub struct ParamError {
    /// The key with the mistake, if it has one.
    pub key: Option<String>,
    /// The mistake, in one sentence without a full stop.
    pub message: String,
    /// How to fix it; may be empty.
    pub help: String,
}

impl ParamError {
    /// An error at a key.
    pub fn at(key: &str, message: impl Into<String>, help: impl Into<String>) -> Self {
        ParamError { key: Some(key.to_owned()), message: message.into(), help: help.into() }
    }

    /// An error without a key.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        ParamError { key: None, message: message.into(), help: help.into() }
    }
}
