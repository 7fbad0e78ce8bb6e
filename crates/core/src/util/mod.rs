//! Helpers for every layer: lists, maps and text, compiled once.

pub mod beginning_of_text;
pub mod collect_with_less_code;
pub mod did_you_mean;
pub mod locks;
pub mod sort_with_less_code;
pub mod sorted_map;
pub mod toml_nesting_depth;
pub mod unix;
