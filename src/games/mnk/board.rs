//! The size of the board and the tables between cells and bits.

use crate::params::{ParamError, Values};

/// What the values ask for: columns, rows, stones in a row, and whether longer rows do
/// not win.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub columns: u32,
    pub rows: u32,
    pub length: u32,
    pub exact: bool,
}

impl Shape {
    /// Unchecked.
    pub fn of(values: &Values) -> Shape {
        let get = |key| values.int(key).unwrap_or(3).max(0) as u32;
        let exact = values.bool("exact").unwrap_or(false);
        Shape { columns: get("m"), rows: get("n"), length: get("k"), exact }
    }

    /// Checks that a line has room.
    ///
    /// # Errors
    /// A board beyond 19 × 19, or a line longer than both sides.
    pub fn check(self) -> Result<Shape, ParamError> {
        let Shape { columns, rows, length, .. } = self;
        for (key, value) in [("m", columns), ("n", rows)] {
            if !(1..=19).contains(&value) {
                let message = format!("no board has {key} = {value}");
                return Err(ParamError::at(key, message, "from 1 to 19"));
            }
        }
        let most = columns.max(rows);
        if length < 2 || length > most {
            let message =
                format!("no line of {length} has room on {columns} columns and {rows} rows");
            let remedy = match most {
                1 => "a larger board".to_owned(),
                _ => format!("k from 2 to {most}, or a larger board"),
            };
            return Err(ParamError::at("k", message, remedy));
        }
        Ok(self)
    }

    /// Bits from a row to the next.
    pub fn stride(self) -> u32 {
        self.columns + 1
    }

    /// Cells of the board.
    pub fn size(self) -> u32 {
        self.columns * self.rows
    }

    /// Words that a set of cells takes.
    pub fn words(self) -> u32 {
        (self.stride() * self.rows).div_ceil(64)
    }
}
