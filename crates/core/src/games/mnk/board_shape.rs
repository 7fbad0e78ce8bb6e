//! The size of the board, and the bits of its cells.

crate::params! {
    /// What m,n,k takes.
    #[derive(Debug, Clone)]
    pub struct MnkParams {
        /// columns of the board
        m: u32 [1..=20] = 3,
        /// rows of the board
        n: u32 [1..=20] = 3,
        /// stones in a row that win
        k: u32 [2..=20] = 3,
        /// whether only rows of exactly k stones win
        exact: bool = false,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub columns: u32,
    pub rows: u32,
    pub length: u32,
    pub exact: bool,
}

impl Shape {
    pub fn of(&MnkParams { m, n, k, exact }: &MnkParams) -> Shape {
        Shape { columns: m, rows: n, length: k, exact }
    }

    /// The distance in bits from one row to the next.
    pub fn stride(self) -> u32 {
        self.columns + 1
    }

    pub fn size(self) -> u32 {
        self.columns * self.rows
    }

    /// The number of bits of a set of cells: each row ends with a guard.
    pub fn bits(self) -> u32 {
        self.stride() * self.rows
    }

    /// The bit of a cell.
    pub fn bit(self, cell: u32) -> u32 {
        cell + cell / self.columns
    }

    /// The cell of a bit.
    pub fn cell(self, bit: u32) -> u32 {
        bit - bit / self.stride()
    }

    /// The number of words in a set of cells.
    pub fn words(self) -> u32 {
        self.bits().div_ceil(64)
    }
}
