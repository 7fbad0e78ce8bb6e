//! Luck of a game: what its random results were worth.

pub(crate) mod ask_agents_again;
pub(crate) mod fit_luck;
pub(crate) mod measure_luck;
