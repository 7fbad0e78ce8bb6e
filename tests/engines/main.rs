//! Engines from outside: every way to misbehave, quirks of the protocol, the whole program.

mod matrix;
mod program;
mod quirks;
mod resources;
#[path = "../support/engines.rs"]
mod support;
