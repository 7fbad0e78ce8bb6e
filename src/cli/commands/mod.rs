//! The commands of agon: one file or folder per command.

pub(super) mod bench;
pub(super) mod check_engine;
pub(super) mod compare;
pub(super) mod completions;
pub(super) mod example;
pub(super) mod faulty_test_engine;
pub(super) mod grade;
pub(super) mod init;
pub(super) mod list;
pub(super) mod match_agents;
pub(super) mod merge;
pub(super) mod next;
pub(super) mod plan;
pub(super) mod play;
pub(super) mod plot;
pub(super) mod replay;
pub(super) mod report;
pub(super) mod run;
pub(super) mod run_config_or_sweep;
pub(super) mod scores_without_luck;
pub(super) mod serve;
pub(super) mod solve;
pub(super) mod table;
pub(super) mod watch;
