//! The eight symmetries of the square.

/// The target of each cell for each symmetry.
pub(super) const MAPS: [[u8; 9]; 8] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
    [2, 1, 0, 5, 4, 3, 8, 7, 6],
    [6, 7, 8, 3, 4, 5, 0, 1, 2],
    [8, 7, 6, 5, 4, 3, 2, 1, 0],
    [0, 3, 6, 1, 4, 7, 2, 5, 8],
    [6, 3, 0, 7, 4, 1, 8, 5, 2],
    [2, 5, 8, 1, 4, 7, 0, 3, 6],
    [8, 5, 2, 7, 4, 1, 6, 3, 0],
];

pub(super) fn map_stones(s: usize, stones: u16) -> u16 {
    (0..9u32)
        .filter(|cell| stones >> (cell + cell / 3) & 1 == 1)
        .map(|cell| u32::from(MAPS[s][cell as usize]))
        .fold(0, |all, cell| all | 1 << (cell + cell / 3))
}
