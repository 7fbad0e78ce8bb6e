//! Prints a page of a regression check in every output format.

use serde_json::Value;

use crate::report::TableFormat;

/// The page in that format; it is built only if the format needs it. In text, `bold` makes titles
/// bold. The arguments of `text` say whether it is Markdown and whether titles are bold.
pub(super) fn rendered(
    format: TableFormat,
    bold: bool,
    json: impl FnOnce() -> Value,
    entries: impl FnOnce() -> Value,
    text: impl FnOnce(bool, bool) -> String,
) -> String {
    match format {
        TableFormat::Json => format!("{:#}\n", json()),
        TableFormat::Benchmark => format!("{:#}\n", entries()),
        TableFormat::Markdown => text(true, false),
        _ => text(false, bold),
    }
}
