//! Results in JSON Lines: an object in each line.

use std::io::BufRead;

use serde_json::{Map, Value};

use super::delimited_text::UTF8;
use super::file_columns::{Cell, CellFault, FileColumns};
use super::row_builder::RowBuilder;
use super::table_fault::TableFault;

/// Reads a table.
///
/// # Errors
/// The first row that is wrong, unless such rows are left out.
pub(super) fn read(
    mut reader: impl BufRead,
    builder: &mut RowBuilder<'_>,
) -> Result<(), TableFault> {
    let mut objects = JsonObjects::default();
    let (mut bytes, mut line) = (Vec::new(), 0);
    loop {
        bytes.clear();
        let read = reader.read_until(b'\n', &mut bytes);
        line += 1;
        match read {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => {
                return Err(builder.fault_at(
                    line,
                    format!("cannot read: {error}"),
                    "is the file complete?",
                ));
            }
        }
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        match object(&bytes) {
            Ok(row) => objects.add(&row, line, builder)?,
            Err(fault) => builder.reject(&objects.columns, line, fault)?,
        }
    }
    objects.end(builder)
}

/// The objects of a file, each a row.
#[derive(Default)]
pub(super) struct JsonObjects {
    columns: FileColumns,
    /// Whether an object was read, which names the columns.
    is_begun: bool,
}

impl JsonObjects {
    /// Adds an object that begins in this line.
    pub fn add(
        &mut self,
        row: &Map<String, Value>,
        line: u64,
        builder: &mut RowBuilder<'_>,
    ) -> Result<(), TableFault> {
        if !self.is_begun {
            let names = row.keys().cloned().collect();
            let place = (builder.file(), line);
            self.columns = FileColumns::new(names, false, builder.options, place)?;
            self.is_begun = true;
        }
        add(row, &mut self.columns, line, builder)
    }

    /// Ends the file.
    pub fn end(self, builder: &mut RowBuilder<'_>) -> Result<(), TableFault> {
        match self.is_begun {
            true => builder.end_file(&self.columns),
            false => Err(builder.fault_at(0, "the file has no rows", "name a file with results")),
        }
    }
}

fn object(bytes: &[u8]) -> Result<Map<String, Value>, CellFault> {
    let text = std::str::from_utf8(bytes.trim_ascii_end())
        .map_err(|_| CellFault::new(None, "the line is not UTF-8", UTF8))?;
    serde_json::from_str(text).map_err(|error| {
        let why = error.to_string();
        let why = why.split(" at line ").next().unwrap_or_default();
        let message = format!("not a JSON object, character {}: {why}", error.column());
        CellFault::new(None, message, "write one object in each line")
    })
}

fn add(
    row: &Map<String, Value>,
    columns: &mut FileColumns,
    line: u64,
    builder: &mut RowBuilder<'_>,
) -> Result<(), TableFault> {
    let mut texts: Vec<(usize, usize, String)> = Vec::with_capacity(row.len());
    for (name, value) in row {
        let column = columns.number(name);
        if !columns.is_read(column) {
            continue;
        }
        let added = match value {
            Value::Array(list) => {
                list.iter().enumerate().try_for_each(|(seat, value)| match value {
                    Value::Array(team) => team.iter().try_for_each(|member| {
                        scalar(member).map(|text| texts.push((column, seat, text)))
                    }),
                    value => scalar(value).map(|text| texts.push((column, seat, text))),
                })
            }
            value => scalar(value).map(|text| texts.push((column, 0, text))),
        };
        if added.is_none() {
            let message = format!("`{value}` is neither a text, a number nor a list");
            let fault =
                CellFault::new(Some(column), message, "write a text, a number or a list of them");
            return builder.reject(columns, line, fault);
        }
    }
    let cells: Vec<Cell<'_>> = texts
        .iter()
        .map(|(column, seat, text)| Cell { column: *column, seat: *seat, text })
        .collect();
    builder.add(columns, line, &cells, None)
}

/// A text, a number, or nothing, as a text.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Null => Some(String::new()),
        Value::Array(_) | Value::Object(_) => None,
    }
}
