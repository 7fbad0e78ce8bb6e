//! From the text of a config to a checked [`Experiment`].
//!
//! A config is TOML, read in four steps, each of which keeps the place of every value:
//! text to tree (`tree`), options of the command line put into the tree (`overrides`),
//! tree against definitions (`definition`, `read`), sections seen together (`assemble`).
//! Every step goes on after a mistake, so that a person is told all of them in one go.

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
pub use schedule::{Format, Schedule};
pub(crate) use schema::json_value;
pub use schema::{schema, schema_text};
pub use seat::{Pairing, Seat};
pub use setup::{house_of, setup_error};
pub use source::{Source, SourceKind, Span};
pub use spec::{parse_agent_spec, parse_game_spec};
