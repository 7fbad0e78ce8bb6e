//! Figures of one kind of item, such as agents. Each figure is one row of a list: its columns in files, its head
//! in tables, its value and its format. All places that show a figure read the same row.

use crate::stats::Interval;
use crate::text::data_table::DataCell;
use crate::text::number_format::{
    NONE, e_value, fixed, grouped, half_points, p_value, percent, percents, short, time, trimmed,
};
use crate::text::text_table::TextTable;

/// How a figure is shown to people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureFormat {
    Text,
    Count,
    /// A share as a percentage.
    Percent,
    /// With this number of decimals.
    Decimals(usize),
    /// With as few decimals as possible, and at most this number.
    Trimmed(usize),
    /// With three digits, such as `5.14 k`.
    Short,
    /// Nanoseconds as a time, such as `167 µs`.
    Time,
    EValue,
    PValue,
    /// Points with halves, such as `2½`.
    Points,
    /// The probability of an error that this e-value leaves.
    ErrorOfEValue,
}

/// The value of a figure.
pub enum FigureValue {
    One(DataCell),
    /// An interval, which is two columns in files.
    Ends(Option<Interval>),
}

impl<C: Into<DataCell>> From<C> for FigureValue {
    fn from(cell: C) -> Self {
        FigureValue::One(cell.into())
    }
}

/// A figure of an item.
struct Figure<T> {
    /// Its columns in files, separated by a comma and a blank. The first one is its name.
    columns: &'static str,
    /// Its head in tables; empty if no table shows it.
    head: &'static str,
    format: FigureFormat,
    value: fn(&T) -> FigureValue,
}

/// Figures of one kind of item, in the order of their columns in files.
pub struct FigureList<T>(Vec<Figure<T>>);

impl<T> FigureList<T> {
    pub fn new() -> Self {
        FigureList(Vec::new())
    }

    /// Appends a figure with these columns, head, format and value.
    pub fn with(
        mut self,
        columns: &'static str,
        head: &'static str,
        format: FigureFormat,
        value: fn(&T) -> FigureValue,
    ) -> Self {
        self.0.push(Figure { columns, head, format, value });
        self
    }

    /// All columns in files.
    pub fn columns(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().flat_map(|figure| figure.columns.split(", "))
    }

    /// The cells of an item under [`columns`](Self::columns).
    pub fn cells(&self, item: &T) -> Vec<DataCell> {
        let mut cells = Vec::new();
        for figure in &self.0 {
            match (figure.value)(item) {
                FigureValue::One(cell) => cells.push(cell),
                FigureValue::Ends(interval) => cells.extend(DataCell::ends(interval)),
            }
        }
        cells
    }

    /// The columns as the text of a header.
    pub fn header(&self) -> String {
        self.columns().collect::<Vec<_>>().join(", ")
    }

    /// Whether the list has a figure of this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|figure| figure.columns == name)
    }

    fn named(&self, name: &str) -> &Figure<T> {
        let found = self.0.iter().find(|figure| figure.columns.split(", ").next() == Some(name));
        found.expect("a figure of the list")
    }

    /// The table with the heads of these figures.
    pub fn heads(&self, mut table: TextTable, names: &[&str]) -> TextTable {
        for figure in names.iter().map(|name| self.named(name)) {
            table = match figure.format {
                FigureFormat::Text => table.text([figure.head]),
                _ => table.figures([figure.head]),
            };
        }
        table
    }

    /// The table of these figures, with a row for each agent.
    pub fn table<'a>(
        &self,
        title: &str,
        names: &[&str],
        agents: impl Iterator<Item = (&'a String, &'a T)>,
    ) -> TextTable
    where
        T: 'a,
    {
        let mut table = self.heads(TextTable::new(title).text(["agent"]), names);
        for (agent, item) in agents {
            let shown = names.iter().map(|name| self.show(name, item));
            table.row(std::iter::once(agent.clone()).chain(shown));
        }
        table
    }

    /// A figure of an item, as tables show it.
    pub fn show(&self, name: &str, item: &T) -> String {
        let figure = self.named(name);
        shown((figure.value)(item), figure.format)
    }

    /// A number that was read from the first column of a figure, as tables show it.
    pub fn show_number(&self, name: &str, number: Option<f64>) -> String {
        shown(number.into(), self.named(name).format)
    }
}

fn shown(value: FigureValue, format: FigureFormat) -> String {
    let cell = match value {
        FigureValue::Ends(interval) => return percents(interval),
        FigureValue::One(cell) => cell,
    };
    let number = match cell {
        DataCell::Text(text) => return text,
        DataCell::Whole(count) => count.map(|count| count as f64),
        DataCell::Real(number) => number,
        DataCell::Setting(_) => None,
    };
    match format {
        FigureFormat::Text => NONE.to_owned(),
        FigureFormat::Count => number.map_or(NONE.to_owned(), |count| grouped(count as u64)),
        FigureFormat::Percent => percent(number),
        FigureFormat::Decimals(decimals) => {
            number.map_or(NONE.to_owned(), |number| fixed(number, decimals))
        }
        FigureFormat::Trimmed(decimals) => {
            number.map_or(NONE.to_owned(), |number| trimmed(number, decimals))
        }
        FigureFormat::Short => short(number),
        FigureFormat::Time => time(number),
        FigureFormat::EValue => e_value(number),
        FigureFormat::PValue => p_value(number),
        FigureFormat::Points => {
            number.map_or(NONE.to_owned(), |points| half_points((2.0 * points) as u64))
        }
        FigureFormat::ErrorOfEValue => p_value(number.map(|e| 1.0 / e)),
    }
}
