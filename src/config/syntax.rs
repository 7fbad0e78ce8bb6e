//! Syntax errors in plain words: what the TOML parser says is meant for those who know
//! its grammar.

use super::diagnostic::Diagnostic;
use super::source::{Source, Span};
use super::tree::shorten;

/// Whether an error may come of a list or table that was not closed on an earlier line:
/// it is about a comma, and stands where a line begins.
pub(super) fn is_swallowed(message: &str, place: Span, source: &Source) -> bool {
    let before = &source.text[..source.floor(place.start)];
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.trim().is_empty()
        && ["missing comma", "missing key for inline", "unclosed", "extra comma", "unexpected"]
            .iter()
            .any(|start| message.starts_with(start))
}

/// The diagnostic of a syntax error.
pub(super) fn explain(message: &str, place: Span, source: &Source) -> Diagnostic {
    let text = &source.text[source.floor(place.start)..source.floor(place.end)];
    let word = shorten(text.trim());
    if let Some(control) = text.chars().find(|&c| c.is_control() && !"\t\r\n".contains(c)) {
        let what = format!("the control character U+{:04X} has no place here", u32::from(control));
        return Diagnostic::at(place, "", what)
            .help("delete it; in text in quotes write `\\u001B`");
    }
    let begins = |start: &str| message.starts_with(start);
    let (what, help) = if begins("string values must be quoted") && word.is_empty() {
        ("there is no value".to_owned(), "write one after the `=`".to_owned())
    } else if begins("string values must be quoted") {
        ("text must stand in quotes".to_owned(), format!("write `\"{word}\"`"))
    } else if begins("duplicate key") {
        (format!("`{word}` is given twice"), "keep one of them".to_owned())
    } else if begins("cannot extend value") {
        (format!("`{word}` is already a value and cannot hold keys"), "rename one".to_owned())
    } else if begins("cannot recurse") || begins("recursion limit") {
        ("this is nested too deeply".to_owned(), "no config needs that".to_owned())
    } else if begins("unclosed array table") {
        ("the header is not closed".to_owned(), "end it with `]]`".to_owned())
    } else if begins("unclosed table") {
        ("the header is not closed".to_owned(), "end it with `]`".to_owned())
    } else if begins("unclosed array") {
        ("the list is not closed".to_owned(), "end it with `]`".to_owned())
    } else if begins("unclosed inline table") {
        ("the table is not closed".to_owned(), "end it with `}`".to_owned())
    } else if begins("missing comma") {
        (
            "a comma is missing".to_owned(),
            "put `,` between the entries, or close the list or table before".to_owned(),
        )
    } else if begins("invalid basic string, expected `\"`") {
        ("the text is not closed".to_owned(), "end it with `\"`".to_owned())
    } else if begins("invalid literal string, expected `'`") {
        ("the text is not closed".to_owned(), "end it with `'`".to_owned())
    } else if begins("key with no value") || begins("missing value for key") {
        (format!("the key `{word}` has no value"), "write `key = value`".to_owned())
    } else if begins("unexpected leading zero") {
        ("a number must not begin with 0".to_owned(), "leave the zero out".to_owned())
    } else {
        (format!("this is not TOML: {message}"), String::new())
    };
    Diagnostic::at(place, "", what).help(help)
}
