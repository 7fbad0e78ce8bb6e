//! The definition of the quiescence value.
//!
//! With quiescence search, the value of an unfinished position at the horizon is not its static
//! value. It is the best, for the player to move, of
//!
//! - the static value, unless the game says that the player must answer a threat
//!   (`SearchHints::stand_pat`), and
//! - the quiescence values of the positions after the player's noisy moves
//!   (`SearchHints::noisy`); finished positions are valued as usual.
//!
//! Noisy moves are followed for at most `QUIESCENCE_PLIES` plies beyond the horizon. The value is
//! well defined: every search returns that of plain minimax (Shannon 1950 proposed to evaluate only
//! relatively quiescent positions).

/// The maximum number of plies beyond the horizon in quiescence search.
pub const QUIESCENCE_PLIES: u32 = 16;
