//! `agon init`: writes a commented config to start from.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;

use crate::cli::argument_types::Template;
use crate::cli::clap_definitions::InitArgs;
use crate::cli::exit_codes;
use crate::cli::exit_codes::Failure;

impl Template {
    fn text(self) -> &'static str {
        match self {
            Template::Connect4 => include_str!("init/connect4.toml"),
            Template::Class => include_str!("init/class.toml"),
            Template::Chess => include_str!("init/chess.toml"),
            Template::Sprt => include_str!("init/sprt.toml"),
            Template::Sweep => include_str!("init/sweep.toml"),
        }
    }

    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// Writes the config. An existing file is kept.
///
/// # Errors
/// A file that exists or cannot be written.
pub fn run(args: &InitArgs) -> Result<u8, Failure> {
    let text = args.kind.text();
    let path = match &args.file {
        Some(path) if path.as_os_str() == "-" => {
            io::stdout().write_all(text.as_bytes())?;
            return Ok(exit_codes::DONE);
        }
        Some(path) => path.clone(),
        None => PathBuf::from(format!("{}.toml", args.kind.name())),
    };
    let shown = path.display();
    let made = OpenOptions::new().write(true).create_new(true).open(&path);
    match made.and_then(|mut file| file.write_all(text.as_bytes())) {
        Ok(()) => {
            writeln!(anstream::stdout(), "{shown} is written; `agon run {shown}` plays it")?;
            Ok(exit_codes::DONE)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let kind = args.kind.name();
            Err(Failure::Usage(format!(
                "{shown} exists already and is kept\n\
                 help: name another file, such as `agon init {kind} my_{kind}.toml`"
            )))
        }
        Err(error) => Err(Failure::Usage(format!(
            "{shown} cannot be written: {error}\nhelp: name a file in a folder that exists"
        ))),
    }
}
