//! Results of a run as tables, CSV, JSON, PGN and a page, computed from a tally.

mod agent_parameter_columns;
mod agents_of_several_runs;
mod agents_pairings_seats_csv;
mod answer;
mod data_table;
mod engine_budget_check;
mod exporter_list;
mod exporter_trait;
mod first_move_advantage;
mod forfeits_table;
mod full_summary;
pub(crate) mod html;
mod json_results;
mod kinds;
mod luck_table;
mod move_cost_table;
mod move_quality_table;
mod multiple_comparisons;
mod notes_before_tables;
mod notes_below_rating_list;
mod number_format;
mod pgn_writer;
mod plan_estimates;
mod plan_in_rounds;
mod plan_of_tune;
mod points_table;
mod progress_bar;
mod ranking;
mod ranking_and_cross_table;
mod replay_text;
mod run_facts_for_tables;
mod run_results;
mod short_summary;
mod text_table;
mod text_width;
mod two_agents_report;
mod verdict_phrases;

pub(crate) use agents_of_several_runs::{StackedRun, stacked};
pub(crate) use answer::Answer;
pub(crate) use data_table::{DataCell, DataTable};
pub(crate) use exporter_list::{PAGE, PGN, TABLES, export};
pub(crate) use exporter_trait::{ExportSource, Exporter};
pub use full_summary::render;
pub(crate) use html::{ChartFile, Trend, TrendPoint, chart_files, chart_ids, trend_picture};
pub use json_results::write as write_json;
pub(crate) use kinds::{RunDecision, decision};
pub(crate) use luck_table::table as table_of_scores_without_luck;
pub(crate) use number_format::{
    NONE, add_field, counted, elo, fixed, grouped, minus, percent, short, time,
};
pub(crate) use pgn_writer::pgn;
pub(crate) use plan_estimates::{Available, Plan};
pub(crate) use plan_in_rounds::{
    PlanInRounds, planned_formats, planned_tournament, simulations, tournament_simulations,
};
pub(crate) use plan_of_tune::PlanOfTune;
pub(crate) use progress_bar::{ProgressLines, TerminalProgress};
pub use ranking::Ranking;
pub(crate) use replay_text::Replay;
pub use run_facts_for_tables::{RunContext, RunEnd, RunFacts};
pub use run_results::{Heading, Results};
pub(crate) use short_summary::short_summary;
pub use text_table::TableFormat;
pub(crate) use text_table::{Document, TextTable, wrapped, wrapped_message};
