//! Results of a run as tables, CSV, JSON, PGN and a page, computed from a tally.
//!
//! Programs use this crate through `agon::report`, which re-exports a part of it.

mod answer;
mod any_time;
mod csv_tables;
mod exporter_list;
mod exporter_trait;
mod figures;
pub mod html;
mod json_results;
mod kinds;
mod means_over_seeds;
mod pgn_exporter;
mod placing_plan;
mod plans;
mod ranked_list;
mod replay_text;
pub mod search_tree;
mod short_summary;
mod stacked_runs;
mod summary_text;
mod terminal_progress;
mod text;
mod two_agents_report;

pub use answer::Answer;
pub use any_time::TestOfTwo;
pub use csv_tables::write_agents;
pub use exporter_list::{PAGE, PGN, TABLES, export};
pub use exporter_trait::{ExportSource, Exporter};
pub use figures::luck_table::table as table_of_scores_without_luck;
pub use figures::ranking::Ranking;
pub use figures::run_facts_for_tables::{RunContext, RunEnd, RunFacts};
pub use figures::run_results::{Heading, Results};
pub use html::{
    ChartFile, LadderDay, Trend, TrendPoint, chart_files, chart_ids, ladder_page, ranked_page,
    sweep_chart_files, sweep_page, trend_picture,
};
pub use json_results::write as write_json;
pub use kinds::{PlannedGames, RunDecision, decision, planned_games};
pub use means_over_seeds::PooledRows;
pub use pgn_exporter::{PgnExporter, pgn, pgn_of_moves};
pub use placing_plan::PlacingPlan;
pub use plans::plan_estimates::{Available, Plan};
pub use plans::plan_in_rounds::{PlanInRounds, simulated_formats};
pub use plans::plan_of_tune::PlanOfTune;
pub use ranked_list::RankedList;
pub use replay_text::Replay;
pub use short_summary::short_summary;
pub use stacked_runs::{StackedRun, stacked};
pub use summary_text::render;
pub use terminal_progress::{ProgressLines, TerminalProgress};
pub use text::data_table::{DataCell, DataTable};
pub use text::number_format::{
    NONE, add_field, counted, elo, fixed, grouped, minus, percent, short, time, trimmed,
};
pub use text::text_table::{Document, TableFormat, TextTable, wrapped, wrapped_message};

pub(crate) use agon_arena::{
    agents, arena, choice, config, engine, games, params, play, rounds, search, solve, stats, util,
};
