//! The size of a board and its stones.

/// A board on which a line fits and columns × (rows + 1) is at most 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardSize {
    pub columns: u32,
    pub rows: u32,
    /// Length of a winning row.
    pub connect: u32,
}

impl BoardSize {
    pub(super) fn bottoms(self) -> u64 {
        (0..self.columns).fold(0, |all, column| all | 1 << (column * (self.rows + 1)))
    }

    pub(super) fn cells(self) -> u64 {
        self.bottoms() * ((1 << self.rows) - 1)
    }

    /// A set of cells with the order of the columns reversed.
    pub(super) fn mirror(self, set: u64) -> u64 {
        let (stride, last) = (self.rows + 1, self.columns - 1);
        let lane = (1 << self.rows) - 1;
        (0..=last).fold(0, |out, c| out | (set >> (c * stride) & lane) << ((last - c) * stride))
    }
}

/// The stones of a position: one bit per cell, `rows + 1` bits per column, columns from the left,
/// cells from the bottom up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardStones {
    /// Stones of the player to move.
    pub mover: u64,
    pub other: u64,
    /// Whether the other player is known to have a line.
    pub line: bool,
}

impl BoardStones {
    /// Number of stones on the board.
    pub fn count(&self) -> u32 {
        (self.mover | self.other).count_ones()
    }
}
