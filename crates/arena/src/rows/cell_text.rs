//! Texts in the cells of a CSV file: quotes, and apostrophes before texts that a spreadsheet would read as
//! formulas.

use std::borrow::Cow;

/// Whether a spreadsheet would read a cell with this first character as a formula.
pub(super) fn is_formula(text: &[u8]) -> bool {
    let first = text.iter().find(|&&byte| byte != b'\'');
    first.is_some_and(|first| matches!(first, b'=' | b'+' | b'-' | b'@'))
}

/// A text as a CSV cell. It gets an apostrophe if a spreadsheet would read it as a formula.
pub fn guarded(text: &str) -> Cow<'_, str> {
    if is_formula(text.as_bytes()) { format!("'{text}").into() } else { text.into() }
}

pub(crate) fn quoted(text: &str) -> Cow<'_, str> {
    let text = guarded(text);
    match text.bytes().any(|b| matches!(b, b',' | b'"' | b'\n' | b'\r')) {
        true => format!("\"{}\"", text.replace('"', "\"\"")).into(),
        false => text,
    }
}

/// The text of a field that [`guarded`] wrote.
pub fn plain(field: &str) -> &str {
    field.strip_prefix('\'').filter(|text| is_formula(text.as_bytes())).unwrap_or(field)
}
