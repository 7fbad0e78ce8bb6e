//! Openings that are read from files or collected from games.

pub(crate) mod collect_openings;
pub(crate) mod opening_files;
