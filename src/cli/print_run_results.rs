//! Prints the results in the terminal.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::failure::Failure;
use crate::agents::wants_sandbox;
use crate::arena::{Folder, Schedule};
use crate::config::Experiment;
use crate::engine::missing_sandbox;
use crate::play::AnyGame;
use crate::report::{
    Results, TableFormat, counted, render, short_summary, wrapped, wrapped_message, write_json,
};
use crate::util::locks::lock;

pub(super) fn default_folder(experiment: &Experiment) -> PathBuf {
    Path::new("results").join(&experiment.name)
}

/// Prints the short summary, and where everything else is if there is a folder. With `verbose`, or in
/// another format than text, it prints the whole summary.
pub fn print(
    results: &mut Results,
    folder: Option<&Folder>,
    format: TableFormat,
    verbose: bool,
) -> Result<(), Failure> {
    results.context.verbose = verbose;
    let mut out = io::BufWriter::with_capacity(1 << 16, anstream::stdout());
    let written = match format {
        TableFormat::Json => write_json(results, &mut out),
        TableFormat::Text if !verbose => {
            let files =
                |folder: &Folder| ["report.html", "summary.txt"].map(|name| folder.file(name));
            let rest = folder.map(files).into_iter().flatten().find(|file| file.exists());
            let text = short_summary(results, terminal_width());
            let place = rest.map(|file| format!("more: {}\n", file.display())).unwrap_or_default();
            out.write_all((text + &place).as_bytes())
        }
        _ => out.write_all(render(results, format, true, terminal_width()).as_bytes()),
    };
    unless_closed(written.and_then(|()| out.flush()))
}

/// Prints a text on stdout.
pub fn print_text(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout();
    unless_closed(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// A reader that closes the pipe early still gets the verdict as exit code.
pub fn unless_closed(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// Prints a message to stderr, wrapped in a terminal. Ignores errors: a closed stderr must not stop a
/// run.
pub fn note(message: impl Display) {
    let width = terminal_size::terminal_size_of(io::stderr()).map(|(width, _)| width.0.into());
    let text = wrapped_message(&message.to_string(), width);
    let _ = anstream::stderr().write_all(text.as_bytes());
}

/// Warns about settings of the game that are probably a mistake.
pub fn warn(any_game: &AnyGame) {
    for warning in any_game.warnings() {
        note(format!("warning: {warning}"));
    }
}

/// Prints the warnings of a config, each once in a process: the runs of a sweep have the same ones.
pub fn warn_of_config(warnings: &[String]) {
    static PRINTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut printed = lock(&PRINTED);
    for warning in warnings {
        if printed.insert(warning.clone()) {
            note(format!("warning: {warning}"));
        }
    }
}

/// Warns if programs run without the sandbox that the config asks for.
pub fn warn_without_sandbox(experiment: &Experiment) {
    let agents = experiment.agents.iter().filter(|agent| wants_sandbox(&agent.spec)).count();
    if agents > 0
        && let Some(why) = missing_sandbox()
    {
        let agents = counted(agents as u64, "agent");
        let warning = format!(
            "no sandbox for {agents}, because this machine cannot make one: {why}; the programs can \
             do all that you can do here"
        );
        warn_of_config(&[warning]);
    }
}

/// The width of the terminal at stdout, in columns; a pipe has none.
pub fn terminal_width() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0.into())
}

/// A line with its newline, wrapped between words in a narrow terminal.
pub fn folded(line: &str) -> String {
    wrapped(line, terminal_width(), "", "  ")
}

/// Names the command that plays the test of a tuned agent, if other commands have completed the tune.
pub fn name_test(folder: &Folder, experiment: &Experiment, schedule: &Schedule) {
    if schedule.state().test_at_end(experiment).is_some() && !folder.file("test").exists() {
        let dir = folder.path().display();
        note(format!(
            "`agon run {dir}/resolved.toml --out {dir}` tests the tuned agent against the start"
        ));
    }
}
