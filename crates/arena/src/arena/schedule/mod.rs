//! Which games are played: the schedule, its rounds and its shards.

pub(crate) mod calibration_games;
pub(crate) mod game_schedule;
pub(crate) mod run_state;
pub(crate) mod shard_range;
pub(crate) mod unit_queue;
