//! Luck of a game: what its random results were worth.

pub(crate) mod choice_reader;
pub(crate) mod luck_meter;
pub(crate) mod value_reader;
