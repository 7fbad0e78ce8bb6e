//! What the features of [`super::order`] weigh.
//!
//! Found by `examples/connect4_weights.rs`, which says how.

use super::order::Weights;

/// By whether the mover gets the upper cells by following, then by whether the question is
/// if the mover wins.
pub const WEIGHTS: [[Weights; 2]; 2] = [
    [
        [156, 23, 25, 37, 9, 21, -63, -55, -37, -1, -3, -7, -10, 11, 8, -1, 1 << 20],
        [149, 37, 116, 56, 29, -5, -75, -19, -49, -2, -2, -11, 0, -2, 14, 25, 1 << 20],
    ],
    [
        [180, 43, 83, 55, 10, 10, -207, -46, -45, 0, -9, 22, -7, 1, 8, 14, 1 << 20],
        [126, 182, 71, 65, 88, 22, -65, -60, -26, 0, 3, 8, -11, -5, 7, 0, 1 << 20],
    ],
];
