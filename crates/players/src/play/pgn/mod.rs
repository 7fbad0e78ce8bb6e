//! Games in PGN.

pub(crate) mod pgn_moves;
pub(crate) mod pgn_reader;
