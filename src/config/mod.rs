//! Reads the text of a config into a checked [`Experiment`].
//!
//! A config is TOML, read in four steps. Each step keeps the place of every value. First, the text
//! becomes a tree (`toml_tree`). Second, options of the command line are put into the tree
//! (`overrides`), old names of keys are replaced (`old_keys`), and keys of `[each]` are put into all
//! agents (`shared_keys`). Third, the tree is read against the definitions (`definitions`, `sections`, `read_table`). Fourth, the sections are checked
//! together (`build`). Every step continues after a mistake, so that all mistakes are reported in
//! one pass.

mod adjudication;
mod agent_names;
mod agent_spec;
mod agents;
mod build;
mod check_value;
mod definitions;
mod diagnostic;
mod error_text;
mod experiment;
mod foreign_keys;
mod grading;
mod kind;
mod limits;
mod loaded;
mod old_keys;
mod opening_files;
mod openings;
mod output;
mod overrides;
mod read_table;
mod resolved_toml;
mod schedule;
mod schema;
mod seats;
mod sections;
mod setup_errors;
mod shared_keys;
mod sprt;
mod sweep;
mod syntax_errors;
mod toml_tree;
mod value_source;

pub use agent_spec::{old_keys_of_spec, parse_agent_spec, parse_game_spec, spec_as_toml};
pub(crate) use agents::params as agent_keys;
pub use definitions::{Definitions, Section, SectionShape};
pub use diagnostic::ConfigError;
pub(crate) use diagnostic::Diagnostic;
pub use experiment::{Experiment, NamedAgent};
pub use foreign_keys::answer as foreign_answer;
pub use grading::Grading;
pub use kind::ConfigKind;
pub use loaded::{LoadedConfig, load, parse, read, read_from};
pub use output::{Output, PgnOutput};
pub use overrides::{Overrides, Sequential};
pub(crate) use resolved_toml::flat;
pub use schedule::{ScheduleConfig, ScheduleFormat, StartFailure};
pub(crate) use schema::json_value;
pub use schema::{schema, schema_text};
pub use seats::{FixedSeat, Pairing};
pub(crate) use setup_errors::house_of;
pub use setup_errors::setup_error;
