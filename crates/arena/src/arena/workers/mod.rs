//! The threads that play, and what watches them.

pub(crate) mod cost_limit;
pub mod cpu_pinning;
pub(crate) mod parallel_workers;
pub(crate) mod void_game_attempts;
pub(crate) mod watchdog;
