//! Openings: read from a config, or made.

pub(crate) mod make_openings;
pub(crate) mod read_openings;
