//! Reads the text of a config into a checked [`Experiment`].
//!
//! A config is TOML, read in four steps. Each step keeps the place of every value. First, the text
//! becomes a tree (`toml_tree`). Second, options of the command line are put into the tree
//! (`command_line_overrides`), and keys of `[each]` are put into all agents (`each_section`). A
//! `[sweep]` makes a tree for each run (`sweep_section`). Third, the tree is read against the
//! definitions (`section_definitions`, `read_sections`, `read_toml_table`). Fourth, the sections are
//! checked together (`build_experiment`, `kinds`). Every step continues after a mistake. What depends
//! on a wrong value is not checked.

mod agent_spec;
mod build_context;
mod build_experiment;
mod check_specs;
mod command_line_overrides;
mod each_section;
mod experiment;
mod fit_config_to_finished_run;
mod json_schema;
mod kinds;
mod loaded_config;
mod read_sections;
mod refereed_game;
mod resolved_toml;
mod section_definitions;
mod sections;
mod setup_errors;
mod sweep_section;
mod test_of_tune;
mod tree;

pub use agent_spec::{is_text_key, parse_luck_spec, spec_as_toml};
pub use agent_spec::{parse_agent_spec, parse_game_spec};
pub use command_line_overrides::key_and_value;
pub use command_line_overrides::{Overrides, Sequential};
pub use experiment::{Experiment, GridOfTune, NamedAgent};
pub use json_schema::json_value;
pub use json_schema::{schema, schema_text};
pub use kinds::RunKind;
pub use loaded_config::single;
pub use loaded_config::{LoadedConfig, load, parse, read, read_from, read_runs, read_runs_from};
pub use resolved_toml::{flat, hash_of_text};
pub use section_definitions::{Definitions, Section, SectionShape};
pub use sections::agents_section::{AGENT_KEYS, params as agent_keys};
pub use sections::grading_section::Grading;
pub use sections::limits_section::GameLimits;
pub use sections::output_section::{Output, PgnOutput};
pub use sections::schedule_formats::{Rounds, ScheduleFormat};
pub use sections::schedule_section::{ScheduleConfig, Stage, StartFailure};
pub use sections::seats_and_pairings::{FixedSeat, Pairing};
pub use setup_errors::engine_context_of;
pub use setup_errors::setup_error;
pub use sweep_section::SweepRun;
pub use tree::config_kind::ConfigKind;
pub use tree::diagnostics::ConfigError;
pub use tree::diagnostics::Diagnostic;
pub use tree::keys_of_other_programs;
