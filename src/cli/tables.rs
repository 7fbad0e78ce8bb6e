//! What the terminal shows of results, and the exit code that they come to.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::exit::{self, Failure};
use crate::config::Experiment;
use crate::report::{Format, Results, render, wrapped, write_json};

/// Where results go if nothing is said.
pub(super) fn default_folder(experiment: &Experiment) -> PathBuf {
    Path::new("results").join(&experiment.name)
}

/// Prints the summary to stdout; `verbose` shows figures that only some readers want.
///
/// # Errors
/// Output that cannot be written, unless its reader has gone.
pub fn print(results: &mut Results, format: Format, verbose: bool) -> Result<(), Failure> {
    results.context.verbose = verbose;
    let mut out = io::BufWriter::with_capacity(1 << 16, anstream::stdout());
    let written = match format {
        Format::Json => write_json(results, &mut out),
        _ => out.write_all(render(results, format, true, terminal_width()).as_bytes()),
    };
    match written.and_then(|()| out.flush()) {
        // A reader of the first lines only still gets the verdict as exit code.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        written => written?,
    }
    Ok(())
}

/// What the results come to as an exit code: faults first, then the sequential test.
pub fn code(results: &Results) -> u8 {
    match results.tally.faults() + results.tally.voids() {
        0 => exit::of_test(&results.tally),
        _ => exit::FAULTS,
    }
}

/// The columns of the terminal that reads stdout; a pipe has none.
pub fn terminal_width() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0.into())
}

/// A line with its end, broken between words where the terminal is narrow.
pub fn folded(line: &str) -> String {
    match terminal_width() {
        Some(width) => wrapped(line, width, "", "  "),
        None => format!("{line}\n"),
    }
}
