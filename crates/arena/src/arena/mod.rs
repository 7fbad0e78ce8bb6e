//! Runs an experiment: schedule, workers, journal and tally.
//!
//! The schedule is a pure function of the game number. Workers play the games in any order, and the
//! journal restores the order before the games are counted.

mod checks;
mod count;
mod folder;
mod grading;
mod luck;
mod schedule;
mod shards;
mod storage;
mod workers;

pub use crate::result_tables::column_roles::named as column_role;
pub use crate::result_tables::column_roles::word as column_word;
pub use crate::result_tables::column_roles::{
    ColumnRole, GUESSED_COLUMNS, RANK_WORDS, SCORE_WORDS, SEAT_WORDS,
};
pub use crate::result_tables::read_result_tables::read_result_tables;
pub use crate::result_tables::result_pool::append_to_pool;
pub use crate::result_tables::result_rows::{
    ConditionCounts, InternedTexts, ResultRow, ResultRows, RowFacts, SeatedPlayer,
};
pub use crate::result_tables::table_fault::TableFault;
pub use crate::result_tables::table_options::TableOptions;
pub use crate::rows::cell_text::{guarded, plain};
pub use crate::rows::games_csv_columns::columns as game_columns;
pub use crate::rows::games_csv_columns::header;
pub use crate::rows::games_csv_rows::{GameRow, GameRows};
pub use crate::rows::moves_csv_rows::columns as move_columns;
pub use crate::rows::moves_csv_rows::header as moves_header;
pub use crate::rows::moves_csv_rows::{Costs, MoveRow, is_fault};
pub use crate::rows::results_folder_errors::{FolderError, RowError};
pub use crate::rows::results_folder_errors::{NO_REPAIR, repair_help};
pub use checks::determinism_check::probe;
pub use checks::memory_demand::Demand;
pub use checks::memory_demand::available_memory;
pub use checks::open_file_limit_check::Need;
pub use checks::program_identity::{FileRole, Program, ProgramFile, Programs};
pub use checks::program_identity::{agents_of_different_programs, find_changes, identify};
pub use count::duplicate_games::Duplicates;
pub use count::grade_counts::{Grades, SideGrades};
pub use count::highlights::{Highlights, StoredGame};
pub use count::opening_clusters::SeatSamples;
pub use count::repeated_openings::RepeatedOpenings;
pub use count::run_events::{Event, Observer, Progress, RoundState, silent};
pub use count::run_history::{HistoryPoint, Lengths, RunHistory};
pub use count::tally::{AgentTally, EarlyEnd, PairingTally, Tally};
pub use count::tally_of_rows::tally_of_rows;
pub use count::time_histogram::TimeHistogram;
pub use folder::game_moves::GameMoves;
pub use folder::manifest::{FittedMap, GradingRecord, LuckRecord, Machine, Manifest, Status};
pub use folder::results_folder::{DerivedFile, Folder, Replacement};
pub use folder::results_folder_lock::FolderLock;
pub use grading::grading_pass::{Graded, GradingPass};
pub use grading::grading_sample::Sample;
pub use luck::luck_meters::LuckMeters;
pub use luck::lucky_games::{LuckyGame, luckiest_games};
pub use schedule::calibration_games::{Calibration, calibrate};
pub use schedule::game_schedule::{Pairing, Schedule};
pub use schedule::run_state::{Round, RunState, has_rounds};
pub use schedule::shard_range::Shard;
pub use shards::merge_shard_folders::{MergeParts, merge, ranges};
pub use shards::shard_folders::{ShardFolder, Shards};
pub use shards::wave::Wave;
pub use storage::count_games_csv::{count, count_grades};
pub use storage::count_games_csv::{ends_torn, find_game, measure_luck};
pub use storage::extend_finished_run::Extended;
pub use storage::journal::{JournalError, Outputs};
pub use storage::move_stats::MoveStats;
pub use storage::remaining_games::Remaining;
pub use storage::resume_run::{Begin, OpenedRun, resume};
pub use storage::verify_results_folder::verify;
pub use storage::write_ahead_log::{Finished, WriteAheadLog, read as read_wal};
pub use workers::cpu_pinning;
pub use workers::parallel_workers::{RunError, Runner};
pub use workers::void_game_attempts::REPLAYS;
pub use workers::watchdog::Watchdog;
