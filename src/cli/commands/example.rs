//! `agon example`: the experiments of `configs/`, compiled into the program.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

use clap::Args;

use super::run::run_config;
use crate::cli::command_entry::CommandContext;
use crate::cli::example_configs::{FILES, experiments};
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::options_of_several_commands::RunArgs;
use crate::cli::print_run_results::print_text;
use crate::config;
use crate::util::did_you_mean::did_you_mean_or;

/// Lists, prints and plays the experiments that are part of the program.
#[derive(Debug, Args)]
pub struct ExampleArgs {
    /// The example to play; without a name, all examples are listed.
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Prints the config instead of playing it.
    #[arg(long, requires = "name")]
    print: bool,
    /// Writes all configs, trees and mazes to this new folder.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["name", "print"])]
    save: Option<PathBuf>,
    #[command(flatten)]
    run: RunArgs,
}

/// Lists, prints or plays examples.
///
/// # Errors
/// An example that does not exist, and the errors of a run.
pub fn run(args: &ExampleArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    if let Some(folder) = &args.save {
        return save(folder);
    }
    let Some(name) = &args.name else { return list() };
    let name = name.strip_suffix(".toml").unwrap_or(name);
    let Some((_, text)) = experiments().find(|(known, _)| *known == name) else {
        let names: Vec<&str> = experiments().map(|(known, _)| known).collect();
        let list = || "`agon example` lists all examples".to_owned();
        let help = did_you_mean_or(name, &names, list);
        return Err(Failure::usage(format!("there is no example `{name}`"), help));
    };
    if args.print {
        print_text(text)?;
        return Ok(exit_codes::DONE);
    }
    // Trees and mazes are read from files beside the config. Once it is read, they are part of it.
    let folder = tempfile::tempdir()?;
    write_files(folder.path())?;
    let path = folder.path().join(format!("{name}.toml"));
    let loaded = config::read(&path, &args.run.changes.overrides(), context.registry)?;
    drop(folder);
    run_config(&loaded, &args.run, context)
}

fn list() -> Result<u8, Failure> {
    let width = experiments().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut out = anstream::stdout();
    for (name, text) in experiments() {
        let question = text.lines().find_map(|line| line.strip_prefix("question = "));
        let question = question.unwrap_or_default().trim_matches('"');
        writeln!(out, "{name:width$}  {question}")?;
    }
    writeln!(
        out,
        "\n`agon example NAME` plays one, `--print` shows its config, `--save DIR` writes all."
    )?;
    Ok(exit_codes::DONE)
}

fn save(folder: &Path) -> Result<u8, Failure> {
    let shown = folder.display();
    if folder.exists() {
        return Err(Failure::usage(
            format!("{shown} exists already and is kept"),
            "name a new folder",
        ));
    }
    write_files(folder).map_err(|error| {
        Failure::usage(
            format!("{shown} cannot be written: {error}"),
            "name a folder where you may write",
        )
    })?;
    let names: Vec<&str> = experiments().map(|(name, _)| name).collect();
    let first = names.first().unwrap_or(&"");
    writeln!(
        anstream::stdout(),
        "{} files are in {shown}; `agon run {shown}/{first}.toml` plays one",
        FILES.len()
    )?;
    Ok(exit_codes::DONE)
}

fn write_files(folder: &Path) -> std::io::Result<()> {
    for (path, text) in FILES {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_config_is_an_example() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
        for folder in ["", "layouts", "trees", "tutorial"] {
            for entry in fs::read_dir(root.join(folder)).expect("configs") {
                let path = entry.expect("an entry").path();
                let name = path.strip_prefix(&root).expect("below").to_string_lossy().into_owned();
                assert!(path.is_dir() || FILES.iter().any(|(known, _)| *known == name), "{name}");
            }
        }
    }
}
