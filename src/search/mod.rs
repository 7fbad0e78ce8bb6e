//! Search, generic over the game: what is measured and what it costs.

mod counters;

pub use counters::SearchStats;
