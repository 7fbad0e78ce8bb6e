//! The beginning of a long text, for messages.

/// The first `most` characters and "…", or the whole text if it is not longer.
pub fn beginning(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
