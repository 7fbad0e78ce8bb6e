//! Games in PGN.

pub(crate) mod pgn_movetext;
pub(crate) mod pgn_reader;
