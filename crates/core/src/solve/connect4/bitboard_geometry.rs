//! The board as a bitboard of 64 bits: cells, lines and masks.
//!
//! Columns follow each other from the left, each from the bottom up. Each column has at least one
//! guard bit above it. Shifts of a set of cells in any direction therefore never reach the next
//! column.

use super::simd_words::Word;

/// A board whose lines of stones can be found by shifts.
pub trait Geometry: Clone + Send + Sync + 'static {
    fn columns(&self) -> u32;

    fn rows(&self) -> u32;

    /// Bits from one column to the next.
    fn stride(&self) -> u32;

    fn code_bits(&self) -> u32;

    fn bottoms(&self) -> u64;

    /// The cells of the board, free or not, where one more stone would complete a line. A vertical
    /// line counts only at its upper end.
    fn wins<W: Word>(&self, stones: W) -> W;

    /// The cells of the vertical lines in a set.
    fn upright<W: Word>(&self, set: W) -> W;

    /// Not zero if there is a line that is not vertical.
    fn flat_line<W: Word>(&self, stones: W) -> W;

    fn line<W: Word>(&self, stones: W) -> W;

    /// The columns in reverse order, with their guard bits.
    fn mirror<W: Word>(&self, set: W) -> W;

    #[inline(always)]
    fn size(&self) -> u32 {
        self.columns() * self.rows()
    }

    /// The guard bit directly above every column.
    #[inline(always)]
    fn guards(&self) -> u64 {
        self.bottoms() << self.rows()
    }

    #[inline(always)]
    fn cells(&self) -> u64 {
        self.guards().wrapping_sub(self.bottoms())
    }

    /// The highest row and every second row below it. A player who answers each stone in the same
    /// column gets these rows.
    #[inline(always)]
    fn upper(&self) -> u64 {
        let column = 0xaaaa_aaaa_aaaa_aaaa >> (64 - self.rows());
        (0..self.columns()).fold(0, |set, c| set | column << (c * self.stride()))
    }

    /// The rows between those of [`upper`](Self::upper).
    #[inline(always)]
    fn lower(&self) -> u64 {
        self.cells() & !self.upper()
    }

    /// The cell where the next stone of each column falls.
    #[inline(always)]
    fn playable<W: Word>(&self, all: W) -> W {
        all.plus(W::all(self.bottoms())) & W::all(self.cells())
    }

    /// Converts a set of cells with `rows + 1` bits per column to the layout of this board.
    fn spread(&self, set: u64) -> u64 {
        let column = (1 << self.rows()) - 1;
        (0..self.columns()).fold(0, |wide, c| {
            wide | (set >> (c * (self.rows() + 1)) & column) << (c * self.stride())
        })
    }
}

/// Seven columns, six rows, four in a row. A column has eight bits, so a byte swap mirrors the
/// board.
#[derive(Debug, Clone, Copy)]
pub struct Standard;

/// The lowest cells of seven bytes.
const BOTTOMS: u64 = 0x0001_0101_0101_0101;

impl Geometry for Standard {
    #[inline(always)]
    fn columns(&self) -> u32 {
        7
    }

    #[inline(always)]
    fn rows(&self) -> u32 {
        6
    }

    #[inline(always)]
    fn stride(&self) -> u32 {
        8
    }

    #[inline(always)]
    fn code_bits(&self) -> u32 {
        56
    }

    #[inline(always)]
    fn bottoms(&self) -> u64 {
        BOTTOMS
    }

    #[inline(always)]
    fn upper(&self) -> u64 {
        BOTTOMS * 0b10_1010
    }

    #[inline(always)]
    fn wins<W: Word>(&self, stones: W) -> W {
        let upright = stones.left(1) & stones.left(2) & stones.left(3);
        let wins = upright | threes(stones, 7) | threes(stones, 8) | threes(stones, 9);
        wins & W::all(self.cells())
    }

    #[inline(always)]
    fn upright<W: Word>(&self, set: W) -> W {
        let first = fours(set, 1);
        let two = first | first.left(1);
        two | two.left(2)
    }

    #[inline(always)]
    fn flat_line<W: Word>(&self, stones: W) -> W {
        fours(stones, 7) | fours(stones, 8) | fours(stones, 9)
    }

    #[inline(always)]
    fn line<W: Word>(&self, stones: W) -> W {
        self.flat_line(stones) | fours(stones, 1)
    }

    #[inline(always)]
    fn mirror<W: Word>(&self, set: W) -> W {
        set.swap_bytes().right(8)
    }
}

/// The cells where a fourth stone completes a line along a step.
#[inline(always)]
fn threes<W: Word>(stones: W, step: u32) -> W {
    let pairs = stones & stones.right(step);
    let triples = pairs & pairs.right(step);
    let gap_after_two = pairs & stones.right(3 * step);
    let gap_after_one = stones & pairs.right(2 * step);
    triples.left(3 * step)
        | triples.right(step)
        | gap_after_two.left(2 * step)
        | gap_after_one.left(step)
}

/// The first stones of lines of four along a step.
#[inline(always)]
fn fours<W: Word>(stones: W, step: u32) -> W {
    let pairs = stones & stones.right(step);
    pairs & pairs.right(2 * step)
}

/// A board of any size that fits into 64 bits, with lines of any length.
#[derive(Debug, Clone)]
pub struct General {
    columns: u32,
    rows: u32,
    length: u32,
    bottoms: u64,
    upper: u64,
}

impl General {
    /// A board of this size. It needs at least one cell, columns × (rows + 1) of at most 64, and
    /// lines of at least two stones.
    pub fn new(columns: u32, rows: u32, length: u32) -> Option<Self> {
        let bits = columns.checked_mul(rows.checked_add(1)?)?;
        if columns == 0 || rows == 0 || bits > 64 || length < 2 {
            return None;
        }
        let bottoms = (0..columns).fold(0, |set, c| set | 1 << (c * (rows + 1)));
        let mut board = General { columns, rows, length, bottoms, upper: 0 };
        let column = 0xaaaa_aaaa_aaaa_aaaa >> (64 - rows);
        board.upper = (0..columns).fold(0, |set, c| set | column << (c * (rows + 1)));
        Some(board)
    }

    #[inline(always)]
    fn steps(&self) -> [u32; 4] {
        [1, self.rows, self.rows + 1, self.rows + 2]
    }

    /// The first stones of lines along a step.
    #[inline(always)]
    fn runs<W: Word>(&self, stones: W, step: u32) -> W {
        let mut run = stones;
        for i in 1..self.length {
            run = match shift_of(step, i) {
                Some(by) => run & stones.right(by),
                None => W::all(0),
            };
        }
        run
    }

    /// The cells where one more stone completes a line along a step.
    #[inline(always)]
    fn gaps<W: Word>(&self, stones: W, step: u32) -> W {
        if self.length == 4 && shift_of(step, 3).is_some() {
            return threes(stones, step);
        }
        let mut gaps = W::all(0);
        for gap in 0..self.length {
            // `gap` stones before the cell, the others after it.
            let mut run = W::all(u64::MAX);
            for i in 1..=gap {
                run = shift_of(step, i).map_or(W::all(0), |by| run & stones.left(by));
            }
            for i in 1..self.length - gap {
                run = shift_of(step, i).map_or(W::all(0), |by| run & stones.right(by));
            }
            gaps = gaps | run;
        }
        gaps
    }
}

/// Several steps as one shift, if the shift stays within 64 bits.
#[inline(always)]
fn shift_of(step: u32, times: u32) -> Option<u32> {
    Some(step * times).filter(|&by| by < 64)
}

impl Geometry for General {
    #[inline(always)]
    fn columns(&self) -> u32 {
        self.columns
    }

    #[inline(always)]
    fn rows(&self) -> u32 {
        self.rows
    }

    #[inline(always)]
    fn stride(&self) -> u32 {
        self.rows + 1
    }

    #[inline(always)]
    fn code_bits(&self) -> u32 {
        self.columns * (self.rows + 1)
    }

    #[inline(always)]
    fn bottoms(&self) -> u64 {
        self.bottoms
    }

    #[inline(always)]
    fn upper(&self) -> u64 {
        self.upper
    }

    #[inline(always)]
    fn wins<W: Word>(&self, stones: W) -> W {
        let mut wins = stones;
        for _ in 2..self.length {
            wins = wins.left(1) & stones;
        }
        wins = wins.left(1);
        for &step in &self.steps()[1..] {
            wins = wins | self.gaps(stones, step);
        }
        wins & W::all(self.cells())
    }

    #[inline(always)]
    fn upright<W: Word>(&self, set: W) -> W {
        let mut lines = self.runs(set, 1);
        for _ in 1..self.length {
            lines = lines | (lines.left(1) & set);
        }
        lines
    }

    #[inline(always)]
    fn flat_line<W: Word>(&self, stones: W) -> W {
        self.steps()[1..].iter().fold(W::all(0), |set, &step| set | self.runs(stones, step))
    }

    #[inline(always)]
    fn line<W: Word>(&self, stones: W) -> W {
        self.flat_line(stones) | self.runs(stones, 1)
    }

    #[inline(always)]
    fn mirror<W: Word>(&self, set: W) -> W {
        let stride = self.stride();
        let column = W::all((1u64 << (stride - 1) << 1).wrapping_sub(1));
        let mut image = W::all(0);
        for c in 0..self.columns {
            let bits = set.right(c * stride) & column;
            image = image | bits.left((self.columns - 1 - c) * stride);
        }
        image
    }
}

#[cfg(test)]
mod tests {
    use super::super::simd_words::One;
    use super::*;

    fn spread(set: u64) -> u64 {
        (0..7).fold(0, |wide, c| wide | (set >> (7 * c) & 0x7f) << (8 * c))
    }

    #[test]
    fn the_standard_board_is_the_general_one_of_its_size() {
        let general = General::new(7, 6, 4).unwrap();
        assert_eq!(spread(general.cells()), Standard.cells());
        assert_eq!(spread(general.upper()), Standard.upper());
        assert_eq!(spread(general.bottoms()), Standard.bottoms());
        let mut word = 1u64;
        for _ in 0..2000 {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let set = word & word >> 20 & general.cells();
            let (narrow, wide) = (One(set), One(spread(set)));
            let cells = Standard.cells();
            assert_eq!(
                spread(general.wins(narrow).0 & general.cells()),
                Standard.wins(wide).0 & cells
            );
            assert_eq!(general.line(narrow).0 == 0, Standard.line(wide).0 == 0);
            assert_eq!(general.flat_line(narrow).0 == 0, Standard.flat_line(wide).0 == 0);
            assert_eq!(spread(general.upright(narrow).0), Standard.upright(wide).0);
            assert_eq!(spread(general.mirror(narrow).0), Standard.mirror(wide).0);
            // A winning cell is one where a stone makes a new line.
            if general.line(narrow).0 == 0 {
                // Vertical lines are completed only at their upper end.
                let free = general.cells() & !set & !(set >> 1);
                for cell in (0..64).map(|i| 1u64 << i).filter(|cell| free & cell != 0) {
                    let completes = general.line(One(set | cell)).0 != 0;
                    assert_eq!(general.wins(narrow).0 & cell != 0, completes);
                }
            }
        }
    }

    #[test]
    fn boards_that_do_not_fit_are_refused() {
        assert!(General::new(8, 7, 4).is_some());
        assert!(General::new(8, 8, 4).is_none());
        assert!(General::new(0, 6, 4).is_none());
        assert!(General::new(7, 0, 4).is_none());
        assert!(General::new(u32::MAX, u32::MAX, 4).is_none());
    }
}
