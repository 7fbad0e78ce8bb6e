//! Compares two results folders: is the candidate worse than the baseline?
//!
//! Only comparable games are used. Strength is the difference of scores in paired games, which have
//! the same opponent, opening and seat. Work is compared exactly in games with the same moves.
//! Speed is the ratio of times in paired games.

mod change_limits;
mod check_limits;
mod comparability;
mod compare_cost;
mod compare_strength;
mod comparison;
mod head_to_head;
mod junit_xml;
mod paired_games;
mod print_comparison;
mod read_completed_run;

pub use change_limits::{ChangeLimits, Metric};
pub use check_limits::{Change, GateVerdict};
pub use comparability::check_comparable;
pub use compare_cost::TIME_CONFIDENCE;
pub use comparison::Comparison;
pub use read_completed_run::CompletedRun;
