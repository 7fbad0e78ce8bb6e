//! A side of a gate: a build of agon, a config, or an engine.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::engine::{EngineError, Launch};
use crate::util::unix::Process;

/// What OLD and NEW are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SideKind {
    /// Two builds of agon play the same config.
    Builds,
    /// This agon plays two configs.
    Configs,
    /// This agon plays one config, in which an engine is the old or the new one.
    Engines,
}

/// A side as it is named on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedSide {
    pub kind: SideKind,
    /// Why a program is not a build of agon; otherwise empty.
    pub not_agon: String,
    /// The program with its arguments; empty for a config.
    pub command: Vec<String>,
}

/// How long a program may take to print its version. Many engines do not know the question.
const VERSION_PATIENCE: Duration = Duration::from_secs(10);

impl NamedSide {
    /// A file `NAME.toml` is a config, a program that calls itself agon is a build, and any other program
    /// is an engine.
    ///
    /// # Errors
    /// There is no such program.
    pub fn find(word: &str) -> Result<NamedSide, EngineError> {
        let named = |kind, not_agon, command| NamedSide { kind, not_agon, command };
        if Path::new(word).extension().is_some_and(|extension| extension == "toml") {
            return Ok(named(SideKind::Configs, String::new(), Vec::new()));
        }
        let launch = Launch::find_line(word, None, &BTreeMap::new())?;
        let program = launch.program.display().to_string();
        let command = [vec![program], launch.args.clone()].concat();
        Ok(match launch.args.is_empty().then(|| is_agon(&launch.program)) {
            Some(Ok(())) => named(SideKind::Builds, String::new(), command),
            Some(Err(why)) => named(SideKind::Engines, why, command),
            None => named(SideKind::Engines, "it has arguments".to_owned(), command),
        })
    }
}

/// Asks a program for its version. The error says what it did instead.
fn is_agon(program: &Path) -> Result<(), String> {
    let mut command = Command::new(program);
    command.arg("--version");
    let (process, mut pipes) = Process::spawn(command, None).map_err(|error| error.to_string())?;
    drop(pipes.stdin);
    let Some(exit) = process.exit_within(VERSION_PATIENCE) else {
        let seconds = VERSION_PATIENCE.as_secs();
        return Err(format!("`--version` did not end within {seconds} s"));
    };
    let mut answer = [0; 5];
    match pipes.stdout.read_exact(&mut answer) {
        Ok(()) if answer == *b"agon " => Ok(()),
        _ => Err(format!("`--version` ended with {exit} and printed no version of agon")),
    }
}

/// The old or the new side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateSide {
    /// `old` or `new`, also the name of its results folder.
    pub name: &'static str,
    /// The build of agon that plays.
    pub program: PathBuf,
    pub config: PathBuf,
    /// Values of `--set`.
    pub set: Vec<String>,
    /// Whether an agent has a budget in time.
    pub is_timed: bool,
}

impl GateSide {
    /// The command that plays slice `slice` of `slices`, from 1, into a folder in `out`.
    pub fn play_slice(&self, slice: u64, slices: u64, out: &Path) -> Command {
        let mut command = self.run();
        command.arg("--out").arg(out);
        command.args(["--jobs", "1", "--quiet", "--shard", &format!("{slice}/{slices}")]);
        command.stdout(Stdio::null());
        command
    }

    /// The command that prints the planned games as JSON.
    pub fn plan(&self) -> Command {
        let mut command = self.run();
        command.args(["--dry-run", "--format", "json"]);
        command
    }

    fn run(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("run").arg("--config").arg(&self.config);
        command.args(self.set.iter().flat_map(|set| ["--set", set]));
        command
    }
}
