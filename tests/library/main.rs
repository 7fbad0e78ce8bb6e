//! Tests of the library: configs, statistics, and programs that use the library.

mod config_errors;
mod config_fuzz;
mod config_list;
mod config_read;
mod config_schema;
mod config_spec;
mod examples;
mod layers;
mod statistics_coverage;
mod statistics_known;
mod statistics_page;

#[path = "../support/mod.rs"]
mod support;
