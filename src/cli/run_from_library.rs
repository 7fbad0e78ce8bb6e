//! Runs an experiment in one call, for programs that use agon as a library.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::arena::{Outputs, Remaining, RunError, Runner, Schedule, Watchdog, silent};
use crate::config::Experiment;
use crate::play::SetupError;
use crate::report::{Results, RunFacts};

/// The reason why an experiment was not played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// Its agents or openings cannot be set up.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The threads cannot be started.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Plays an experiment in `jobs` threads and returns the counts. It writes no folder and grades no
/// move. [`main_with`](super::main_with) runs the whole program instead.
///
/// ```
/// use agon::config::{self, Overrides};
/// use agon::report::TableFormat;
/// use agon::play::Registry;
///
/// let text = r#"
/// [game]
/// kind = "tictactoe"
/// [[agents]]
/// kind = "perfect"
/// [[agents]]
/// kind = "random"
/// [schedule]
/// games = 20
/// "#;
/// let registry = Registry::builtin();
/// let experiment = config::parse(text, "mine.toml", &Overrides::default(), &registry).unwrap();
/// let played = agon::run(&experiment, 1).unwrap();
/// let (_, pairing) = &played.tally.pairings[0];
/// let perfect = pairing.all().games();
/// assert_eq!((perfect.n(), perfect.losses()), (20, 0));
/// assert!(played.summary(TableFormat::Text).contains("Who is stronger?"));
/// ```
///
/// # Errors
/// Agents or openings that cannot be set up, and threads that cannot be started.
pub fn run(experiment: &Experiment, jobs: usize) -> Result<Results, PlayError> {
    let setup = experiment.setup();
    let engine_context = Arc::clone(&setup.engine_context);
    let lineup = experiment.any_game.lineup(setup)?;
    let openings = lineup.openings();
    let schedule = Schedule::new(experiment, openings);
    let tally = schedule.empty_tally(experiment);
    let stop = AtomicBool::new(false);
    let watchdog = Watchdog::default();
    let (stop, observer) = (&stop, &silent);
    let runner = Runner { lineup, schedule: &schedule, jobs, stop, pin: false, observer, watchdog };
    let out = Outputs { games: io::sink(), moves: None, wal: None };
    let (tally, schedule) = runner.run(out, &Remaining::all(&schedule), tally)?;
    let facts = RunFacts {
        delay: engine_context.worst_delay(),
        final_scores: engine_context.final_scores(),
        unavailable: engine_context.unavailable(),
        extended: false,
        tables: None,
    };
    Ok(Results::of(experiment, &schedule, openings, tally, facts))
}
