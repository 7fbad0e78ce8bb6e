//! Tests with external engines: faulty engines, protocol quirks, the whole program.

mod matrix;
mod program;
mod quirks;
mod resources;
#[path = "../support/engines.rs"]
mod support;
