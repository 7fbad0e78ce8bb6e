//! The tuned weights of the features in [`super::child_ordering`].
//!
//! `benches/studies/connect4_weights.rs` found them by hill climbing in three runs, on positions that it
//! made and solved itself. The first run, with seed 1, took 1500 steps on 40 positions of twelve
//! stones. The second run, with seed 2, took 1000 steps on 40 other positions. The third run, with
//! seed 4, took 230 steps on six positions of eight stones.
//! Seed 3 for the last run led to more nodes for the empty board and was dropped.
//!
//! ```text
//! cargo bench --bench studies -- connect4_weights 1500 40 1 12 1000 40 2 12 230 6 4 8
//! ```
//!
//! The command prints these numbers on every machine. It also prints the nodes for the empty board
//! after each run: 25 979 220, 24 936 336 and 20 429 919. The weights depend on the search, so a
//! change of the search changes them.

use super::child_ordering::WeightSets;

/// The weights of the solver.
pub const WEIGHTS: WeightSets = [
    [
        [143, 20, 20, 21, -4, 17, -22, -29, -37, -10, -16, -1, -10, 6, 5, 1, 1 << 20],
        [379, 35, 81, 80, 18, 7, -66, -30, -27, -8, -1, 21, -4, -7, 6, -7, 1 << 20],
    ],
    [
        [238, 13, 52, 23, 22, -25, -95, -23, -39, -6, -5, 6, -18, 6, 16, 6, 1 << 20],
        [194, 29, 67, 48, -3, 3, -93, -26, -32, -4, 2, 17, -11, -18, 10, -25, 1 << 20],
    ],
];
