//! `agon plan`: what a run would show, before it is played.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use super::args::PlanArgs;
use super::exit::{self, Failure};
use super::run::warn;
use super::tables::heading;
use crate::arena::{Schedule, calibrate};
use crate::config::{self, Overrides};
use crate::report::{Format, Plan};
use crate::stats::sprt::Settings;
use crate::world::{Openings, Registry};

/// How long games are played to learn what they take.
const CALIBRATION: Duration = Duration::from_secs(1);

/// Prints the plan of an experiment; nothing is written.
///
/// # Errors
/// Mistakes of the config, or output that cannot be written.
pub fn run(args: &PlanArgs, format: Format, registry: &Registry) -> Result<u8, Failure> {
    let overrides = Overrides {
        seed: args.seed,
        games: args.games,
        set: args.set.clone(),
        ..Overrides::default()
    };
    let reading = config::read(&args.config, &overrides, registry)?;
    let experiment = &reading.experiment;
    let field = (experiment.world.clone())
        .field(experiment.setup())
        .map_err(|error| reading.setup_error(&error))?;
    warn(experiment);
    let openings = field.openings();
    let schedule = Schedule::new(experiment, openings);
    let names = experiment.agents.iter().map(|agent| agent.name.clone()).collect();
    let calibration = calibrate(Arc::clone(&field), &schedule, names, CALIBRATION);
    // Two agents could also be tested sequentially: say how long that would take.
    let duel = matches!(schedule.pairings(), [pairing] if pairing.has_pairs());
    let test = match experiment.sprt {
        Some(design) => Some((design, true)),
        None if duel => Settings::default().check().ok().map(|design| (design, false)),
        None => None,
    };
    let plan = Plan::new(
        heading(experiment),
        experiment.schedule.games,
        (openings, !matches!(experiment.openings, Openings::Random { .. })),
        args.jobs.map_or_else(num_cpus::get_physical, usize::from),
        &calibration,
        test,
    );
    let mut out = anstream::stdout();
    out.write_all(plan.render(format).as_bytes())?;
    out.flush()?;
    Ok(exit::DONE)
}
