//! A side of a gate: a build of agon, a config, or an engine.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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

impl SideKind {
    /// The kind of a word of the command line: a file `NAME.toml` is a config, a program that calls itself
    /// agon is a build, and anything else is the command of an engine.
    pub fn of(word: &str) -> SideKind {
        let path = Path::new(word);
        if path.extension().is_some_and(|extension| extension == "toml") {
            return SideKind::Configs;
        }
        let says = Command::new(path).arg("--version").stdin(Stdio::null()).output();
        let is_agon = says.is_ok_and(|output| output.stdout.starts_with(b"agon "));
        if is_agon { SideKind::Builds } else { SideKind::Engines }
    }
}

/// The old or the new side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateSide {
    /// `old` or `new`, also the name of its results folder.
    pub name: &'static str,
    /// The build of agon that plays.
    pub program: PathBuf,
    /// The config.
    pub config: PathBuf,
    /// Values of `--set`.
    pub set: Vec<String>,
    /// The number of games per pairing, if it is not that of the config.
    pub games: Option<u64>,
}

impl GateSide {
    /// The command that plays slice `slice` of `slices`, from 1, into a folder in `out`.
    pub fn play_slice(&self, slice: u64, slices: u64, out: &Path) -> Command {
        let mut command = self.run();
        command.arg("--out").arg(out);
        command.args(["--jobs", "1", "--quiet", "--shard", &format!("{slice}/{slices}")]);
        command
    }

    /// The command that prints the planned games as JSON.
    pub fn plan(&self) -> Command {
        let mut command = self.run();
        command.args(["--dry-run", "--format", "json"]).stdin(Stdio::null());
        command
    }

    fn run(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("run").arg("--config").arg(&self.config);
        if let Some(games) = self.games {
            command.args(["--games", &games.to_string()]);
        }
        command.args(self.set.iter().flat_map(|set| ["--set", set]));
        command
    }
}
