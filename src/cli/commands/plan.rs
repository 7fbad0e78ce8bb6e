//! `agon plan`: estimates the results and the time of a run before it is played.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::arena::{Demand, Schedule, calibrate, probe};
use crate::cli::batch_system_variables::jobs;
use crate::cli::clap_definitions::PlanArgs;
use crate::cli::exit_codes;
use crate::cli::exit_codes::Failure;
use crate::cli::print_run_results::{terminal_width, warn};
use crate::cli::warn_of_old_keys;
use crate::config::{Experiment, StartFailure};
use crate::play::{Openings, OpeningsError, Registry, Setup, SetupError};
use crate::report::{Available, Heading, Plan, TableFormat};
use crate::stats::sprt::SprtSettings;
use crate::util::collect_with_less_code::Gather;

/// Duration of the trial games that measure the time per game.
const CALIBRATION: Duration = Duration::from_secs(1);

/// With this many openings or more, the exact number does not matter.
const MANY: u64 = 20_000;

/// The number of random openings that can be drawn, up to symmetry; `None` if there are too many to
/// count.
fn available(experiment: &Experiment) -> Option<u64> {
    let setup = experiment.setup();
    let wanted = setup.wanted.max(MANY);
    match experiment.any_game.lineup(Setup { agents: Vec::new(), wanted, ..setup }) {
        Err(SetupError::Openings(OpeningsError::TooFew { available, counted, .. })) => {
            counted.then_some(available)
        }
        _ => None,
    }
}

/// Prints the plan of an experiment. Writes no files.
pub fn run(args: &PlanArgs, format: TableFormat, registry: &Registry) -> Result<u8, Failure> {
    let loaded = args.source.read(&args.changes.overrides(), registry)?;
    let experiment = &loaded.experiment;
    if experiment.adaptive.is_some() {
        let word = experiment.schedule.format.word();
        return Err(Failure::usage(
            format!("`{word}` chooses its games by the results, so no plan says how many"),
            "docs/adaptive.md has examples; `max_games` in `[adaptive]` is the largest number",
        ));
    }
    let field = (experiment.any_game)
        .lineup(experiment.setup())
        .map_err(|error| loaded.setup_error(&error))?;
    let failed = field.check(false);
    if !failed.is_empty() && loaded.experiment.schedule.on_start_failure == StartFailure::Stop {
        return Err(loaded.start_error(&failed).into());
    }
    warn_of_old_keys::warn(&loaded.warnings);
    warn(&experiment.any_game);
    let openings = field.openings();
    let schedule = Schedule::new(experiment, openings);
    let names = experiment.agents.iter().map(|agent| agent.name.clone()).gather();
    let calibration = calibrate(Arc::clone(&field), &schedule, names, CALIBRATION);
    // A sequential test is also possible with two agents: print how long it would take.
    let duel = matches!(schedule.pairings(), [pairing] if pairing.has_pairs());
    let test = match experiment.sprt {
        Some(design) => Some((design, true)),
        None if duel => SprtSettings::default().check().ok().map(|design| (design, false)),
        None => None,
    };
    let finite = !matches!(experiment.openings, Openings::Random { .. });
    let exist = if finite { Some(openings) } else { available(experiment) };
    let jobs = jobs(args.threads.jobs);
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
    Ok(exit_codes::DONE)
}
