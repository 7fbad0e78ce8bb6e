//! What is wrong with a config: one diagnostic per mistake, all mistakes in one error.

use std::collections::HashSet;

use super::source::{Source, SourceKind, Span};
use crate::sorting;

/// One mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// The dotted key at fault, as `--set` takes it; may be empty.
    pub key: String,
    /// Where; `None` where there is no place, as with a file that cannot be read.
    pub place: Option<Span>,
    /// What stands there, in a few words; may be empty.
    pub label: String,
    /// Other places that belong to it, with their labels.
    pub also: Vec<(Span, String)>,
    /// What to do about it; may be empty.
    pub help: String,
}

impl Diagnostic {
    /// A mistake at a place.
    pub fn at(place: Span, key: impl Into<String>, message: impl Into<String>) -> Self {
        let place = Some(place);
        let (message, key) = (message.into(), key.into());
        Diagnostic {
            message,
            key,
            place,
            label: String::new(),
            also: Vec::new(),
            help: String::new(),
        }
    }

    /// A mistake of the whole.
    pub fn new(message: impl Into<String>) -> Self {
        Diagnostic {
            message: message.into(),
            key: String::new(),
            place: None,
            label: String::new(),
            also: Vec::new(),
            help: String::new(),
        }
    }

    /// Says what stands at the place.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Says what to do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// Adds another place.
    pub fn also(mut self, place: Span, label: impl Into<String>) -> Self {
        self.also.push((place, label.into()));
        self
    }
}

/// Everything that is wrong with a config or a `SPEC`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The texts that places refer to; the config itself first.
    pub sources: Vec<Source>,
    /// The mistakes by place, at most [`ConfigError::KEPT`] of them.
    pub diagnostics: Vec<Diagnostic>,
    /// Number of mistakes found.
    pub total: usize,
}

impl ConfigError {
    /// How many mistakes are kept to be shown; the rest is counted.
    pub const KEPT: usize = 50;

    /// A single mistake.
    pub fn one(sources: Vec<Source>, diagnostic: Diagnostic) -> Self {
        ConfigError { sources, diagnostics: vec![diagnostic], total: 1 }
    }

    /// How the place of a mistake is named: `file:line:column`, or the option.
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

/// The mistakes found so far.
#[derive(Debug, Default)]
pub(super) struct Problems {
    list: Vec<Diagnostic>,
    /// A sweep reads the same line many times; each mistake is told once.
    seen: HashSet<(Option<Span>, String)>,
    total: usize,
    /// How often something was noted, told or not.
    noted: usize,
    /// Places of syntax errors as ranges of whole lines, where follow-up mistakes hide.
    broken: Vec<(usize, usize)>,
}

impl Problems {
    /// Notes a mistake. It is told once, and not at all where a syntax error explains it.
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

    /// Notes that something is missing, unless it may stand in a line that cannot be read.
    pub fn missing(&mut self, diagnostic: Diagnostic) {
        self.noted += 1;
        if self.broken.is_empty() {
            self.report(diagnostic);
        }
    }

    /// Notes a syntax error of the config file.
    pub fn syntax(&mut self, source: &Source, diagnostic: Diagnostic) {
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

    /// Whether a mistake was told of that very place.
    pub fn is_told(&self, place: Option<Span>) -> bool {
        place.is_some() && self.list.iter().any(|told| told.place == place)
    }

    /// A count that grows whenever something is wrong, told before or not: whoever reads
    /// a part compares it to know whether that part is right.
    pub fn mark(&self) -> usize {
        self.noted
    }

    /// The error that tells them all.
    pub fn into_error(mut self, sources: Vec<Source>) -> ConfigError {
        sorting::by_key(&mut self.list, |diagnostic| diagnostic.place);
        self.list.truncate(ConfigError::KEPT);
        ConfigError { sources, diagnostics: self.list, total: self.total }
    }
}
