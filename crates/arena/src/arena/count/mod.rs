//! Counts of games: the tally and what it is made of. Knows rows, but no folder.

pub(crate) mod duplicate_games;
pub(crate) mod forfeit_limits;
pub(crate) mod grade_counts;
pub(crate) mod highlights;
pub(crate) mod opening_clusters;
pub(crate) mod repeated_openings;
pub(crate) mod run_events;
pub(crate) mod run_history;
pub(crate) mod tally;
pub(crate) mod tally_of_rows;
pub(crate) mod time_histogram;
