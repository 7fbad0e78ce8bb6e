//! What the features of [`super::order`] weigh.
//!
//! Found by `examples/connect4_weights.rs` in three climbs, on positions that it made and solved
//! itself: 1500 steps on 40 positions of twelve stones with seed 1, 1000 steps on 40 others with
//! seed 2, and 230 steps on six positions of eight stones with seed 4 (the same with seed 3 led to
//! more nodes for the empty board, and was given up):
//!
//! ```text
//! cargo run --release --example connect4_weights -- 1500 40 1 12 1000 40 2 12 230 6 4 8
//! ```
//!
//! The command gives these numbers on every machine, and the nodes for the empty board after each
//! climb: 25 979 220, 24 936 336 and 20 429 919. They depend on the search: where it changes, so
//! do they.

use super::order::Weights;

/// By whether the mover gets the upper cells by following, then by whether the question is
/// if the mover wins.
pub const WEIGHTS: [[Weights; 2]; 2] = [
    [
        [143, 20, 20, 21, -4, 17, -22, -29, -37, -10, -16, -1, -10, 6, 5, 1, 1 << 20],
        [379, 35, 81, 80, 18, 7, -66, -30, -27, -8, -1, 21, -4, -7, 6, -7, 1 << 20],
    ],
    [
        [238, 13, 52, 23, 22, -25, -95, -23, -39, -6, -5, 6, -18, 6, 16, 6, 1 << 20],
        [194, 29, 67, 48, -3, 3, -93, -26, -32, -4, 2, 17, -11, -18, 10, -25, 1 << 20],
    ],
];
