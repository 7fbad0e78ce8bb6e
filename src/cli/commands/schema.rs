//! `agon schema`: prints the JSON Schema of a config.

use std::io::{self, Write};

use clap::Args;

use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::config::schema_text;

/// Prints the JSON Schema of the config file.
#[derive(Debug, Args)]
#[command(hide = true)]
pub struct SchemaArgs {}

/// Prints the schema.
pub fn run(_: &SchemaArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    io::stdout().write_all(schema_text(context.registry).as_bytes())?;
    Ok(exit_codes::DONE)
}
