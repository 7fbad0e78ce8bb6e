//! Lines of stones on a bit grid, shared by Connect Four and m,n,k.
//!
//! The grid is stored lane by lane (columns of Connect Four, rows of m,n,k), with one guard bit,
//! always empty, after each lane. So a neighbour in any direction is at a fixed distance, and no
//! line crosses the edge: it would need a stone on a guard. Therefore shifting a set of stones onto
//! itself finds lines everywhere at once.

use super::bitboard::Bitboard;
use crate::params::ParamError;

pub const MAX_LINE: u32 = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid<B> {
    /// The cells, without the guards.
    pub cells: B,
    /// Distance from a cell to the next cell of a line, for each direction with room for a line. The
    /// rest repeats the first, so that a loop over all four is unrolled.
    pub steps: [u32; 4],
    /// For each step, the cells where a line can start.
    pub firsts: [B; 4],
    pub directions: usize,
    pub length: u32,
    pub exact: bool,
    pub lines: u32,
}

impl<B: Bitboard> Grid<B> {
    /// A grid of `lanes` lanes of `lane` cells; `lanes × (lane + 1)` bits must fit the board.
    pub fn new(lanes: u32, lane: u32, length: u32, exact: bool) -> Self {
        let stride = lane + 1;
        debug_assert!(lanes * stride <= B::SIZE && (1..=MAX_LINE).contains(&length));
        let along = (lane + 1).saturating_sub(length);
        let across = (lanes + 1).saturating_sub(length);
        let lanes_at = (0..lanes).map(|i| i * stride);
        let cells = lanes_at.flat_map(|start| start..start + lane);
        let cells = cells.fold(B::NONE, |all, index| all | B::bit(index));
        let mut grid = Grid {
            cells,
            steps: [0; 4],
            firsts: [B::NONE; 4],
            directions: 0,
            length,
            exact,
            lines: 0,
        };
        let lines = [along * lanes, lane * across, along * across, along * across];
        for (step, lines) in [1, stride, stride - 1, stride + 1].into_iter().zip(lines) {
            if lines > 0 {
                grid.steps[grid.directions] = step;
                grid.firsts[grid.directions] = runs(cells, step, length);
                grid.directions += 1;
                grid.lines += lines;
            }
        }
        debug_assert!(grid.directions > 0, "a line fits");
        for missing in grid.directions..4 {
            grid.steps[missing] = grid.steps[0];
        }
        grid
    }

    #[inline]
    pub fn steps(&self) -> &[u32] {
        &self.steps[..self.directions]
    }

    // Where the grid is known at compile time, the loops disappear.
    #[inline(always)]
    pub fn has_line(&self, stones: B) -> bool {
        // With a constant length, the compiler unrolls the inner loop.
        match self.length {
            3 => self.has_line_of::<3>(stones),
            4 => self.has_line_of::<4>(stones),
            5 => self.has_line_of::<5>(stones),
            _ => self.has_line_of::<0>(stones),
        }
    }

    /// The same for lines of `K` cells, or of any length if `K` is 0.
    #[inline(always)]
    fn has_line_of<const K: u32>(&self, stones: B) -> bool {
        let length = if K == 0 { self.length } else { K };
        let mut found = B::NONE;
        for &step in &self.steps {
            let mut runs = runs(stones, step, length);
            if self.exact {
                // Two runs that start one step apart belong to a longer row.
                runs = runs & !(runs >> step) & !(runs << step);
            }
            found = found | runs;
        }
        !found.is_empty()
    }

    /// Whether a winning line of these stones contains the stone at `index`.
    ///
    /// Walks from the stone: cheaper than [`Grid::has_line`] if a set of cells takes several words.
    #[inline]
    pub fn line_through(&self, stones: &B, index: u32) -> bool {
        if B::SIZE <= 64 {
            return self.has_line(*stones);
        }
        // A line of four stones or more has the two next ones on one side. Asking for both at once
        // leaves few branches that the processor cannot predict.
        let has = |at: u32| at < B::SIZE && stones.has(at);
        let two = |one: u32, other: u32| has(one) & has(other);
        let near = |step: u32| {
            two(index + step, index + 2 * step)
                | two(index.wrapping_sub(step), index.wrapping_sub(2 * step))
        };
        self.steps().iter().any(|&step| {
            if self.length > 3 && !near(step) {
                return false;
            }
            let mut row = 1;
            let mut at = index + step;
            while at < B::SIZE && stones.has(at) {
                row += 1;
                at += step;
            }
            let mut at = index.checked_sub(step);
            while let Some(i) = at.filter(|&i| stones.has(i)) {
                row += 1;
                at = i.checked_sub(step);
            }
            if self.exact { row == self.length } else { row >= self.length }
        })
    }

    pub fn lines_through(&self, index: u32) -> u32 {
        let mut count = 0;
        for &step in self.steps() {
            let firsts = runs(self.cells, step, self.length);
            count += (0..self.length)
                .filter(|i| index.checked_sub(i * step).is_some_and(|first| firsts.has(first)))
                .count() as u32;
        }
        count
    }

    /// The cells of the board where one more of these stones would complete a line, occupied cells
    /// included.
    #[inline]
    pub fn completions(&self, stones: B) -> B {
        // With a constant length, the compiler unrolls the loops and finds runs once.
        match self.length {
            3 => self.completions_of::<3>(stones),
            4 => self.completions_of::<4>(stones),
            5 => self.completions_of::<5>(stones),
            _ => self.completions_of::<0>(stones),
        }
    }

    /// The same for lines of `K` cells, or of any length if `K` is 0.
    #[inline]
    fn completions_of<const K: u32>(&self, stones: B) -> B {
        let length = if K == 0 { self.length } else { K };
        let mut found = B::NONE;
        for &step in self.steps() {
            for hole in 0..length {
                // Lines by their first cell: all cells but the hole contain stones.
                let mut lines = runs(stones, step, hole);
                let after = length - 1 - hole;
                if after > 0 {
                    lines = lines & ((runs(stones, step, after) >> (hole * step)) >> step);
                }
                if self.exact {
                    let beyond = (stones >> ((length - 1) * step)) >> step;
                    lines = lines & !(stones << step) & !beyond;
                }
                found = found | (lines << (hole * step));
            }
        }
        found & self.cells
    }

    /// The lines in a direction, by their first cell. Only lines that the owner of `stones` could
    /// still complete and that contain one of its stones. `any` and `enemy` are the lines with a stone of
    /// the owner and of the opponent.
    ///
    /// If longer rows do not win, a line with an own stone next to either end does not count.
    #[inline]
    pub fn one_sided(&self, direction: usize, stones: B, any: B, enemy: B) -> B {
        self.unspoilt(direction, stones, any & self.firsts[direction] & !enemy)
    }

    /// The number of lines that the owner of `stones` could still complete, empty ones included.
    #[inline]
    pub fn count_open(&self, stones: B, enemy: B) -> u32 {
        let open = |direction: usize| {
            let blocked = touched(enemy, self.steps[direction], self.length);
            self.unspoilt(direction, stones, self.firsts[direction] & !blocked).count()
        };
        (0..self.directions).map(open).sum()
    }

    /// The lines that would not become too long when completed.
    #[inline]
    fn unspoilt(&self, direction: usize, stones: B, lines: B) -> B {
        if !self.exact {
            return lines;
        }
        let step = self.steps[direction];
        lines & !(stones << step) & !((stones >> ((self.length - 1) * step)) >> step)
    }
}

/// Checks that a line fits the board; `key` is the parameter for its length.
///
/// # Errors
/// The line is longer than both sides.
pub fn check_length(key: &str, length: u32, columns: u32, rows: u32) -> Result<(), ParamError> {
    let most = columns.max(rows);
    if length <= most {
        return Ok(());
    }
    let message = format!("a line of {length} does not fit {columns} columns and {rows} rows");
    let help = match most {
        1 => "a larger board".to_owned(),
        _ => format!("{key} from 2 to {most}, or a larger board"),
    };
    Err(ParamError::at(key, message, help))
}

/// The cells that start a row of `length` cells with at least one cell of the set.
#[inline]
pub fn touched<B: Bitboard>(set: B, step: u32, length: u32) -> B {
    let mut touched = set;
    let mut have = 1;
    while have < length {
        let more = have.min(length - have);
        touched = touched | (touched >> (more * step));
        have += more;
    }
    touched
}

/// The cells that start a row of `length` cells of the set; every cell for length 0. The run
/// doubles with each shift.
#[inline]
pub fn runs<B: Bitboard>(set: B, step: u32, length: u32) -> B {
    if length == 0 {
        return !B::NONE;
    }
    let mut runs = set;
    let mut have = 1;
    while have < length {
        let more = have.min(length - have);
        runs = runs & (runs >> (more * step));
        have += more;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::super::bitboard::Wide;
    use super::*;

    /// Checks each row of stones whose cell numbers differ by one step, on one board: it wins if and
    /// only if its columns and rows change by the same step, so no row goes over an edge.
    fn check_rows<B: Bitboard>(columns: u32, rows: u32, length: u32) {
        let grid: Grid<B> = Grid::new(rows, columns, length, false);
        let bit = |cell: u32| cell + cell / columns;
        let place = |cell: u32| (i64::from(cell % columns), i64::from(cell / columns));
        let (cells, mut lines) = (columns * rows, 0);
        let directions = [(1, 1, 0), (columns, 0, 1), (columns - 1, -1, 1), (columns + 1, 1, 1)];
        for (number, (step, right, down)) in (0..).zip(directions) {
            for first in 0..cells {
                let row: Vec<u32> = (0..length).map(|i| first + i * step).collect();
                // With one column, steps of different directions are the same number.
                if step == 0 || row[row.len() - 1] >= cells {
                    continue;
                }
                let is_line = row.windows(2).all(|pair| {
                    let ((x, y), (next_x, next_y)) = (place(pair[0]), place(pair[1]));
                    (next_x - x, next_y - y) == (right, down)
                });
                lines += u32::from(is_line);
                let same_as_column = columns <= 2 && number != 1;
                if !is_line && same_as_column {
                    continue;
                }
                let stones = row.iter().fold(B::NONE, |all, &cell| all | B::bit(bit(cell)));
                let hole = bit(row[(first % length) as usize]);
                let found = [
                    grid.has_line(stones),
                    grid.line_through(&stones, hole),
                    grid.completions(stones ^ B::bit(hole)).has(hole),
                ];
                assert_eq!(found, [is_line; 3], "{columns} × {rows}: {row:?}");
            }
        }
        assert_eq!(grid.lines, lines, "{columns} × {rows}, {length} in a row");
    }

    #[test]
    fn no_row_goes_over_an_edge_of_any_board() {
        for columns in 1..=20 {
            for rows in 1..=20 {
                for length in 2..=columns.max(rows) {
                    check_rows::<Wide<7>>(columns, rows, length);
                    if (columns + 1) * rows <= 64 {
                        check_rows::<Wide<1>>(columns, rows, length);
                    }
                }
            }
        }
    }
}
