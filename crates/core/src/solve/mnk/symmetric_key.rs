//! One code for all symmetric images of a position.
//!
//! The code is for games in which two players put stones on cells and the stones never move. A
//! position is a number with one base-3 digit per cell: empty, first player or second player. Each
//! symmetry has its own number. A stone adds a power of three to each number: the power of the
//! cell to which the symmetry maps the stone. So the board is never rotated. The smallest number
//! is the code of all images. Only images of the same position share a code.

/// The largest number of symmetries of a board: those of the square.
pub const MOST: usize = 8;

/// The numbers of a position, one for each symmetry.
pub type Codes = [u128; MOST];

/// The values that stones add to the numbers.
#[derive(Debug, Clone)]
pub struct Images {
    /// For each cell, its power of three in each image.
    powers: Vec<Codes>,
    /// For each symmetry, the cell that is mapped to each cell.
    origins: Vec<Vec<u8>>,
}

impl Images {
    pub const MOST_CELLS: u32 = 64;
    /// The largest number of bits in a code: 3^64 is less than 2^102.
    pub const BITS: u32 = 102;

    /// The images of a board with this number of cells. `map` returns the cell to which a symmetry
    /// maps a cell; symmetry 0 is the identity.
    ///
    /// # Panics
    /// There are too many cells or symmetries.
    pub fn new(cells: u32, symmetries: usize, map: impl Fn(usize, u32) -> u32) -> Self {
        assert!(cells <= Self::MOST_CELLS && (1..=MOST).contains(&symmetries));
        let mut origins = vec![vec![0; cells as usize]; symmetries];
        let mut powers = vec![[0; MOST]; cells as usize];
        for cell in 0..cells {
            // If there are fewer symmetries, the identity fills the rest.
            for (s, power) in powers[cell as usize].iter_mut().enumerate() {
                let s = if s < symmetries { s } else { 0 };
                let image = map(s, cell);
                *power = 3u128.pow(image);
                origins[s][image as usize] = cell as u8;
            }
        }
        Images { powers, origins }
    }

    /// The numbers after a stone of the first player (0) or the second player (1) on an empty
    /// cell.
    #[inline]
    pub fn with(&self, mut codes: Codes, cell: u32, player: usize) -> Codes {
        let digit = player as u128 + 1;
        for (code, power) in codes.iter_mut().zip(&self.powers[cell as usize]) {
            *code += digit * power;
        }
        codes
    }

    /// The code that all images share, and a symmetry that maps the position to it.
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

    /// The cell that a symmetry maps to this cell: the inverse of `image`.
    #[inline]
    pub fn origin(&self, s: usize, cell: u32) -> u32 {
        u32::from(self.origins[s][cell as usize])
    }

    /// The cell to which a symmetry maps this cell.
    pub fn image(&self, s: usize, cell: u32) -> u32 {
        self.powers[cell as usize][s].ilog(3)
    }
}
