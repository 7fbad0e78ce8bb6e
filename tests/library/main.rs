//! Tests of the library: configs, agents, statistics, and programs that use the library.

mod agents;
mod config_errors;
mod config_fuzz;
mod config_list;
mod config_read;
mod config_schema;
mod config_spec;
mod examples;
mod layers;
mod statistics_adaptive;
mod statistics_clusters;
mod statistics_counts;
mod statistics_coverage;
mod statistics_elo_change;
mod statistics_intervals;
mod statistics_known;
mod statistics_page;
mod statistics_rating_list;
mod statistics_ratings;
mod statistics_runs;
mod statistics_sprt;
mod statistics_tournament;
mod statistics_tune;
mod swiss_pairing;
mod tally;
mod utility;

#[path = "../support/mod.rs"]
mod support;
