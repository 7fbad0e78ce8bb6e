//! Results in a file that is one JSON list of objects.

use std::io::Read;

use serde_json::{Map, Value};

use super::json_lines::JsonObjects;
use super::row_builder::RowBuilder;
use super::table_fault::TableFault;

/// Reads a table. The line of a row is that in which its object begins.
///
/// # Errors
/// Text that is not a list of objects, and the first row that is wrong, unless such rows are left out.
pub(super) fn read(mut input: impl Read, builder: &mut RowBuilder<'_>) -> Result<(), TableFault> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).map_err(|error| {
        builder.fault_at(0, format!("cannot read: {error}"), "is the file complete?")
    })?;
    let mut objects = JsonObjects::default();
    let (mut at, mut line) = (0, 1);
    let mut expected: &[u8] = b"[";
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii_whitespace() {
            line += u64::from(byte == b'\n');
            at += 1;
            continue;
        }
        if !expected.contains(&byte) {
            let message = format!("`{}` is not expected here", byte.escape_ascii());
            let help = "write a list of objects: [{…}, {…}]";
            return Err(builder.fault_at(line, message, help));
        }
        if byte != b'{' {
            at += 1;
            expected = match byte {
                b'[' => b"{]",
                b',' => b"{",
                _ => b"",
            };
            continue;
        }
        let mut values = serde_json::Deserializer::from_slice(&bytes[at..]).into_iter();
        let row: Option<Result<Map<String, Value>, serde_json::Error>> = values.next();
        let row = row.unwrap_or_else(|| Ok(Map::new())).map_err(|error| {
            let why = error.to_string();
            let why = why.split(" at line ").next().unwrap_or_default().to_owned();
            let line = line + error.line() as u64 - 1;
            builder.fault_at(line, format!("not JSON: {why}"), "is the file complete?")
        })?;
        objects.add(&row, line, builder)?;
        let end = at + values.byte_offset();
        line += bytes[at..end].iter().filter(|byte| **byte == b'\n').count() as u64;
        at = end;
        expected = b",]";
    }
    if !expected.is_empty() {
        return Err(builder.fault_at(line, "the list does not end", "is the file complete?"));
    }
    objects.end(builder)
}
