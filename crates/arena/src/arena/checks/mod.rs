//! What is checked before a run begins: memory, open files, repeated games, changed programs.

pub(crate) mod determinism_check;
pub(crate) mod memory_demand;
pub(crate) mod open_file_limit_check;
pub(crate) mod program_identity;
