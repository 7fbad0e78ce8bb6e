//! Results of a run as tables, CSV, JSON, PGN and a page, computed from a tally.

mod answer;
mod any_time;
mod csv_tables;
mod exporter_list;
mod exporter_trait;
mod figures;
pub(crate) mod html;
mod json_results;
mod kinds;
mod means_over_seeds;
mod pgn_exporter;
mod placing_plan;
mod plans;
mod ranked_list;
mod replay_text;
pub(crate) mod search_tree;
mod short_summary;
mod stacked_runs;
mod summary_text;
mod terminal_progress;
mod text;
mod two_agents_report;

pub(crate) use answer::Answer;
pub(crate) use any_time::TestOfTwo;
pub(crate) use csv_tables::write_agents;
pub(crate) use exporter_list::{PAGE, PGN, TABLES, export};
pub(crate) use exporter_trait::{ExportSource, Exporter};
pub(crate) use figures::luck_table::table as table_of_scores_without_luck;
pub use figures::ranking::Ranking;
pub use figures::run_facts_for_tables::{RunContext, RunEnd, RunFacts};
pub use figures::run_results::{Heading, Results};
pub(crate) use html::{
    ChartFile, LadderDay, Trend, TrendPoint, chart_files, chart_ids, ladder_page, ranked_page,
    sweep_chart_files, sweep_page, trend_picture,
};
pub use json_results::write as write_json;
pub(crate) use kinds::{PlannedGames, RunDecision, decision, planned_games};
pub(crate) use means_over_seeds::PooledRows;
pub(crate) use pgn_exporter::{PgnExporter, pgn, pgn_of_moves};
pub(crate) use placing_plan::PlacingPlan;
pub(crate) use plans::plan_estimates::{Available, Plan};
pub(crate) use plans::plan_in_rounds::{PlanInRounds, simulated_formats};
pub(crate) use plans::plan_of_tune::PlanOfTune;
pub(crate) use ranked_list::RankedList;
pub(crate) use replay_text::Replay;
pub(crate) use short_summary::short_summary;
pub(crate) use stacked_runs::{StackedRun, stacked};
pub use summary_text::render;
pub(crate) use terminal_progress::{ProgressLines, TerminalProgress};
pub(crate) use text::data_table::{DataCell, DataTable};
pub(crate) use text::number_format::{
    NONE, add_field, counted, elo, fixed, grouped, minus, percent, short, time, trimmed,
};
pub use text::text_table::TableFormat;
pub(crate) use text::text_table::{Document, TextTable, wrapped, wrapped_message};
