//! Reads the text of a config into a checked [`Experiment`].
//!
//! A config is TOML, read in four steps. Each step keeps the place of every value. First, the text
//! becomes a tree (`toml_tree`). Second, options of the command line are put into the tree
//! (`overrides`), old names of keys are replaced (`renamed_keys`), and keys of `[each]` are put into all
//! agents (`each_section`). A `[sweep]` makes a tree for each run (`sweep_section`). Third, the tree is read against the definitions (`section_definitions`,
//! `read_sections`, `read_toml_table`). Fourth, the sections are checked
//! together (`build_experiment`). Every step continues after a mistake, so that all mistakes are reported in
//! one pass.

mod adaptive_section;
mod adjudication_section;
mod agent_folders;
mod agent_names;
mod agent_spec;
mod agents_section;
mod build_experiment;
mod check_parameter_value;
mod collect_openings;
mod command_line_overrides;
mod diagnostics;
mod each_section;
mod experiment;
mod fit_config_to_finished_run;
mod game_or_agent_kind;
mod grading_section;
mod json_schema;
pub mod keys_of_other_programs;
mod limits_section;
mod load_config;
mod luck_section;
mod opening_files;
mod openings_section;
mod output_section;
mod print_diagnostics;
mod read_sections;
mod read_toml_table;
mod reference_agents;
mod renamed_keys;
mod resolved_toml;
mod run_kind;
mod schedule_formats;
mod schedule_section;
mod seats_and_pairings;
mod section_definitions;
mod setup_errors;
mod source_of_each_value;
mod sprt_section;
mod sweep;
mod sweep_section;
mod test_of_tune;
mod toml_syntax_errors;
mod toml_tree;
mod tournament_keys;
mod tune_grid;
mod tune_section;

pub use agent_spec::{is_text_key, parse_luck_spec, spec_as_toml};
pub use agent_spec::{old_keys_of_spec, parse_agent_spec, parse_game_spec};
pub use agents_section::{AGENT_KEYS, params as agent_keys};
pub use command_line_overrides::key_and_value;
pub use command_line_overrides::{Overrides, Sequential};
pub use diagnostics::ConfigError;
pub use diagnostics::Diagnostic;
pub use experiment::{Experiment, GridOfTune, NamedAgent};
pub use game_or_agent_kind::ConfigKind;
pub use grading_section::Grading;
pub use json_schema::json_value;
pub use json_schema::{schema, schema_text};
pub use load_config::single;
pub use load_config::{LoadedConfig, load, parse, read, read_from, read_runs, read_runs_from};
pub use output_section::{Output, PgnOutput};
pub use resolved_toml::{flat, hash_of_text};
pub use run_kind::RunKind;
pub use schedule_formats::{Rounds, ScheduleFormat};
pub use schedule_section::{ScheduleConfig, Stage, StartFailure};
pub use seats_and_pairings::{FixedSeat, Pairing};
pub use section_definitions::{Definitions, Section, SectionShape};
pub use setup_errors::engine_context_of;
pub use setup_errors::setup_error;
pub use sweep_section::SweepRun;
