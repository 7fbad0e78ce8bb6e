//! The config that a command reads: a file, or the standard input.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;

use super::command_entry::CommandContext;
use super::example_configs::experiments;
use super::failure::Failure;
use crate::config::{self, LoadedConfig, Overrides};
use crate::util::did_you_mean::nearest;

/// The maximum size of a config from the standard input, in bytes.
const LARGEST: u64 = 16 << 20;

/// The config of a command.
#[derive(Debug, Default, Args)]
pub struct ConfigFile {
    /// The config, such as configs/c4_depth.toml; `-` reads the standard input.
    #[arg(value_name = "FILE", conflicts_with = "config")]
    pub file: Option<PathBuf>,
    /// The same, as an option.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

impl ConfigFile {
    pub fn is_given(&self) -> bool {
        self.file.is_some() || self.config.is_some()
    }

    /// Reads the config of one run.
    ///
    /// # Errors
    /// As [`Self::read_runs`], and a sweep of several runs.
    pub fn read(
        &self,
        overrides: &Overrides,
        context: &CommandContext<'_>,
    ) -> Result<LoadedConfig, Failure> {
        Ok(config::single(self.read_runs(overrides, context)?)?)
    }

    /// Reads the config with all runs of its sweep.
    ///
    /// # Errors
    /// No config was named, or all mistakes of the config and of the overrides.
    pub fn read_runs(
        &self,
        overrides: &Overrides,
        context: &CommandContext<'_>,
    ) -> Result<Vec<LoadedConfig>, Failure> {
        let registry = context.registry;
        let Some(path) = self.file.as_deref().or(self.config.as_deref()) else {
            return Err(Failure::usage(
                "there is no config",
                "name a file, such as `agon run FILE`; `agon init` writes one, and \
                 `agon example` lists some",
            ));
        };
        if path == Path::new("-") {
            return Ok(config::read_runs_from(&standard_input()?, "stdin", overrides, registry)?);
        }
        refuse_results(path)?;
        if let Some(word) = self.file.as_deref().and_then(Path::to_str)
            && !path.exists()
        {
            refuse_word(word, context)?;
        }
        Ok(config::read_runs(path, overrides, registry)?)
    }
}

fn standard_input() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(Failure::usage(
            "the config on the standard input is larger than 16 MiB",
            "shorten it",
        ));
    }
    String::from_utf8(bytes).map_err(|_| {
        Failure::usage("the standard input is not UTF-8 text", "save the config as UTF-8")
    })
}

/// Refuses a results folder, or a file of results, in the place of a config.
fn refuse_results(path: &Path) -> Result<(), Failure> {
    let shown = path.display();
    if path.is_dir() && path.join("manifest.json").is_file() {
        let help = format!(
            "`agon report {shown}` shows its results; \
             `agon run {shown}/config.toml --out {shown}` continues the run"
        );
        return Err(Failure::usage(format!("{shown} is a results folder and not a config"), help));
    }
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let help = match extension {
        "csv" | "html" => "`agon report DIR` shows the results of a folder",
        "pgn" | "epd" => {
            "openings belong into a config or a match: `agon match A B --openings FILE`"
        }
        "json" => "a config is TOML; `agon init` writes an example",
        "py" => "an engine plays in a match: `agon match \"python3 FILE\" B`",
        _ => return Ok(()),
    };
    Err(Failure::usage(format!("{shown} is not a config"), help))
}

/// Refuses a word that is neither a file nor a command, if a command or a match was probably meant.
fn refuse_word(word: &str, context: &CommandContext<'_>) -> Result<(), Failure> {
    let registry = context.registry;
    let is_near_file = Path::new(word).with_extension("toml").is_file();
    if is_near_file || (word.contains(['/', '.']) && !word.contains(':')) {
        return Ok(());
    }
    let message = format!("there is no command and no file `{word}`");
    let kind = word.split(':').next().unwrap_or_default();
    if registry.agent(kind).is_some() {
        return Err(Failure::usage(
            message,
            format!("`agon match {word} B` plays it against agent B"),
        ));
    }
    if experiments().any(|(name, _)| name == word) {
        return Err(Failure::usage(message, format!("`agon example {word}` plays this example")));
    }
    let games = registry.games.iter().map(|game| game.kind);
    let game = nearest(kind, &games.collect::<Vec<_>>());
    let commands = (context.definition)();
    let mut names: Vec<&str> = commands.get_subcommands().map(clap::Command::get_name).collect();
    names.push("help");
    let help = match (nearest(word, &names), game) {
        (Some(near), _) if near == word => {
            format!("write the command before the options: `agon {word} …`")
        }
        (Some(near), game) if game != Some(kind) => format!("did you mean `agon {near}`?"),
        (_, Some(game)) => format!(
            "`agon play {game}` plays against you, `agon match A B --game {game}` two agents"
        ),
        _ => "`agon --help` lists the commands; `agon run FILE` plays a config".to_owned(),
    };
    Err(Failure::usage(message, help))
}
