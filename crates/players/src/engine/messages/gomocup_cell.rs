//! The cells of a board in the protocol of Gomocup.

use std::fmt;

/// A cell: column and row, from 0, counted from the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GomocupCell {
    /// The column.
    pub column: usize,
    /// The row.
    pub row: usize,
}

impl GomocupCell {
    /// The cell with this number on a board of `size` columns.
    pub fn of(number: usize, size: usize) -> Self {
        GomocupCell { column: number % size, row: number / size }
    }

    /// Its number on a board of `size` columns.
    pub fn number(self, size: usize) -> usize {
        self.row * size + self.column
    }

    /// Reads `column,row` on a board of this size.
    pub fn parse(text: &str, size: usize) -> Option<Self> {
        let (column, row) = text.split_once(',')?;
        let cell =
            GomocupCell { column: column.trim().parse().ok()?, row: row.trim().parse().ok()? };
        (cell.column < size && cell.row < size).then_some(cell)
    }
}

impl fmt::Display for GomocupCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.column, self.row)
    }
}
