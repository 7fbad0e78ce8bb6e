//! One page in every format that gates can be printed in.

use serde_json::Value;

use crate::report::Format;

/// The page in that format, made only where it is asked for; `bold` sets titles apart in
/// text. `text` is told whether it is Markdown, and whether titles are bold.
pub(super) fn rendered(
    format: Format,
    bold: bool,
    json: impl FnOnce() -> Value,
    entries: impl FnOnce() -> Value,
    text: impl FnOnce(bool, bool) -> String,
) -> String {
    match format {
        Format::Json => format!("{:#}\n", json()),
        Format::Benchmark => format!("{:#}\n", entries()),
        Format::Markdown => text(true, false),
        Format::Text => text(false, bold),
    }
}
