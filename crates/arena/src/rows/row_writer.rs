//! Writes the fields of a row of a CSV file in their order, each with a comma after it.

use std::io::Write as _;

use super::cell_text::quoted;
use super::csv_layout::CsvLayout;

/// A row that is appended to `out`.
pub(crate) struct RowWriter<'o> {
    out: &'o mut Vec<u8>,
    begin: usize,
}

impl<'o> RowWriter<'o> {
    pub fn new(out: &'o mut Vec<u8>) -> Self {
        let begin = out.len();
        RowWriter { out, begin }
    }

    #[inline]
    pub fn number(&mut self, value: impl Into<u64>) {
        self.field(itoa::Buffer::new().format(value.into()));
    }

    /// A number, if it is known.
    #[inline]
    pub fn known_number(&mut self, value: Option<impl Into<u64>>) {
        match value {
            Some(value) => self.number(value),
            None => self.field(""),
        }
    }

    /// A number at full precision, if it is known and finite; never a negative zero.
    #[inline]
    pub fn real(&mut self, value: Option<f64>) {
        if let Some(value) = value.filter(|value| value.is_finite()) {
            write!(self.out, "{}", value + 0.0).expect("memory takes everything");
        }
        self.field("");
    }

    /// A text, quoted if necessary.
    #[inline]
    pub fn text(&mut self, text: &str) {
        self.field(&quoted(text));
    }

    /// A text that needs no quotes or has them.
    #[inline]
    pub fn field(&mut self, field: &str) {
        self.out.extend_from_slice(field.as_bytes());
        self.out.push(b',');
    }

    /// Ends the row with its checksum.
    pub fn seal(self, layout: &CsvLayout) {
        layout.seal(self.out, self.begin);
    }
}
