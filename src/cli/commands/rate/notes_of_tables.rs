//! What a reader must know about the tables before the ratings.

use crate::arena::ResultRows;
use crate::report::{counted, grouped};

/// The conditions in which rows differ, such as two time controls. They stand before the list. Rows of a
/// list have the same value in the column of `--split-by`.
pub(super) fn differing_conditions(rows: &ResultRows, split_by: Option<&str>) -> Vec<String> {
    let mut notes = Vec::new();
    for (name, counts) in &rows.conditions {
        let is_split = split_by.is_some_and(|column| column.eq_ignore_ascii_case(name.trim()));
        // A column `game` may number the games.
        let are_numbers = counts.values.iter().all(|(value, _)| value.parse::<u64>().is_ok());
        let is_number = name.eq_ignore_ascii_case("game") && are_numbers;
        if is_split || is_number || counts.too_many || counts.values.len() < 2 {
            continue;
        }
        let value = |(value, rows): &(String, u64)| {
            let shown = if value.is_empty() { "empty" } else { value };
            format!("{shown} ({})", grouped(*rows))
        };
        let values: Vec<String> = counts.values.iter().map(value).collect();
        notes.push(format!(
            "the rows differ in `{name}`: {}; `--split-by {name}` rates them separately",
            values.join(", ")
        ));
    }
    notes
}

/// Notes about columns, rows that were left out, and repeated rows.
pub(super) fn notes(rows: &ResultRows) -> Vec<String> {
    let mut notes = rows.columns.clone();
    if rows.voids > 0 {
        notes.push(format!("{} void and not counted", were(rows.voids, "game")));
    }
    if rows.skipped_rows > 0 {
        notes.push(format!("{} wrong and left out:", were(rows.skipped_rows, "row")));
        notes.extend(rows.skipped.iter().map(ToString::to_string));
        let others = rows.skipped_rows - rows.skipped.len() as u64;
        notes.extend((others > 0).then(|| format!("and {} more", grouped(others))));
    }
    notes.extend(rows.notes.iter().cloned());
    notes
}

fn were(count: u64, what: &str) -> String {
    format!("{} {}", counted(count, what), if count == 1 { "was" } else { "were" })
}
