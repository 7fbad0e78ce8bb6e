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
    let experiment = played(&folder, registry).ok();
    let (mut tally, context, heading) = match &experiment {
        Some((experiment, schedule, openings)) => {
            let tally = count(&folder, experiment, schedule)?;
            let context = context(experiment, schedule, *openings, &tally);
            (tally, context, heading(experiment))
        }
        None => {
            let tally = folder.tally(Tally::new(Vec::new(), &[]))?;
            let context = Context { complete: true, ..Context::default() };
            (tally, context, Heading { name: name(&args.dir), ..Heading::default() })
        }
    };
    tally.grades = folder.grades(&tally.names)?;
    let results = Results { heading, tally, context };
    if !args.quiet {
        results.print(format, args.verbose)?;
    }
    results.write(&folder)?;
    Ok(exit::DONE)
}

/// Counts the games of a folder that holds that experiment.
pub(super) fn count(
    folder: &Folder,
    experiment: &Experiment,
    schedule: &Schedule,
) -> Result<Tally, Failure> {
    let names = experiment.agents.iter().map(|agent| agent.name.clone()).collect();
    let mut tally = Tally::new(names, schedule.pairings()).testing(experiment.sprt);
    tally.distinct_openings = !schedule.repeats_openings();
    Ok(folder.tally(tally)?)
}

/// An experiment with its schedule and the number of its openings.
type Played = (Experiment, Schedule, u64);

/// The experiment that the folder says it holds.
///
/// # Errors
/// A folder that does not say it.
pub(super) fn played(folder: &Folder, registry: &Registry) -> Result<Played, Failure> {
    let path = folder.file("resolved.toml");
    let text = std::fs::read_to_string(&path).map_err(|error| {
        Failure::Usage(format!(
            "cannot read {}: {error}\nremedy: name a results folder of agon; which game was \
             played stands in that file",
            path.display()
        ))
    })?;
    let name = path.display().to_string();
    let experiment = config::parse(&text, &name, &Overrides::default(), registry)?;
    let field = experiment.world.clone().field(experiment.setup());
    let openings = field.map_err(|error| Failure::Usage(format!("{name}: {error}")))?.openings();
    let schedule = Schedule::new(&experiment, openings);
    Ok((experiment, schedule, openings))
}

/// What a folder is called where nothing in it says so.
fn name(dir: &Path) -> String {
    let whole = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    whole.file_name().map_or_else(|| "games".to_owned(), |name| name.to_string_lossy().into_owned())
}
