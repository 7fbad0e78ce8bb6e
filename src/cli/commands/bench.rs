//! `agon bench`: runs fixed work, counts and times it, and compares it with a committed signature.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::path::PathBuf;

use clap::Args;

use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::{print_text, terminal_width};
use crate::regression::{Passes, Signature, measure};
use crate::report::Document;

/// Runs fixed work for every agent and game: node signature and speed.
///
/// Asks every built-in agent for one move in each of a fixed list of positions. The number
/// of nodes is the same on every machine, so another number means that a search has changed.
/// Speeds are measured at least twice, until two passes agree or 20 seconds have passed. With
/// --check and --save, only counts matter, and there is one pass.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Compare the counts with this file. Differences are listed, with exit code 6.
    #[arg(long, value_name = "FILE", conflicts_with = "save")]
    check: Option<PathBuf>,
    /// Write the counts to this file.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// Measures, prints, and checks or saves the signature. Returns the exit code.
pub fn run(args: &BenchArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let &CommandContext { format, registry, .. } = context;
    // The file is read first, so that a wrong path is reported before the benchmark runs.
    let committed = args.check.as_deref().map(read).transpose()?;
    args.save.as_deref().map(try_writing).transpose()?;
    // Counts are the same in every pass. If only counts are needed, one pass is enough.
    let counts_only = committed.is_some() || args.save.is_some();
    let passes = if counts_only { Passes::One } else { Passes::UntilAgreed };
    let bench = measure(registry, passes);
    let signature = Signature::of(&bench);
    print_text(&bench.render(format, terminal_width()))?;
    if let Some(path) = &args.save {
        std::fs::write(path, signature.to_text()).map_err(|error| unwritable(path, &error))?;
    }
    let mut log = anstream::stderr();
    if !bench.repeatable {
        let _ =
            writeln!(log, "error: the same work searched another number of nodes in the next pass");
        return Ok(exit_codes::WORK_DIFFERS);
    }
    let (Some(committed), Some(path)) = (committed, &args.check) else {
        return Ok(exit_codes::DONE);
    };
    let differences = signature.differences(&committed);
    if differences.is_empty() {
        let _ = writeln!(log, "{} agrees", path.display());
        return Ok(exit_codes::DONE);
    }
    let count = match differences.len() {
        1 => "1 figure differs".to_owned(),
        n => format!("{n} figures differ"),
    };
    let _ = writeln!(log, "{count} from {}:", path.display());
    for difference in differences {
        let _ = writeln!(log, "  {difference}");
    }
    let _ = writeln!(
        log,
        "help: if the change is meant, commit what `agon bench --save {}` writes",
        path.display()
    );
    Ok(exit_codes::WORK_DIFFERS)
}

/// Checks that a file can be written, without changing it.
fn try_writing(path: &Path) -> Result<(), Failure> {
    let is_new = !path.exists();
    let mut tried = OpenOptions::new().append(true).create(true).open(path).map(drop);
    if is_new && tried.is_ok() {
        tried = fs::remove_file(path);
    }
    tried.map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let message = format!("cannot write {}: {error}", path.display());
    Failure::usage(message, "name a file in a folder that exists")
}

fn read(path: &Path) -> Result<Signature, Failure> {
    let help = "`agon bench --save FILE` writes one";
    let name = path.display();
    let text = fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("cannot read {name}: {error}"), help))?;
    Signature::read(&text)
        .map_err(|error| Failure::usage(format!("{name}: {error}: not a signature of agon"), help))
}
