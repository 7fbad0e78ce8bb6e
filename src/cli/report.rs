//! `agon report`: the tables of a results folder, made again from its `games.csv`.

use std::path::Path;

use super::args::ReportArgs;
use super::exit::{self, Failure};
use super::tables::{Results, context, heading};
use crate::arena::{Folder, Schedule, Tally};
use crate::config::{self, Experiment, Overrides};
use crate::report::{Context, Format, Heading};
use crate::world::Registry;

/// Rebuilds and prints the tables. What `resolved.toml` tells of the experiment is used
/// where it is there; the games themselves are enough.
///
/// # Errors
/// A folder without games, rows that no run writes, or a disk that refuses.
pub fn run(args: &ReportArgs, format: Format, registry: &Registry) -> Result<u8, Failure> {
    let folder = Folder::new(&args.dir);
    let experiment = experiment(&folder, registry);
    let (tally, context, heading) = match &experiment {
        Some((experiment, schedule, openings)) => {
            let names = experiment.agents.iter().map(|agent| agent.name.clone()).collect();
            let mut tally = Tally::new(names, schedule.pairings()).testing(experiment.sprt);
            tally.distinct_openings = !schedule.repeats_openings();
            let tally = folder.tally(tally)?;
            let context = context(experiment, schedule, *openings, &tally);
            (tally, context, heading(experiment))
        }
        None => {
            let tally = folder.tally(Tally::new(Vec::new(), &[]))?;
            let context = Context { complete: true, ..Context::default() };
            (tally, context, Heading { name: name(&args.dir), ..Heading::default() })
        }
    };
    let results = Results { heading, tally: &tally, context };
    if !args.quiet {
        results.print(format, args.verbose)?;
    }
    results.write(&folder)?;
    Ok(exit::DONE)
}

/// The experiment that the folder says it holds, with its schedule and the number of its
/// openings.
fn experiment(folder: &Folder, registry: &Registry) -> Option<(Experiment, Schedule, u64)> {
    let text = std::fs::read_to_string(folder.file("resolved.toml")).ok()?;
    let experiment = config::parse(&text, "resolved.toml", &Overrides::default(), registry).ok()?;
    let openings = experiment.world.clone().field(experiment.setup()).ok()?.openings();
    let schedule = Schedule::new(&experiment, openings);
    Some((experiment, schedule, openings))
}

/// What a folder is called where nothing in it says so.
fn name(dir: &Path) -> String {
    let whole = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    whole.file_name().map_or_else(|| "games".to_owned(), |name| name.to_string_lossy().into_owned())
}
