//! Luck that is measured after the games.

pub(crate) mod luck_meters;
pub(crate) mod lucky_games;
