//! `agon plan`: what a run would show, before it is played.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::args::PlanArgs;
use super::exit::{self, Failure};
use super::run::warn;
use super::scheduler::jobs;
use super::tables::terminal_width;
use crate::arena::{Demand, Schedule, calibrate, probe};
use crate::config::{self, Experiment, StartFailure};
use crate::report::{Available, Format, Heading, Plan};
use crate::stats::sprt::Settings;
use crate::world::{Openings, OpeningsError, Registry, Setup, SetupError};

/// How long games are played to learn what they take.
const CALIBRATION: Duration = Duration::from_secs(1);

/// Where there are as many openings as this, nobody asks how many more there are.
const MANY: u64 = 20_000;

/// How many random openings there are to be drawn from, up to symmetry; `None` where there
/// are too many to count.
fn available(experiment: &Experiment) -> Option<u64> {
    let setup = experiment.setup();
    let wanted = setup.wanted.max(MANY);
    match experiment.world.lineup(Setup { agents: Vec::new(), wanted, ..setup }) {
        Err(SetupError::Openings(OpeningsError::TooFew { available, counted, .. })) => {
            counted.then_some(available)
        }
        _ => None,
    }
}

/// Prints the plan of an experiment; nothing is written.
///
/// # Errors
/// Mistakes of the config, or output that cannot be written.
pub fn run(args: &PlanArgs, format: Format, registry: &Registry) -> Result<u8, Failure> {
    let reading = config::read(&args.config, &args.changes.overrides(), registry)?;
    let experiment = &reading.experiment;
    let field = (experiment.world)
        .lineup(experiment.setup())
        .map_err(|error| reading.setup_error(&error))?;
    let failed = field.check(false);
    if !failed.is_empty() && reading.experiment.schedule.on_start_failure == StartFailure::Stop {
        return Err(reading.start_error(&failed).into());
    }
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
    let finite = !matches!(experiment.openings, Openings::Random { .. });
    let exist = if finite { Some(openings) } else { available(experiment) };
    let jobs = jobs(args.jobs);
    let mut plan = Plan::new(
        Heading::of(experiment),
        experiment.schedule.games,
        Available { played: openings, finite, exist },
        jobs,
        &calibration,
        test,
    );
    let needs = experiment.agents.iter().map(|agent| &agent.needs);
    plan.memory = Some(Demand::of(needs, &schedule, jobs));
    plan.refused = !experiment.schedule.allow_duplicates
        && !probe(&field, &schedule, jobs, &AtomicBool::new(false)).is_empty();
    let mut out = anstream::stdout();
    out.write_all(plan.render(format, terminal_width()).as_bytes())?;
    out.flush()?;
    Ok(exit::DONE)
}
