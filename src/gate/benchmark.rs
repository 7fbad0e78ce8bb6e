//! The JSON that benchmark-tracking actions read: an array of named figures.
//!
//! The format is that of `customSmallerIsBetter`: each entry has `name`, `unit`, `value`,
//! and may have `range` and `extra`. Every figure is given so that less is better.

use serde_json::{Value, json};

/// One figure; `range` is where it lies, for people.
pub(super) fn entry(
    name: &str,
    unit: &str,
    value: f64,
    range: Option<String>,
    extra: &str,
) -> Value {
    // Adding 0 makes −0 a 0.
    let mut entry = json!({ "name": name, "unit": unit, "value": value + 0.0, "extra": extra });
    if let Some(range) = range {
        entry["range"] = Value::from(range);
    }
    entry
}
