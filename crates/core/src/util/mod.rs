//! Helpers for every layer.

pub mod beginning_of_text;
pub mod did_you_mean;
pub mod locks;
pub mod prefetch;
pub mod toml_fault;
pub mod toml_nesting_depth;
pub mod unix;
