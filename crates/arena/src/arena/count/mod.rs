//! Counts of games: the tally and what it is made of. Knows rows, but no folder.

pub(crate) mod consecutive_forfeits;
pub(crate) mod duplicate_games;
pub(crate) mod grade_counts;
pub(crate) mod history_for_charts;
pub(crate) mod repeated_openings;
pub(crate) mod run_events;
pub(crate) mod scores_by_opening;
pub(crate) mod select_games_to_show;
pub(crate) mod tally;
pub(crate) mod time_histogram;
