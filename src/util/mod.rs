//! Helpers for every layer: lists, maps and text, compiled once.

pub(crate) mod collect_with_less_code;
pub(crate) mod did_you_mean;
pub(crate) mod sort_with_less_code;
pub(crate) mod sorted_map;
pub(crate) mod toml_nesting_depth;
pub(crate) mod unix;
