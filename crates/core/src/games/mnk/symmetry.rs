//! The symmetries of the rectangle (4) and of the square (8), as tables of cells.

use super::board_size::Shape;
use crate::util::collect_with_less_code::Gather;

/// For each symmetry, the target of each cell; the identity comes first.
pub(super) fn maps(shape: Shape) -> Vec<Vec<u16>> {
    let (columns, rows) = (shape.columns, shape.rows);
    let count = if columns == rows { 8 } else { 4 };
    (0..count)
        .map(|s| {
            (0..shape.size())
                .map(|cell| {
                    let (mut c, mut r) = (cell % columns, cell / columns);
                    if s & 1 != 0 {
                        c = columns - 1 - c;
                    }
                    if s & 2 != 0 {
                        r = rows - 1 - r;
                    }
                    if s & 4 != 0 {
                        (c, r) = (r, c);
                    }
                    (r * columns + c) as u16
                })
                .gather()
        })
        .gather()
}
