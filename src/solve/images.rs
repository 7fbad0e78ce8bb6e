//! One code for all symmetric images of a position.
//!
//! For games in which stones of two players are put on cells and stay there. A position is
//! a number with a digit of base three for each cell: empty, first or second player. Every
//! symmetry has a number of its own; a stone adds to each of them what it is worth where the
//! symmetry takes it, so that no board is ever turned. The smallest number is the code of
//! all images, and no two other positions share it.

/// Symmetries of a board at most: those of the square.
pub const MOST: usize = 8;

/// A position's numbers, one for each symmetry.
pub type Codes = [u128; MOST];

/// What stones add to the numbers.
#[derive(Debug, Clone)]
pub struct Images {
    /// For each cell the power of three that it has in each image.
    powers: Vec<Codes>,
    /// For each symmetry the cell that comes to lie on each cell.
    origins: Vec<Vec<u8>>,
}

impl Images {
    /// Cells at most.
    pub const MOST_CELLS: u32 = 64;
    /// Bits that a code takes at most: 3^64 is less than 2^102.
    pub const BITS: u32 = 102;

    /// The images of a board of so many cells; `map` says where a symmetry takes a cell, and
    /// the identity is number 0.
    ///
    /// # Panics
    /// More cells or symmetries than there is room for.
    pub fn new(cells: u32, symmetries: usize, map: impl Fn(usize, u32) -> u32) -> Self {
        assert!(cells <= Self::MOST_CELLS && (1..=MOST).contains(&symmetries));
        let mut origins = vec![vec![0; cells as usize]; symmetries];
        let mut powers = vec![[0; MOST]; cells as usize];
        for cell in 0..cells {
            // Where there are fewer symmetries, the identity fills the rest.
            for (s, power) in powers[cell as usize].iter_mut().enumerate() {
                let s = if s < symmetries { s } else { 0 };
                let image = map(s, cell);
                *power = 3u128.pow(image);
                origins[s][image as usize] = cell as u8;
            }
        }
        Images { powers, origins }
    }

    /// The numbers after a stone of the first (0) or second player (1) on an empty cell.
    #[inline]
    pub fn with(&self, mut codes: Codes, cell: u32, player: usize) -> Codes {
        let digit = player as u128 + 1;
        for (code, power) in codes.iter_mut().zip(&self.powers[cell as usize]) {
            *code += digit * power;
        }
        codes
    }

    /// The code that all images share, and a symmetry that leads to it.
    #[inline]
    pub fn smallest(codes: &Codes) -> (u128, usize) {
        let mut best = (codes[0], 0);
        for (s, &code) in codes.iter().enumerate().skip(1) {
            if code < best.0 {
                best = (code, s);
            }
        }
        best
    }

    /// Where a symmetry takes a cell from: its inverse.
    #[inline]
    pub fn origin(&self, s: usize, cell: u32) -> u32 {
        u32::from(self.origins[s][cell as usize])
    }

    /// Where a symmetry takes a cell.
    pub fn image(&self, s: usize, cell: u32) -> u32 {
        self.powers[cell as usize][s].ilog(3)
    }
}
