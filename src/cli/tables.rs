//! From a tally to the files and the text that people read.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::exit::{self, Failure};
use crate::arena::{self, Folder, Schedule, Tally};
use crate::config::{Experiment, Format as ScheduleFormat, Pgn};
use crate::engine::Delay;
use crate::report::{Context, Ending, Format, Heading, Ranking, Summary, wrapped};
use crate::stats::ratings::Reference;
use crate::world::Openings;

/// The files that are derived from `games.csv`.
pub const TABLES: [&str; 4] = ["agents.csv", "pairings.csv", "seats.csv", "summary.txt"];

/// Where results go if nothing is said.
pub(super) fn default_folder(experiment: &Experiment) -> PathBuf {
    Path::new("results").join(&experiment.name)
}

/// What a summary is made of.
pub struct Results {
    /// What was played, in words.
    pub heading: Heading,
    /// The counts.
    pub tally: Tally,
    /// What else is known of the run.
    pub context: Context,
    /// The ratings that follow from them.
    pub ranking: Ranking,
}

impl Results {
    /// Rates the agents.
    pub fn new(heading: Heading, tally: Tally, context: Context) -> Self {
        let ranking = Ranking::new(&tally, &context);
        Results { heading, tally, context, ranking }
    }

    /// Writes everything that is derived from `games.csv`.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn write(&self, folder: &Folder) -> Result<(), Failure> {
        let summary = Summary::new(&self.heading, &self.tally, &self.context, &self.ranking);
        for (name, sheet) in summary.sheets() {
            let mut out = folder.replacement(name)?;
            sheet.write_csv(&mut out).map_err(out.refused())?;
            out.keep()?;
        }
        folder.replace("summary.txt", summary.render(Format::Text, false).as_bytes())?;
        Ok(())
    }

    /// Prints the summary to stdout.
    ///
    /// # Errors
    /// Output that cannot be written, unless nobody reads it any more.
    pub fn print(&self, format: Format, verbose: bool) -> Result<(), Failure> {
        let context = Context { verbose, ..self.context.clone() };
        let summary = Summary::new(&self.heading, &self.tally, &context, &self.ranking);
        let mut out = io::BufWriter::with_capacity(1 << 16, anstream::stdout());
        let written = match format {
            Format::Json => summary.write_json(&mut out),
            _ => {
                let text = summary.render_within(format, true, terminal_width());
                out.write_all(text.as_bytes())
            }
        };
        match written.and_then(|()| out.flush()) {
            // Whoever reads only the first lines still gets the verdict as exit code.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            written => written?,
        }
        Ok(())
    }

    /// What the results come to as an exit code: faults first, then the sequential test.
    pub fn code(&self) -> u8 {
        match self.tally.faults() + self.tally.voids() {
            0 => exit::of_test(&self.tally),
            _ => exit::FAULTS,
        }
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

/// Writes `games.pgn`, if the experiment has one.
///
/// # Errors
/// What the folder refuses.
pub fn write_pgn(folder: &Folder, experiment: &Experiment) -> Result<(), Failure> {
    if experiment.output.pgn == Pgn::None {
        return Ok(());
    }
    let world = &experiment.world;
    if world.transcribe("", "").is_none() {
        return Ok(());
    }
    let names: Vec<String> = experiment.agents.iter().map(|agent| agent.name.clone()).collect();
    let comments = experiment.output.pgn == Pgn::Comments && experiment.output.moves;
    let mut out = folder.replacement("games.pgn")?;
    let refused = out.refused();
    arena::write_pgn(folder, (world, &experiment.name), &names, comments, &mut out, &refused)?;
    Ok(out.keep()?)
}

/// What the tables need to know besides counts; `openings` is how many there are, and `delay` is
/// how late agon was woken.
pub fn context(
    experiment: &Experiment,
    schedule: &Schedule,
    openings: u64,
    tally: &Tally,
    delay: Option<Delay>,
) -> Context {
    Context {
        budgets: experiment.agents.iter().map(|agent| agent.needs.budget).collect(),
        kinds: experiment.agents.iter().map(|agent| agent.spec.kind.clone()).collect(),
        reference: match experiment.schedule.format {
            ScheduleFormat::Gauntlet => Reference::Player(0),
            _ => Reference::Mean,
        },
        ending: match tally.rows == schedule.games() || tally.is_decided() {
            true => Ending::Complete,
            false => Ending::Stopped,
        },
        length_fixed: tally.sprt.is_none(),
        verbose: false,
        opening_set: match experiment.openings {
            Openings::Start | Openings::List(_) => Some(openings),
            Openings::Random { .. } => None,
        },
        fault_logs: Some(experiment.output.fault_logs),
        delay,
        scale: Some(experiment.world.scale()),
    }
}

/// The experiment in words.
pub fn heading(experiment: &Experiment) -> Heading {
    Heading {
        name: experiment.name.clone(),
        question: experiment.question.clone(),
        game: experiment.game_in_words.clone(),
        openings: experiment.openings.to_string(),
        seed: Some(experiment.seed),
    }
}
