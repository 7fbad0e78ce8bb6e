//! A data table for programs in full precision, with the same content as CSV and JSON.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::number_format::add_field;
use crate::arena::guarded;
use crate::config::json_value;
use crate::params;
use crate::stats::Interval;

/// One value, or none if it is missing.
#[derive(Debug, Clone, PartialEq)]
pub enum DataCell {
    Text(String),
    Whole(Option<u64>),
    /// A measured number; one that is not finite counts as missing.
    Real(Option<f64>),
    /// The value of a key of the config.
    Setting(Option<params::Value>),
}

impl From<&str> for DataCell {
    fn from(text: &str) -> Self {
        DataCell::Text(text.to_owned())
    }
}

impl From<u64> for DataCell {
    fn from(count: u64) -> Self {
        DataCell::Whole(Some(count))
    }
}

impl From<Option<u64>> for DataCell {
    fn from(count: Option<u64>) -> Self {
        DataCell::Whole(count)
    }
}

impl From<Option<params::Value>> for DataCell {
    fn from(value: Option<params::Value>) -> Self {
        DataCell::Setting(value)
    }
}

impl From<Option<f64>> for DataCell {
    fn from(value: Option<f64>) -> Self {
        DataCell::Real(value)
    }
}

impl DataCell {
    /// Both ends of an interval.
    pub fn ends(interval: Option<Interval>) -> [DataCell; 2] {
        [interval.map(|i| i.lo).into(), interval.map(|i| i.hi).into()]
    }

    /// Appends the value as a CSV field; a missing value is empty.
    fn add_field(&self, out: &mut String) {
        match self {
            // A name must not become a formula in a spreadsheet.
            DataCell::Text(text) => out.push_str(&guarded(text)),
            DataCell::Whole(None) | DataCell::Setting(None) => {}
            DataCell::Whole(Some(count)) => {
                write!(out, "{count}").expect("a String takes everything");
            }
            DataCell::Real(value) => add_field(out, *value),
            DataCell::Setting(Some(params::Value::Text(text))) => out.push_str(&guarded(text)),
            DataCell::Setting(Some(params::Value::Float(value))) => add_field(out, Some(*value)),
            DataCell::Setting(Some(value)) => out.push_str(&value.to_string()),
        }
    }

    /// The value as JSON; a missing value is `null`.
    fn json(&self) -> Value {
        match self {
            DataCell::Text(text) => text.as_str().into(),
            DataCell::Whole(count) => json!(count),
            // JSON gets no minus zero either.
            DataCell::Real(value) => json!(value.filter(|v| v.is_finite()).map(|v| v + 0.0)),
            DataCell::Setting(value) => value.as_ref().map_or(Value::Null, json_value),
        }
    }
}

/// A function that produces the rows and passes each to a callback.
type Rows<'a> = dyn Fn(&mut dyn FnMut(Vec<DataCell>)) + 'a;

/// Rows under named columns. The rows are produced while writing, because there may be many.
pub struct DataTable<'a> {
    columns: Vec<String>,
    rows: Box<Rows<'a>>,
}

impl<'a> DataTable<'a> {
    /// `columns` are names separated by a comma and a blank. `rows` passes each row to the given
    /// function, with one cell per column.
    pub fn new(columns: &str, rows: impl Fn(&mut dyn FnMut(Vec<DataCell>)) + 'a) -> Self {
        let columns = columns.split(", ").map(str::to_owned).collect();
        DataTable { columns, rows: Box::new(rows) }
    }

    pub fn append<S: Into<String>>(&mut self, columns: impl IntoIterator<Item = S>) {
        self.columns.extend(columns.into_iter().map(Into::into));
    }

    /// Writes CSV with a header.
    ///
    /// # Errors
    /// If writing to `out` fails.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(&self.columns)?;
        // A table of a thousand agents has ten million fields.
        let (mut field, mut result) = (String::new(), Ok(()));
        self.each(&mut |row| {
            for cell in row {
                field.clear();
                cell.add_field(&mut field);
                if result.is_ok() {
                    result = writer.write_field(&field);
                }
            }
            if result.is_ok() {
                // Ends the record.
                result = writer.write_record(std::iter::empty::<&[u8]>());
            }
        });
        result?;
        writer.flush()
    }

    /// A list of objects with the columns as keys.
    pub fn json(&self) -> Value {
        let mut list = Vec::new();
        self.each(&mut |row| list.push(self.object(row)));
        list.into()
    }

    fn object(&self, row: &[DataCell]) -> Value {
        Value::Object(self.columns.iter().cloned().zip(row.iter().map(DataCell::json)).collect())
    }

    fn each(&self, with: &mut dyn FnMut(&[DataCell])) {
        (self.rows)(&mut |row| {
            assert_eq!(row.len(), self.columns.len(), "a cell for every column");
            with(&row);
        });
    }
}

/// A list of objects with the columns as keys, in alphabetical order.
impl Serialize for DataTable<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        let mut result = Ok(());
        self.each(&mut |row| {
            if result.is_ok() {
                result = list.serialize_element(&self.object(row));
            }
        });
        result?;
        list.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_and_json_hold_the_same() {
        let sheet = DataTable::new("agent, games, score", |row| {
            row(vec!["a, b".into(), DataCell::from(7), DataCell::from(Some(0.5))]);
            row(vec!["c".into(), DataCell::Whole(None), DataCell::from(Some(f64::NAN))]);
        });
        let mut csv = Vec::new();
        sheet.write_csv(&mut csv).expect("memory takes everything");
        assert_eq!(csv, b"agent,games,score\n\"a, b\",7,0.5\nc,,\n");
        assert_eq!(
            sheet.json(),
            json!([
                { "agent": "a, b", "games": 7, "score": 0.5 },
                { "agent": "c", "games": null, "score": null },
            ])
        );
    }
}
