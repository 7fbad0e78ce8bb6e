//! Prints mistakes as text: with the lines that contain them, or one line each.

use std::fmt::{self, Write};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use super::diagnostics::{ConfigError, Diagnostic};
use super::source_of_each_value::{SourceKind, Span, ValueSource};

impl ConfigError {
    /// The message for people: every mistake with its line and its help text, then a count.
    pub fn render(&self, colour: bool) -> String {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        let renderer = renderer.decor_style(DecorStyle::Ascii);
        let mut out = String::new();
        for diagnostic in &self.diagnostics {
            out.push_str(&renderer.render(&[group(self, diagnostic)]));
            out.push_str("\n\n");
            if diagnostic.more_like_this > 0 {
                let _ = write!(out, "and {} more like this\n\n", diagnostic.more_like_this);
            }
        }
        if self.total > 1 {
            let name = self.sources.first().map_or("the config", |source| source.name.as_str());
            let shown = self.diagnostics.len();
            let first = match self.total > self.accounted() {
                true => format!("; the first {shown} are shown"),
                false => String::new(),
            };
            let title = format!("{} mistakes in {name}{first}", self.total);
            let group = annotate_snippets::Group::with_title(Level::ERROR.primary_title(title));
            out.push_str(&renderer.render(&[group]));
            out.push('\n');
        } else {
            out.pop();
        }
        out
    }

    /// Number of mistakes that are shown, or counted beside one of their kind.
    fn accounted(&self) -> usize {
        let more: usize = self.diagnostics.iter().map(|one| one.more_like_this).sum();
        self.diagnostics.len() + more
    }

    /// One line per mistake: `file:line:column: key: message (help)`.
    pub fn short(&self) -> String {
        let mut out = String::new();
        for diagnostic in &self.diagnostics {
            if let Some(place) = diagnostic.place {
                let _ = write!(out, "{}: ", clean(&self.location(place)));
            }
            let mut message = diagnostic.message.as_str();
            if !diagnostic.key.is_empty() {
                let _ = write!(out, "{}: ", clean(&diagnostic.key));
                let named = format!("`{}` ", diagnostic.key);
                message = message.strip_prefix(named.as_str()).unwrap_or(message);
            }
            out.push_str(&clean(message));
            let help = match diagnostic.help.is_empty() {
                true => &diagnostic.label,
                false => &diagnostic.help,
            };
            if !help.is_empty() {
                let _ = write!(out, " ({})", clean(help));
            }
            out.push('\n');
            if diagnostic.more_like_this > 0 {
                let _ = writeln!(out, "and {} more like this", diagnostic.more_like_this);
            }
        }
        let hidden = self.total - self.accounted();
        if hidden > 0 {
            let _ = writeln!(out, "and {hidden} more");
        }
        out
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.render(false).trim_end())
    }
}

impl std::error::Error for ConfigError {}

fn group<'a>(error: &'a ConfigError, diagnostic: &'a Diagnostic) -> annotate_snippets::Group<'a> {
    let title = Level::ERROR.primary_title(diagnostic.message.as_str());
    let mut group = annotate_snippets::Group::with_title(title);
    let mut places: Vec<(Span, AnnotationKind, &str)> = Vec::new();
    if let Some(place) = diagnostic.place {
        places.push((place, AnnotationKind::Primary, &diagnostic.label));
    }
    for (place, label) in &diagnostic.also {
        places.push((*place, AnnotationKind::Context, label));
    }
    for (number, source) in error.sources.iter().enumerate() {
        let here: Vec<_> = places.iter().filter(|(span, ..)| span.source == number).collect();
        if here.is_empty() {
            continue;
        }
        // A mistake of the whole file is not shown at its first line.
        if source.text.is_empty() || here.iter().all(|(span, ..)| span.end == 0) {
            group = group.element(annotate_snippets::Origin::path(source.name.as_str()));
            continue;
        }
        let mut snippet = Snippet::source(source.text.as_str()).line_start(source.first_line);
        snippet = match source.kind {
            SourceKind::File => snippet.path(source.name.as_str()),
            SourceKind::Typed => snippet.line_numbering(false),
        };
        for &&(span, kind, label) in &here {
            let mut annotation = kind.span(visible(source, span));
            if !label.is_empty() {
                annotation = annotation.label(label);
            }
            snippet = snippet.annotation(annotation);
        }
        group = group.element(snippet);
    }
    if !diagnostic.help.is_empty() {
        group = group.element(Level::HELP.message(diagnostic.help.as_str()));
    }
    group
}

/// The part of a span that is drawn: inside the text, on character boundaries, and at most to the
/// end of its first line.
fn visible(source: &ValueSource, span: Span) -> std::ops::Range<usize> {
    let start = source.floor(span.start);
    let line_end =
        source.text[start..].find(['\n', '\r']).map_or(source.text.len(), |length| start + length);
    start..source.floor(span.end).clamp(start, line_end)
}

/// Removes characters that would control a terminal or break the line.
fn clean(text: &str) -> String {
    text.chars().map(|c| if crate::params::is_steering(c) { '\u{fffd}' } else { c }).collect()
}
