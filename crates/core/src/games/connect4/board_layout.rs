//! The board: its size and the layout of its bits.

use std::fmt::Debug;

use super::both_sides_bitboards::Pair;
use super::fast_segments_evaluator;
use crate::games::grid::bitboard::{NTH_BITS, nth_bit};
use crate::games::grid::lines_on_grid::{Grid, check_length};
use crate::games::segments_evaluator::Segments;
use crate::params::ParamError;

/// The layout of a Connect Four board, known at compile time or at run time.
pub trait BoardLayout: Debug + Clone + Send + Sync + 'static {
    /// Whether searches are compiled separately for each evaluator of this board, for speed.
    const FLAGSHIP: bool;

    /// Whether the layout supports a board of this size.
    fn serves(columns: u32, rows: u32, connect: u32) -> bool;

    /// The layout for a supported size that was already checked.
    fn new(columns: u32, rows: u32, connect: u32) -> Self;

    fn columns(&self) -> u32;

    fn rows(&self) -> u32;

    /// The cells and the winning lines.
    fn grid(&self) -> &Grid<u64>;

    /// The number of stones in a row that wins.
    #[inline]
    fn connect(&self) -> u32 {
        self.grid().length
    }

    /// The cells where one more of these stones would complete a line, occupied cells included.
    #[inline]
    fn completions(&self, stones: u64) -> u64 {
        self.grid().completions(stones)
    }

    /// The same for the stones of both sides.
    #[inline]
    fn completions_of_both(&self, sides: [u64; 2]) -> [u64; 2] {
        sides.map(|stones| self.completions(stones))
    }

    /// The value of these stones for the evaluator `segments`; `line` is true if they contain a
    /// complete line.
    #[inline]
    fn segments(&self, stones: [u64; 2], _line: bool, segments: &Segments) -> i32 {
        segments.value(self.grid(), stones)
    }

    /// The distance in bits from one column to the next.
    #[inline]
    fn stride(&self) -> u32 {
        self.rows() + 1
    }

    #[inline]
    fn size(&self) -> u32 {
        self.columns() * self.rows()
    }

    /// The lowest cell of each column.
    #[inline]
    fn bottoms(&self) -> u64 {
        self.tops() >> (self.rows() - 1)
    }

    /// The highest cell of each column.
    fn tops(&self) -> u64;

    /// The lowest cell of a column.
    #[inline]
    fn bottom(&self, column: u32) -> u64 {
        1 << (column * self.stride())
    }

    /// All cells of a column.
    #[inline]
    fn column(&self, column: u32) -> u64 {
        ((1 << self.rows()) - 1) << (column * self.stride())
    }

    /// The column of the `n`-th of these highest cells, from the left.
    #[inline]
    fn nth_column(&self, tops: u64, n: u32) -> u32 {
        nth_bit(tops, n) / self.stride()
    }

    /// The set of cells with the columns in reverse order.
    #[inline]
    fn mirror(&self, cells: u64) -> u64 {
        let (stride, last, lane) = (self.stride(), self.columns() - 1, self.column(0));
        (0..=last).fold(0, |out, c| out | (cells >> (c * stride) & lane) << ((last - c) * stride))
    }
}

/// The standard board: seven columns, six rows, four in a row.
#[derive(Debug, Clone, Copy, Default)]
pub struct StandardBoard;

/// Seven columns of six cells, each with a guard bit; every direction has lines.
const STANDARD: Grid<u64> = Grid {
    cells: STANDARD_BOTTOMS * 0b11_1111,
    steps: [1, 7, 6, 8],
    firsts: [
        STANDARD_BOTTOMS * 0b111,
        LEFT_BOTTOMS * 0b11_1111,
        LEFT_BOTTOMS * 0b11_1000,
        LEFT_BOTTOMS * 0b111,
    ],
    directions: 4,
    length: 4,
    exact: false,
    lines: 69,
};
/// The lowest cells of all columns, and of the four left columns.
const STANDARD_BOTTOMS: u64 = 0x0000_0408_1020_4081;
const LEFT_BOTTOMS: u64 = 0x0020_4081;

impl BoardLayout for StandardBoard {
    const FLAGSHIP: bool = true;

    fn serves(columns: u32, rows: u32, connect: u32) -> bool {
        (columns, rows, connect) == (7, 6, 4)
    }

    fn new(_columns: u32, _rows: u32, _connect: u32) -> Self {
        StandardBoard
    }

    #[inline]
    fn columns(&self) -> u32 {
        7
    }

    #[inline]
    fn rows(&self) -> u32 {
        6
    }

    #[inline]
    fn grid(&self) -> &Grid<u64> {
        &STANDARD
    }

    #[inline]
    fn tops(&self) -> u64 {
        STANDARD_BOTTOMS << 5
    }

    /// One product moves the bits of the columns, seven bits apart, next to each other. No other bits of the
    /// product meet there.
    #[inline]
    fn nth_column(&self, tops: u64, n: u32) -> u32 {
        const GATHER: u64 = 0x10_4104_1041;
        let columns = (tops >> 5).wrapping_mul(GATHER) >> 36;
        u32::from(NTH_BITS[columns as usize & 0x7F][n as usize & 7])
    }

    /// With constant steps: three quarters of the work of the generic method.
    #[inline]
    fn completions(&self, stones: u64) -> u64 {
        let mut found = (stones << 1) & (stones << 2) & (stones << 3);
        for step in [6, 7, 8] {
            let ahead = (stones >> step) & (stones >> (2 * step));
            let behind = (stones << step) & (stones << (2 * step));
            found |= ahead & ((stones >> (3 * step)) | (stones << step));
            found |= behind & ((stones << (3 * step)) | (stones >> step));
        }
        found & STANDARD.cells
    }

    /// Hardly slower than for one side.
    #[inline]
    fn completions_of_both(&self, sides: [u64; 2]) -> [u64; 2] {
        /// The holes in rows of three neighbours in one direction.
        #[inline(always)]
        fn holes<const STEP: i32, const TWICE: i32, const THRICE: i32>(stones: Pair) -> Pair {
            let (next, last) = (stones.right::<STEP>(), stones.left::<STEP>());
            let ahead = next & stones.right::<TWICE>();
            let behind = last & stones.left::<TWICE>();
            (ahead & (stones.right::<THRICE>() | last))
                | (behind & (stones.left::<THRICE>() | next))
        }
        let stones = Pair::new(sides);
        let above = stones.left::<1>() & stones.left::<2>() & stones.left::<3>();
        let holes = holes::<6, 12, 18>(stones)
            | holes::<7, 14, 21>(stones)
            | holes::<8, 16, 24>(stones)
            | above;
        (holes & Pair::both(STANDARD.cells)).words()
    }

    #[inline]
    fn segments(&self, stones: [u64; 2], line: bool, segments: &Segments) -> i32 {
        /// A separate function, so that the common case is short enough to be inlined. It takes
        /// words: a pointer to an array would keep both words in memory in the common case too.
        #[cold]
        #[inline(never)]
        fn all_lines(mover: u64, other: u64, segments: &Segments) -> i32 {
            segments.value(&STANDARD, [mover, other])
        }
        if line || segments.weight(1) != 0 {
            return all_lines(stones[0], stones[1], segments);
        }
        fast_segments_evaluator::twos_and_threes(stones, segments.weight(2), segments.weight(3))
    }
}

/// A board of any size that fits 64 bits.
#[derive(Debug, Clone)]
pub struct AnyBoard {
    columns: u32,
    rows: u32,
    tops: u64,
    grid: Grid<u64>,
}

impl BoardLayout for AnyBoard {
    const FLAGSHIP: bool = false;

    fn serves(_columns: u32, _rows: u32, _connect: u32) -> bool {
        true
    }

    fn new(columns: u32, rows: u32, connect: u32) -> Self {
        let grid = Grid::new(columns, rows, connect, false);
        let tops = (0..columns).map(|c| 1 << (c * (rows + 1) + rows - 1)).sum();
        AnyBoard { columns, rows, tops, grid }
    }

    #[inline]
    fn columns(&self) -> u32 {
        self.columns
    }

    #[inline]
    fn rows(&self) -> u32 {
        self.rows
    }

    #[inline]
    fn grid(&self) -> &Grid<u64> {
        &self.grid
    }

    #[inline]
    fn tops(&self) -> u64 {
        self.tops
    }
}

crate::params! {
    /// What Connect Four takes.
    #[derive(Debug, Clone)]
    pub struct ConnectFourParams {
        /// columns of the board; columns × (rows + 1) ≤ 64
        columns: u32 [1..=32] = 7,
        /// rows of the board
        rows: u32 [1..=20] = 6,
        /// stones in a row that win
        connect: u32 [2..=20] = 4,
    }
}

impl ConnectFourParams {
    /// # Errors
    /// A board that does not fit 64 bits or is too small for a line.
    pub(super) fn check_board(&self) -> Result<(), ParamError> {
        let &ConnectFourParams { columns, rows, connect } = self;
        let bits = u64::from(columns) * (u64::from(rows) + 1);
        if bits > 64 {
            let message = format!(
                "a board of {columns} columns and {rows} rows is too large: columns × (rows + 1) is \
                 {bits}, and 64 fit"
            );
            let help = match (64 / u64::from(columns)).checked_sub(1) {
                Some(most @ 1..) => format!("at most {most} rows with {columns} columns"),
                _ => "at most 32 columns".to_owned(),
            };
            return Err(ParamError::at("rows", message, help));
        }
        check_length("connect", connect, columns, rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::grid::bitboard::Bitboard;

    #[test]
    fn the_constants_of_the_standard_board_are_those_of_its_size() {
        let any = AnyBoard::new(7, 6, 4);
        assert_eq!(StandardBoard.grid(), any.grid());
        assert_eq!(StandardBoard.tops(), any.tops());
        assert_eq!(StandardBoard.bottoms(), any.bottoms());
        for set in 1..128_u64 {
            let tops = set.cells().fold(0, |all, column| all | any.bottom(column) << 5);
            for n in 0..set.count_ones() {
                assert_eq!(StandardBoard.nth_column(tops, n), any.nth_column(tops, n), "{set}");
            }
        }
    }
}
