//! Openings that are read from files or collected from games.

pub(crate) mod opening_collector;
pub(crate) mod opening_files;
