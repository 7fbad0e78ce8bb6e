//! `agon init`: writes a commented config to start from.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::cli::argument_types::words;
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes::{self, Failure};

/// A config to start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Template {
    /// Two agents play Connect Four.
    #[default]
    Connect4,
    /// A tournament of the programs of a class, with a first program in Python.
    Class,
    /// Two engines play chess.
    Chess,
    /// A sequential test: is the new version stronger?
    Sprt,
    /// Many agents and runs from lists of parameters.
    Sweep,
    /// Better weights of an evaluator, found by games.
    Tune,
}

impl Template {
    fn text(self) -> &'static str {
        match self {
            Template::Connect4 => include_str!("init/connect4.toml"),
            Template::Class => include_str!("init/class.toml"),
            Template::Chess => include_str!("init/chess.toml"),
            Template::Sprt => include_str!("init/sprt.toml"),
            Template::Sweep => include_str!("init/sweep.toml"),
            Template::Tune => {
                let text = include_str!("../../../configs/tune.toml");
                text.strip_prefix("#:schema ../agon.schema.json\n#\n").unwrap_or(text)
            }
        }
    }

    /// The command that plays the config.
    fn command(self) -> &'static str {
        if self == Template::Tune { "tune" } else { "run" }
    }

    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// The first program of a class, and the module that it needs.
const CLASS: [(&str, &str); 2] = [
    ("class/agon_engine.py", include_str!("../../../examples/agon_engine.py")),
    ("class/example/agent.py", include_str!("init/agent.py")),
];

/// The folder of the first program.
const EXAMPLE: &str = "class/example";

/// Whether the folder has folders. Python's own ones begin with `_`.
fn has_folders(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .into_iter()
        .any(|entry| entry.path().is_dir() && !entry.file_name().to_string_lossy().starts_with('_'))
}
/// Writes a commented config to start from.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// What the config is for.
    #[arg(value_enum, ignore_case = true, value_name = "KIND", default_value_t)]
    #[arg(value_parser = words::<Template>())]
    kind: Template,
    /// The file to write; `-` writes to the standard output [default: KIND.toml].
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

/// Writes the config. An existing file is kept.
///
/// # Errors
/// A file that exists or cannot be written.
pub fn run(args: &InitArgs, _: &CommandContext<'_>) -> Result<u8, Failure> {
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
    if !write_new(&path, text)? {
        let kind = args.kind.name();
        return Err(Failure::usage(
            format!("{shown} exists already and is kept"),
            format!("name another file, such as `agon init {kind} my_{kind}.toml`"),
        ));
    }
    let mut out = anstream::stdout();
    if args.kind == Template::Class {
        for (name, text) in CLASS {
            let path = Path::new(name);
            if path.starts_with(EXAMPLE) && !path.exists() && has_folders(Path::new("class")) {
                writeln!(out, "{EXAMPLE} is left out: class/ has folders of its own")?;
                continue;
            }
            // If this fails, so does the next step, which says why.
            let _ = fs::create_dir_all(path.parent().unwrap_or(path));
            let state = if write_new(path, text)? { "written" } else { "kept" };
            writeln!(out, "{name} is {state}")?;
        }
    }
    writeln!(out, "{shown} is written; `agon {} {shown}` plays it", args.kind.command())?;
    Ok(exit_codes::DONE)
}

/// Writes a file unless it exists. Returns whether it was written.
fn write_new(path: &Path, text: &str) -> Result<bool, Failure> {
    let made = OpenOptions::new().write(true).create_new(true).open(path);
    match made.and_then(|mut file| file.write_all(text.as_bytes())) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(Failure::usage(
            format!("{} cannot be written: {error}", path.display()),
            "name a file in a folder that exists",
        )),
    }
}
