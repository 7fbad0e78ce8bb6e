//! Explains syntax errors in plain words, because the messages of the TOML parser assume that the
//! reader knows the grammar.

use super::diagnostics::Diagnostic;
use super::source_of_each_value::{Span, ValueSource};
use super::toml_tree::shorten;

/// The diagnostic of a list or table that was not closed on an earlier line, if that caused an
/// error. Such an error is about entries, in a line that begins with a header or with `key =`.
pub(crate) fn unclosed(message: &str, place: Span, source: &ValueSource) -> Option<Diagnostic> {
    let about_entries = ["missing comma", "unexpected `=` in array", "missing key for inline"]
        .iter()
        .any(|start| message.starts_with(start));
    let start = source.text[..source.floor(place.start)].rfind('\n')? + 1;
    let line = source.text[start..].lines().next().unwrap_or_default();
    if !(about_entries && begins_statement(line)) {
        return None;
    }
    let here = Span::new(0, start..start + line.trim_end().len());
    let diagnostic = Diagnostic::at(here, "", "a list or table above is not closed")
        .label("this seems to begin something new")
        .help("end it with `]` or `}`, or put `,` between its entries");
    Some(match opening(&source.text[..start]) {
        Some(at) => diagnostic.also(Span::new(0, at..at + 1), "opened here"),
        None => diagnostic,
    })
}

/// Whether a line is `[header]` or `key = …`.
fn begins_statement(line: &str) -> bool {
    let line = line.trim_start().trim_start_matches('[');
    let word = line.trim_start_matches(|c: char| c.is_alphanumeric() || "_-.".contains(c));
    let bare = &line[..line.len() - word.len()];
    let named = bare.starts_with(|c: char| c.is_alphabetic());
    named && (word.trim_start().starts_with(['=', ']']) || word.trim().is_empty())
}

/// The last bracket that is opened but not closed on its line.
fn opening(text: &str) -> Option<usize> {
    let mut end = text.len();
    for line in text.split_inclusive('\n').rev() {
        end -= line.len();
        let count = |set: &[char]| line.matches(set).count();
        if line.contains('=') && count(&['[', '{']) > count(&[']', '}']) {
            return line.find(['[', '{']).map(|at| end + at);
        }
    }
    None
}

/// The diagnostic of lists, tables or dotted keys that are nested too deeply.
pub(crate) fn too_deep(place: Span) -> Diagnostic {
    Diagnostic::at(place, "", "this is nested too deeply").help("no config needs that")
}

pub(crate) fn explain(message: &str, place: Span, source: &ValueSource) -> Diagnostic {
    let text = &source.text[source.floor(place.start)..source.floor(place.end)];
    let word = shorten(text.trim());
    if let Some(control) = text.chars().find(|&c| c.is_control() && !"\t\r\n".contains(c)) {
        let what = format!("the control character U+{:04X} has no place here", u32::from(control));
        return Diagnostic::at(place, "", what)
            .help("delete it, or write it as `\\uXXXX` in quotes");
    }
    let begins = |start: &str| message.starts_with(start);
    let (what, help) = if begins("string values must be quoted") && word.is_empty() {
        ("there is no value".to_owned(), "write one after the `=`".to_owned())
    } else if begins("string values must be quoted") {
        // Word processors replace plain quotes by typographic ones.
        let bare = word.trim_matches(['\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}']);
        ("text must be in quotes".to_owned(), format!("write `\"{bare}\"`"))
    } else if begins("duplicate key") {
        let help = match word.as_str() {
            // A user who writes single brackets to add an agent wants to keep that agent.
            "agents" => "write `[[agents]]`, in double brackets, before each agent",
            _ => "keep one of them",
        };
        (format!("`{word}` is given twice"), help.to_owned())
    } else if begins("cannot extend value") {
        (format!("`{word}` is already a value and cannot hold keys"), "rename one".to_owned())
    } else if begins("cannot recurse") || begins("recursion limit") {
        return too_deep(place);
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
        // The value is missing at this place.
        let line = source.text[..source.floor(place.start)].lines().next_back();
        let key = if word.is_empty() { shorten(line.unwrap_or_default().trim()) } else { word };
        (format!("the key `{key}` has no value"), "write `key = value`".to_owned())
    } else if begins("unexpected leading zero") {
        ("a number must not begin with 0".to_owned(), "leave the zero out".to_owned())
    } else {
        let help = "a config is TOML, with lines such as `[game]` and `kind = \"connect4\"`";
        (format!("this is not TOML: {message}"), help.to_owned())
    };
    Diagnostic::at(place, "", what).help(help)
}
