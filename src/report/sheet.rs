//! A table for programs: full precision, one content for CSV and JSON.

use serde_json::{Map, Value, json};

use super::numbers::field;
use crate::stats::{EloRange, Interval};

/// One value; nothing where there is no answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// A name or a word.
    Text(String),
    /// A count.
    Whole(Option<u64>),
    /// A measure; what is not finite is no answer.
    Real(Option<f64>),
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.to_owned())
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Self {
        Cell::Whole(Some(count))
    }
}

impl From<Option<u64>> for Cell {
    fn from(count: Option<u64>) -> Self {
        Cell::Whole(count)
    }
}

impl From<Option<f64>> for Cell {
    fn from(value: Option<f64>) -> Self {
        Cell::Real(value)
    }
}

impl Cell {
    /// Both ends of an interval.
    pub fn ends(interval: Option<Interval>) -> [Cell; 2] {
        [interval.map(|i| i.lo).into(), interval.map(|i| i.hi).into()]
    }

    /// Both ends of an Elo range, an open end empty.
    pub fn elo_ends(range: Option<EloRange>) -> [Cell; 2] {
        let (lo, hi) = match range {
            Some(EloRange::Between { lo, hi }) => (Some(lo), Some(hi)),
            Some(EloRange::AtLeast(lo)) => (Some(lo), None),
            Some(EloRange::AtMost(hi)) => (None, Some(hi)),
            Some(EloRange::Unbounded) | None => (None, None),
        };
        [lo.into(), hi.into()]
    }

    /// As a field of CSV: empty where there is no answer.
    fn field(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Whole(count) => count.map(|count| count.to_string()).unwrap_or_default(),
            Cell::Real(value) => field(*value),
        }
    }

    /// As JSON: `null` where there is no answer.
    fn json(&self) -> Value {
        match self {
            Cell::Text(text) => text.as_str().into(),
            Cell::Whole(count) => json!(count),
            // No minus zero here either.
            Cell::Real(value) => json!(value.filter(|v| v.is_finite()).map(|v| v + 0.0)),
        }
    }
}

/// Rows under named columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    columns: Vec<&'static str>,
    rows: Vec<Vec<Cell>>,
}

impl Sheet {
    /// No rows yet; `columns` are names separated by a comma and a blank.
    pub fn new(columns: &'static str) -> Self {
        Sheet { columns: columns.split(", ").collect(), rows: Vec::new() }
    }

    /// Adds columns behind the others, before there are rows.
    pub fn append(&mut self, columns: &'static str) {
        self.columns.extend(columns.split(", "));
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If it has not a cell for every column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let cells: Vec<Cell> = cells.into_iter().collect();
        assert_eq!(cells.len(), self.columns.len(), "a cell for every column");
        self.rows.push(cells);
    }

    /// As CSV with a header.
    pub fn csv(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&self.columns).expect("memory takes a header");
        for row in &self.rows {
            writer.write_record(row.iter().map(Cell::field)).expect("memory takes a row");
        }
        writer.into_inner().expect("memory takes everything")
    }

    /// As JSON: a list of objects by column.
    pub fn json(&self) -> Value {
        let object = |row: &Vec<Cell>| -> Value {
            let names = self.columns.iter().map(|name| (*name).to_owned());
            names.zip(row.iter().map(Cell::json)).collect::<Map<_, _>>().into()
        };
        self.rows.iter().map(object).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_and_json_hold_the_same() {
        let mut sheet = Sheet::new("agent, games, score");
        sheet.row(["a, b".into(), Cell::from(7), Cell::from(Some(0.5))]);
        sheet.row(["c".into(), Cell::Whole(None), Cell::from(Some(f64::NAN))]);
        assert_eq!(sheet.csv(), b"agent,games,score\n\"a, b\",7,0.5\nc,,\n");
        assert_eq!(
            sheet.json(),
            json!([
                { "agent": "a, b", "games": 7, "score": 0.5 },
                { "agent": "c", "games": null, "score": null },
            ])
        );
    }
}
