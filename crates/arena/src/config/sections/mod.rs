//! The sections of a config: for each one its keys, its checks and what it becomes.

pub(crate) mod adjudication_section;
pub(crate) mod agent_folders;
pub(crate) mod agent_names;
pub(crate) mod agents_section;
pub(crate) mod grading_section;
pub(crate) mod limits_section;
pub(crate) mod luck_section;
mod openings;
pub(crate) mod openings_section;
pub(crate) mod output_section;
pub(crate) mod pool_ratings;
pub(crate) mod reference_agents;
pub(crate) mod schedule_formats;
pub(crate) mod schedule_section;
pub(crate) mod seats_and_pairings;
