//! The threads that play, and what watches them.

pub mod cpu_pinning;
pub(crate) mod parallel_workers;
pub(crate) mod replay_void_games;
pub(crate) mod watchdog;
