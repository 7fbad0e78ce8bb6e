//! The test at the end of a tune: the tuned agent plays against its start.

use super::experiment::{Experiment, GridOfTune, NamedAgent};
use super::kinds::RunKind;
use crate::config::sections::schedule_formats::ScheduleFormat;
use crate::play::Openings;
use crate::stats::sprt::Design;

/// The openings of the games of `best`, which are repeated: the test begins after them.
const OPENINGS: u64 = 2_000;

impl Experiment {
    /// The experiment in which the tuned agent plays against its start, with these values of the
    /// tuned parameters. Its openings are others than those of the tune: random ones have another
    /// seed, and a list goes on where the tune stopped. `None` if this experiment is no tune.
    pub fn test_of_tune(&self, values: &[f64]) -> Option<Experiment> {
        let tune = self.kind.tuned()?;
        let start = NamedAgent { name: tune.agent.clone(), ..self.agents[0].clone() };
        let mut tuned = NamedAgent { name: format!("{}-tuned", tune.agent), ..start.clone() };
        for ((key, _), value) in tune.parameters.iter().zip(values) {
            tuned.spec.set_number(key, *value);
        }
        let used = tune.rounds() * tune.pairs_of_round();
        Some(self.test_of(tuned, start, (tune.test, tune.test_games), used))
    }

    /// The experiment in which an agent plays against its start, with openings after those that were
    /// used.
    fn test_of(
        &self,
        tuned: NamedAgent,
        start: NamedAgent,
        (design, games): (Design, u64),
        used: u64,
    ) -> Experiment {
        let mut test = self.clone();
        test.name = format!("{}-test", self.name);
        test.question = Some(format!(
            "Is {} stronger than {}, from which it was tuned?",
            tuned.name, start.name
        ));
        if let Openings::List(lines) = &mut test.openings {
            // The test begins after the openings of the tune.
            let used = used % lines.len().max(1) as u64;
            lines.rotate_left(used as usize);
        }
        test.seed = self.seed.wrapping_add(1) & i64::MAX as u64;
        test.agents = vec![tuned, start];
        test.schedule.games = games;
        test.kind = RunKind::Sequential(design);
        test
    }

    /// The experiment in which the best agent of a grid plays against the start; `None` if this
    /// experiment is no grid.
    pub fn test_of_grid(&self, best: usize) -> Option<Experiment> {
        let GridOfTune { start, test, test_games } = self.grid.as_ref()?;
        let name = format!("{}-tuned", start.name);
        let tuned = NamedAgent { name, ..self.agents[best].clone() };
        let mut experiment = self.test_of(tuned, start.clone(), (*test, *test_games), OPENINGS);
        experiment.grid = None;
        experiment.schedule.format = ScheduleFormat::ROUND_ROBIN;
        Some(experiment)
    }
}
