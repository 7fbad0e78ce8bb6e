//! `agon schema`: prints the JSON Schema of the config file.

use std::io::{self, Write};

use crate::config::schema_text;
use crate::play::Registry;

/// Prints the schema.
pub fn run(registry: &Registry, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(schema_text(registry).as_bytes())
}
