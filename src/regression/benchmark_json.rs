//! The JSON format of benchmark-tracking actions: an array of named figures.
//!
//! The format is that of `customSmallerIsBetter`: each entry has `name`, `unit`, `value`, and may
//! have `range` and `extra`. For every figure, smaller is better.

use serde_json::{Value, json};

/// One figure; `range` is its interval as text.
pub(super) fn entry(
    name: &str,
    unit: &str,
    value: f64,
    range: Option<String>,
    extra: &str,
) -> Value {
    // Adding 0 turns −0 into 0.
    let mut entry = json!({ "name": name, "unit": unit, "value": value + 0.0, "extra": extra });
    if let Some(range) = range {
        entry["range"] = Value::from(range);
    }
    entry
}
