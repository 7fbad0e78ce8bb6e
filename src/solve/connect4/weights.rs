//! What the features of [`super::order`] weigh.

use super::order::Weights;

/// By whether the mover gets the upper cells by following, then by whether the question is
/// if the mover wins.
pub const WEIGHTS: [[Weights; 2]; 2] = [
    [
        [61, 7, 95, 23, -2, 40, -73, -34, -26, 10, 0, 4, 0, 0, 5, -24, 400],
        [99, 33, 86, 46, 36, 14, -83, -69, -19, 8, -8, -10, 0, 0, 5, 22, 1 << 24],
    ],
    [
        [681, 40, 109, 72, -2, 20, -69, -24, -13, 10, -6, 4, 0, 0, 13, 14, 1 << 24],
        [285, 122, 82, 88, 5, -11, -21, -23, -15, -2, 1, -14, 0, 0, 5, 0, 1 << 24],
    ],
];
