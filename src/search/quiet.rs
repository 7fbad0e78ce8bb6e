//! What the quiescence value of a position is.
//!
//! With quiescence the value of an undecided position at the horizon is not its static
//! value but the best, for the player to move, of
//!
//! - the static value (he may leave it at that, unless the game says that he has to answer a
//!   threat: `SearchHints::stand_pat`), and
//! - the quiescence values of the positions after his noisy moves (`SearchHints::noisy`),
//!   positions that have ended being valued as everywhere,
//!
//! where noisy moves are followed for at most [`QUIESCENCE_PLIES`] plies beyond the
//! horizon. This is a value like any other: every search gives that of plain minimax
//! (Shannon 1950 proposed to evaluate only positions that are relatively quiescent).

/// Plies beyond the horizon that noisy moves are followed at most.
pub const QUIESCENCE_PLIES: u32 = 16;
