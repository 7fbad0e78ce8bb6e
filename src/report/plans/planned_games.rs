//! The games of a run before its first game, by its kind: for `--dry-run`.

use crate::arena::Schedule;
use crate::config::{Experiment, RunKind};
use crate::report::kinds::{PlannedGames, matches, rounds};
use crate::report::text::number_format::counted;

/// The games of a run.
pub(crate) fn planned_games(experiment: &Experiment, schedule: &Schedule) -> PlannedGames {
    let pairings = schedule.pairings().len() as u64;
    match &experiment.kind {
        RunKind::Tune(design) => {
            let each = 2 * design.rounds() * design.pairs_of_round();
            of_each(design.games(), pairings, each)
        }
        RunKind::Rounds(design) => rounds::planned(design, pairings),
        RunKind::Matches(design) => {
            let known = (0..schedule.pairings().len()).filter(|&i| schedule.games_of(i) > 0);
            matches::planned(design, known.count() as u64)
        }
        RunKind::Fixed | RunKind::Sequential(_) => {
            of_each(schedule.games(), pairings, experiment.schedule.games)
        }
    }
}

/// All pairings play the same number of games.
fn of_each(all: u64, pairings: u64, each: u64) -> PlannedGames {
    let words = format!(
        "{}: {} of {} each",
        counted(all, "game"),
        counted(pairings, "pairing"),
        counted(each, "game")
    );
    PlannedGames { each: Some(each), all: Some(all), words, ..PlannedGames::default() }
}
