//! `agon init ci`: a workflow that plays each change against its base.

use std::path::{Component, Path};

use clap::Args;

use crate::cli::commands::gate::fixed_length;
use crate::cli::failure::Failure;
use crate::config::{self, Overrides};
use crate::play::Registry;

/// Where GitHub looks for workflows.
pub const FILE: &str = ".github/workflows/gate.yml";

/// The workflow up to the step that differs.
const CHECKOUT: &str = include_str!("ci.yml");

/// The action of agon in a workflow of another repository.
const ACTION: &str = "OWNER/agon@main # write the repository of agon here";

/// What the workflow of `agon init ci` guards.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of `agon init ci`")]
pub struct CiArgs {
    /// The engine, as a path in its repository; arguments may follow.
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<String>,
    /// The command that builds the engine [default: it is not built].
    #[arg(long, value_name = "COMMAND", requires = "engine")]
    build: Option<String>,
    /// The config to play, as a path in the repository. Without `--engine` it is for an agent of agon.
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
}

impl CiArgs {
    /// Refuses these options for another kind.
    pub fn refuse(&self) -> Result<(), Failure> {
        match self.engine.is_some() || self.config.is_some() {
            true => Err(Failure::usage(
                "`--engine`, `--build` and `--config` are options of `agon init ci` only",
                "write `agon init ci`, or leave them out",
            )),
            false => Ok(()),
        }
    }

    /// The text of the workflow.
    pub fn workflow(&self, registry: &Registry) -> Result<String, Failure> {
        let engine = self.engine.as_deref().map(|path| in_repository("--engine", path));
        let config = self.config.as_deref().map(|path| in_repository("--config", path));
        let (engine, config) = (engine.transpose()?, config.transpose()?);
        if let Some(config) = config {
            let loaded = config::read(Path::new(config), &Overrides::default(), registry)?;
            fixed_length(&loaded.experiment)?;
        }
        let (action, inputs) = match (engine, config) {
            (Some(engine), config) => (
                ACTION,
                vec![
                    ("build", self.build.as_deref()),
                    ("program", Some(engine)),
                    ("config", config),
                    ("options", Some("--budget 10m --limit strength=-50 --limit time=1.05")),
                ],
            ),
            (None, Some(config)) => (
                "./ # the action of this copy of agon",
                vec![
                    ("build", Some("cargo build --release --locked")),
                    ("program", Some("target/release/agon")),
                    ("agon", Some("target/release/agon")),
                    ("config", Some(config)),
                    ("options", Some("--limit time=1.05")),
                ],
            ),
            (None, None) => {
                return Err(Failure::usage(
                    "`agon init ci` needs an engine or a config",
                    "`agon init ci --engine ./engine --build make` guards a UCI engine, and \
                     `agon init ci --config gate.toml` the agents of a config",
                ));
            }
        };
        let inputs: Vec<String> = (inputs.into_iter())
            .filter_map(|(key, value)| {
                value.map(|value| format!("          {key}: {}\n", yaml(value)))
            })
            .collect();
        Ok(format!("{CHECKOUT}      - uses: {action}\n        with:\n{}", inputs.concat()))
    }

    /// What is left to do in the workflow.
    pub fn next_step(&self) -> &'static str {
        match self.engine {
            Some(_) => "write the repository of agon in place of OWNER, and commit the file",
            None => "commit the file in a copy of agon's repository",
        }
    }
}

/// A path of a checkout, without `./`.
fn in_repository<'a>(option: &str, path: &'a str) -> Result<&'a str, Failure> {
    let inside = path.strip_prefix("./").unwrap_or(path);
    let leaves = |part| !matches!(part, Component::Normal(_) | Component::CurDir);
    match inside.trim().is_empty() || Path::new(inside).components().any(leaves) {
        true => Err(Failure::usage(
            format!("`{option} {path}` is not a path in the repository"),
            format!("name a file below this folder, such as `{option} {}`", example(option)),
        )),
        false => Ok(inside),
    }
}

fn example(option: &str) -> &'static str {
    if option == "--engine" { "./engine" } else { "gate.toml" }
}

/// A text as a value of YAML: as it is where this is safe, otherwise in quotes as in JSON.
fn yaml(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "./_=+- ".contains(c);
    match text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '-')
        && text.chars().all(plain)
        && !text.ends_with(' ')
        && !text.starts_with("- ")
    {
        true => text.to_owned(),
        false => serde_json::Value::from(text).to_string(),
    }
}
