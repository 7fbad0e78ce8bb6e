//! How finished games get into the folder and out of it again: journal, log, resume, verify.

pub(crate) mod count_games_csv;
pub(crate) mod extend_finished_run;
pub(crate) mod journal;
pub(crate) mod move_stats;
pub(crate) mod remaining_games;
pub(crate) mod resume_run;
pub(crate) mod verify_results_folder;
pub(crate) mod write_ahead_log;
