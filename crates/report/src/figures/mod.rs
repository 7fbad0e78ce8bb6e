//! The figures of a run and their tables: ratings, moving first, costs, luck.

pub(crate) mod agent_figures;
pub(crate) mod agent_parameter_columns;
pub(crate) mod answers;
pub(crate) mod engine_budget_check;
pub(crate) mod figure_list;
pub(crate) mod first_move_table;
pub(crate) mod forfeits_table;
pub(crate) mod luck_table;
pub(crate) mod move_cost;
pub(crate) mod move_quality_table;
pub(crate) mod multiple_comparisons;
pub(crate) mod notes_before_tables;
pub(crate) mod notes_below_rating_list;
pub(crate) mod pairing_figures;
pub(crate) mod points_table;
pub(crate) mod ranking;
pub(crate) mod ranking_and_cross_table;
pub(crate) mod run_facts_for_tables;
pub(crate) mod run_results;
pub(crate) mod verdict_phrases;
