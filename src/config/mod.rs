//! Reads the text of a config into a checked [`Experiment`].
//!
//! A config is TOML, read in four steps. Each step keeps the place of every value. First, the text
//! becomes a tree (`tree`). Second, options of the command line are put into the tree
//! (`overrides`). Third, the tree is read against the definitions (`definition`, `read`). Fourth,
//! the sections are checked together (`assemble`). Every step continues after a mistake, so that
//! all mistakes are reported in one pass.

mod adjudication;
mod agents;
mod assemble;
mod book;
mod definition;
mod diagnostic;
mod draft;
mod experiment;
mod grading;
mod kind;
mod limits;
mod naming;
mod openings;
mod output;
mod overrides;
mod read;
mod reading;
mod render;
mod resolved;
mod schedule;
mod schema;
mod seat;
mod setup;
mod source;
mod spec;
mod sprt;
mod sweep;
mod syntax;
mod table;
mod tree;
mod value;

pub use agents::params as agent_keys;
pub use definition::{Definitions, Section, Shape};
pub use diagnostic::{ConfigError, Diagnostic};
pub use experiment::{Experiment, NamedAgent};
pub use grading::Grading;
pub use kind::Kind;
pub use output::{Output, Pgn};
pub use overrides::{Overrides, Sequential};
pub use reading::{Reading, load, parse, read, read_from};
pub use resolved::flat;
pub use schedule::{Format, Schedule, StartFailure};
pub(crate) use schema::json_value;
pub use schema::{schema, schema_text};
pub use seat::{Pairing, Seat};
pub use setup::{house_of, setup_error};
pub use source::{Source, SourceKind, Span};
pub use spec::{parse_agent_spec, parse_game_spec};
