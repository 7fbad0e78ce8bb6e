//! What the features of [`super::order`] weigh.
//!
//! Found by `examples/connect4_weights.rs`, which says how: 1500 steps on 40 positions with
//! seed 1, and from there 1000 steps with seed 2.

use super::order::Weights;

/// By whether the mover gets the upper cells by following, then by whether the question is
/// if the mover wins.
pub const WEIGHTS: [[Weights; 2]; 2] = [
    [
        [204, 57, 20, 20, -17, 2, -78, -51, -36, -3, -4, 2, -1, 11, 7, 5, 1 << 20],
        [149, 38, 149, 72, 29, -6, -35, -14, -45, 14, -9, -2, -8, -8, 12, 25, 1 << 20],
    ],
    [
        [160, 45, 101, 66, 3, 7, -78, -15, -37, 0, -9, 5, -6, 1, 11, 23, 1 << 20],
        [106, 164, 151, 141, 78, 6, -78, -20, -49, 6, -2, 10, -20, -12, 7, -22, 1 << 20],
    ],
];
