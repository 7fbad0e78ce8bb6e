//! Boards as bits: sets of cells, lines on them, and threats.

pub(crate) mod bitboard;
pub(crate) mod immediate_threats;
pub(crate) mod lines_on_grid;
