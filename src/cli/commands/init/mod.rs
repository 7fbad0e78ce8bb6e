//! `agon init`: writes a commented config to start from, or a workflow.

mod ci;

use std::borrow::Cow;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::cli::argument_types::words;
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::play::Registry;
use crate::util::unix;
use ci::CiArgs;

/// A config to start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Template {
    /// Two agents play Connect Four.
    #[default]
    Connect4,
    /// A tournament of the programs of a class, with a first program in Python.
    Class,
    /// A game of your own in Python: its rules, an agent, and a tournament.
    Game,
    /// Two engines play chess.
    Chess,
    /// A sequential test: is the new version stronger?
    Sprt,
    /// Many agents and runs from lists of parameters.
    Sweep,
    /// Better weights of an evaluator, found by games.
    Tune,
    /// A workflow for GitHub: does a change make an engine or an agent weaker or slower?
    Ci,
}

impl Template {
    fn text(self, args: &InitArgs, registry: &Registry) -> Result<Cow<'static, str>, Failure> {
        Ok(Cow::Borrowed(match self {
            Template::Connect4 => include_str!("connect4.toml"),
            Template::Class => include_str!("class.toml"),
            Template::Game => include_str!("game.toml"),
            Template::Chess => include_str!("chess.toml"),
            Template::Sprt => include_str!("sprt.toml"),
            Template::Sweep => include_str!("sweep.toml"),
            Template::Tune => {
                let text = include_str!("../../../../configs/tune.toml");
                text.strip_prefix("#:schema ../agon.schema.json\n#\n").unwrap_or(text)
            }
            Template::Ci => return Ok(Cow::Owned(args.ci.workflow(registry)?)),
        }))
    }

    /// The file that is written if none is named.
    fn file(self) -> PathBuf {
        match self {
            Template::Ci => PathBuf::from(ci::FILE),
            kind => PathBuf::from(format!("{}.toml", kind.name())),
        }
    }

    /// The other files that are written: name, text, and whether it is a program.
    fn more_files(self) -> &'static [(&'static str, &'static str, bool)] {
        match self {
            Template::Class => &CLASS,
            Template::Game => &GAME,
            _ => &[],
        }
    }

    /// What to do with the written file.
    fn next_step(self, args: &InitArgs, file: &Path) -> String {
        let file = file.display();
        match self {
            Template::Tune => format!("`agon tune {file}` plays it"),
            Template::Ci => args.ci.next_step().to_owned(),
            _ => format!("`agon run {file}` plays it"),
        }
    }

    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

const ENGINE_HELPER: &str = include_str!("../../../../examples/agon_engine.py");

/// The first program of a class, and the module that it needs.
const CLASS: [(&str, &str, bool); 2] = [
    ("class/agon_engine.py", ENGINE_HELPER, false),
    ("class/example/agent.py", include_str!("agent.py"), false),
];

/// The rules of a game, an agent, and the modules that they need.
const GAME: [(&str, &str, bool); 4] = [
    ("agon_game.py", include_str!("../../../../examples/agon_game.py"), false),
    ("nim.py", include_str!("../../../../examples/nim.py"), true),
    ("agon_engine.py", ENGINE_HELPER, false),
    ("first.py", include_str!("../../../../examples/first.py"), true),
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

/// Writes a commented config to start from, or a workflow for GitHub.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// What the file is for.
    #[arg(value_enum, ignore_case = true, value_name = "KIND", default_value_t)]
    #[arg(value_parser = words::<Template>())]
    kind: Template,
    /// The file to write; `-` writes to the standard output [defaults: KIND.toml,
    /// .github/workflows/gate.yml].
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    ci: CiArgs,
}

/// Writes the file. An existing file is kept.
///
/// # Errors
/// A file that exists or cannot be written.
pub fn run(args: &InitArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    if args.kind != Template::Ci {
        args.ci.refuse()?;
    }
    let text = args.kind.text(args, context.registry)?;
    let path = args.file.clone().unwrap_or_else(|| args.kind.file());
    if path.as_os_str() == "-" {
        io::stdout().write_all(text.as_bytes())?;
        return Ok(exit_codes::DONE);
    }
    let shown = path.display();
    if args.kind == Template::Ci && args.file.is_none() {
        // If this fails, so does the next step, which says why.
        let _ = fs::create_dir_all(path.parent().unwrap_or(&path));
    }
    if !write_new(&path, &text)? {
        let kind = args.kind.name();
        let other = match args.kind {
            Template::Ci => ".github/workflows/my_gate.yml".to_owned(),
            _ => format!("my_{kind}.toml"),
        };
        return Err(Failure::usage(
            format!("{shown} exists already and is kept"),
            format!("name another file, such as `agon init {kind} {other}`"),
        ));
    }
    let mut out = anstream::stdout();
    for (name, text, is_program) in args.kind.more_files() {
        let path = Path::new(name);
        if path.starts_with(EXAMPLE) && !path.exists() && has_folders(Path::new("class")) {
            writeln!(out, "{EXAMPLE} is left out: class/ has folders of its own")?;
            continue;
        }
        // If this fails, so does the next step, which says why.
        let _ = path.parent().map(fs::create_dir_all);
        let is_new = write_new(path, text)?;
        if is_new && *is_program {
            fs::set_permissions(path, unix::permissions(0o755))?;
        }
        writeln!(out, "{name} is {}", if is_new { "written" } else { "kept" })?;
    }
    writeln!(out, "{shown} is written; {}", args.kind.next_step(args, &path))?;
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
