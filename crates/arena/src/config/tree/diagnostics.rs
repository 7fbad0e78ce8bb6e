//! The mistakes of a config: one diagnostic per mistake, all of them in one error.

use std::collections::HashSet;

use super::source_of_each_value::{SourceKind, Span, ValueSource};

/// The maximum number of mistakes of one kind that are shown.
const SHOWN_OF_ONE_KIND: usize = 3;

#[doc(hidden)]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnostic {
    /// The mistake, in one sentence without a full stop.
    pub message: String,
    /// The dotted key with the mistake, as `--set` takes it; may be empty.
    pub key: String,
    /// The place of the mistake. `None` without a place, as for a file that cannot be read.
    pub place: Option<Span>,
    /// A label of a few words for the text at the place; may be empty.
    pub label: String,
    /// Related places with their labels.
    pub also: Vec<(Span, String)>,
    /// How to fix the mistake; may be empty.
    pub help: String,
    /// The key that is unknown at this place, if that is the mistake.
    pub unknown_key: Option<String>,
    /// Number of further mistakes of the same kind, which are not shown.
    pub more_like_this: usize,
}

impl Diagnostic {
    pub fn at(place: Span, key: impl Into<String>, message: impl Into<String>) -> Self {
        Diagnostic { key: key.into(), place: Some(place), ..Diagnostic::new(message) }
    }

    /// A mistake without a place, such as one of the whole file.
    pub fn new(message: impl Into<String>) -> Self {
        Diagnostic { message: message.into(), ..Diagnostic::default() }
    }

    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    pub fn unknown_key(mut self, key: &str) -> Self {
        self.unknown_key = Some(key.to_owned());
        self
    }

    pub fn also(mut self, place: Span, label: impl Into<String>) -> Self {
        self.also.push((place, label.into()));
        self
    }
}

/// All mistakes of a config or a `SPEC`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The texts that places refer to, with the config first.
    pub sources: Vec<ValueSource>,
    /// The mistakes, sorted by place, at most [`ConfigError::KEPT`] of them.
    pub diagnostics: Vec<Diagnostic>,
    /// Number of mistakes found.
    pub total: usize,
}

impl ConfigError {
    /// The maximum number of mistakes that are stored. Further mistakes are only counted.
    pub const KEPT: usize = 50;

    pub fn one(sources: Vec<ValueSource>, diagnostic: Diagnostic) -> Self {
        ConfigError { sources, diagnostics: vec![diagnostic], total: 1 }
    }

    /// The place of a mistake as text: `file:line:column`, or the option.
    pub fn location(&self, place: Span) -> String {
        match self.sources.get(place.source) {
            Some(source) if source.kind == SourceKind::File => {
                let (line, column) = source.line_and_column(place.start);
                format!("{}:{line}:{column}", source.name)
            }
            Some(source) => source.text.clone(),
            None => String::new(),
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Problems {
    list: Vec<Diagnostic>,
    /// The mistakes already reported. A sweep reads the same line many times; each mistake is
    /// reported once.
    seen: HashSet<(Option<Span>, String)>,
    total: usize,
    /// The number of calls that found a mistake, duplicates included.
    noted: usize,
    /// Places of syntax errors as ranges of whole lines. Follow-up mistakes there are hidden.
    broken: Vec<(usize, usize)>,
    /// Facts about the input that are not mistakes.
    notes: Vec<String>,
}

impl Problems {
    /// Replaces the help of each unknown key of which `help` knows more.
    pub fn explain_unknown_keys(&mut self, help: impl Fn(&str) -> Option<String>) {
        for diagnostic in &mut self.list {
            if let Some(help) = diagnostic.unknown_key.as_deref().and_then(&help) {
                diagnostic.help = help;
            }
        }
    }

    /// Reports a mistake once. Does not report it if a syntax error explains it.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.noted += 1;
        let follow_up = diagnostic.place.is_some_and(|place| {
            place.source == 0
                && self.broken.iter().any(|&(start, end)| place.start <= end && place.end >= start)
        });
        if follow_up || !self.seen.insert((diagnostic.place, diagnostic.message.clone())) {
            return;
        }
        self.total += 1;
        if self.list.len() < 20 * ConfigError::KEPT {
            self.list.push(diagnostic);
        }
    }

    /// Reports a mistake with its help.
    pub fn wrong(
        &mut self,
        place: Span,
        key: impl Into<String>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.report(Diagnostic::at(place, key, message).help(help));
    }

    /// Reports that something is missing, unless it may be in a line that cannot be read.
    pub fn missing(&mut self, diagnostic: Diagnostic) {
        self.noted += 1;
        if self.broken.is_empty() {
            self.report(diagnostic);
        }
    }

    /// Reports a syntax error of the config file.
    pub fn syntax(&mut self, source: &ValueSource, diagnostic: Diagnostic) {
        let place = diagnostic.place;
        self.report(diagnostic);
        if let Some(place) = place {
            let text = &source.text;
            let start = text[..source.floor(place.start)].rfind('\n').map_or(0, |i| i + 1);
            let rest = source.floor(place.end);
            let end = text[rest..].find('\n').map_or(text.len(), |i| rest + i);
            self.broken.push((start, end));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.noted == 0
    }

    /// Whether a mistake was reported at exactly this place.
    pub fn is_reported(&self, place: Option<Span>) -> bool {
        place.is_some() && self.list.iter().any(|reported| reported.place == place)
    }

    /// A count that grows with every mistake, duplicates included. The caller compares it before
    /// and after reading a part to know whether that part is correct.
    pub fn mark(&self) -> usize {
        self.noted
    }

    /// Notes a fact about the input that is not a mistake.
    pub fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// The facts about the input that are not mistakes.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The error with all mistakes.
    pub fn into_error(mut self, sources: Vec<ValueSource>) -> ConfigError {
        self.list.sort_by_key(|diagnostic| diagnostic.place);
        self.list = shorten_repetitions(self.list, &sources);
        self.list.truncate(ConfigError::KEPT);
        ConfigError { sources, diagnostics: self.list, total: self.total }
    }
}

/// Keeps the first mistakes of each kind in each file, and counts the others. Mistakes are of one kind
/// if their messages differ only in what is between backticks, and if they have the same help.
fn shorten_repetitions(list: Vec<Diagnostic>, sources: &[ValueSource]) -> Vec<Diagnostic> {
    let mut kept: Vec<(String, Diagnostic)> = Vec::new();
    for diagnostic in list {
        let source = diagnostic.place.and_then(|place| sources.get(place.source));
        let source = source.map_or("", |source| source.name.as_str());
        let words: Vec<&str> = diagnostic.message.split('`').step_by(2).collect();
        let kind = format!("{source} {} {}", words.join("`"), diagnostic.help);
        let same = |other: &&mut (String, Diagnostic)| other.0 == kind;
        let count = kept.iter_mut().filter(same).count();
        match kept.iter_mut().rev().find(same) {
            Some((_, last)) if count == SHOWN_OF_ONE_KIND => last.more_like_this += 1,
            _ => kept.push((kind, diagnostic)),
        }
    }
    kept.into_iter().map(|(_, diagnostic)| diagnostic).collect()
}
