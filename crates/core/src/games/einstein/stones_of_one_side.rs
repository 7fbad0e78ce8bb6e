//! The stones of one side, one byte each.

use std::fmt;

/// The cells of a side's stones in the side's own coordinates. Rows and columns count from the
/// side's starting corner, so both sides move in the same directions.
///
/// A byte is eight times the row plus the column, or [`Stones::GONE`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stones(u64);

/// A 1 in every byte.
const EACH: u64 = 0x0101_0101_0101_0101;

impl Stones {
    pub const NONE: Stones = Stones(u64::MAX);

    /// The byte of a stone that is not on the board.
    pub const GONE: u8 = 0xFF;

    /// The cell of stone number `stone` (from 0), or [`Stones::GONE`].
    #[inline]
    pub fn cell(self, stone: u8) -> u8 {
        (self.0 >> (8 * stone)) as u8
    }

    /// Puts a stone onto a cell.
    #[inline]
    pub fn put(&mut self, stone: u8, cell: u8) {
        let shift = 8 * stone;
        self.0 = self.0 & !(0xFF << shift) | u64::from(cell) << shift;
    }

    /// The stones on the board, stone 0 in the lowest bit.
    #[inline]
    pub fn alive(self) -> u8 {
        // The product gathers the top bits of the bytes, which only `GONE` has.
        let gone = (self.0 >> 7 & EACH).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        !gone as u8
    }

    /// Removes the stone on a cell, if there is one.
    #[inline]
    pub fn capture(&mut self, cell: u8) {
        const LOW: u64 = 0x7F * EACH;
        // Bytes equal to the cell become zero; then the top bits of the zero bytes are set. This is
        // exact: no carry passes from byte to byte.
        let x = self.0 ^ (u64::from(cell) * EACH);
        let zero = !(((x & LOW) + LOW) | x | LOW);
        self.0 |= (zero >> 7) * 0xFF;
    }

    /// The stone on a cell.
    pub fn on(self, cell: u8) -> Option<u8> {
        (0..8).find(|&stone| self.cell(stone) == cell)
    }

    /// The stones with rows and columns exchanged.
    #[inline]
    pub fn transposed(self) -> Stones {
        const COLUMN: u64 = 0o7 * EACH;
        // `GONE` does not change: its row and its column are equal.
        let (columns, rows) = (self.0 & COLUMN, self.0 & COLUMN << 3);
        Stones(self.0 & !(COLUMN | COLUMN << 3) | columns << 3 | rows >> 3)
    }

    /// All stones as one word.
    #[inline]
    pub fn word(self) -> u64 {
        self.0
    }
}

impl fmt::Debug for Stones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let alive = (0..8).filter(|&stone| self.cell(stone) != Stones::GONE);
        f.debug_map().entries(alive.map(|stone| (stone + 1, self.cell(stone)))).finish()
    }
}
