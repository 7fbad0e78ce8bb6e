//! Fits a config to the run that is already in its folder: agents of that run keep their places, agents
//! that are new come after them, and the schedule remembers what was asked for before.

use super::experiment::Experiment;
use super::loaded_config::LoadedConfig;
use crate::config::sections::schedule_section::Stage;
use crate::play::Openings;

impl LoadedConfig {
    /// This config as an extension of an earlier run of it, with new agents or more games. A config
    /// that is no extension of that run stays as it is.
    pub fn continuing(&self, there: &Experiment) -> LoadedConfig {
        let mut extended = self.clone();
        if can_be_extended(&self.experiment, there) {
            extended.keep_openings(there);
            extended.keep_places(there);
            extended.keep_stages(there);
        }
        extended
    }

    /// Keeps random openings that were chosen by default: more games would choose longer ones, and the
    /// old games could not stay.
    fn keep_openings(&mut self, there: &Experiment) {
        if let (Openings::Random { plies }, Openings::Random { plies: old }) =
            (&self.experiment.openings, &there.openings)
            && old < plies
            && self.tree.table("openings").is_none()
        {
            self.experiment.openings = there.openings.clone();
        }
    }

    fn keep_places(&mut self, there: &Experiment) {
        let place = |name: &str| {
            let known = there.agents.iter().position(|agent| agent.name == name);
            known.unwrap_or(there.agents.len())
        };
        self.experiment.agents.sort_by_key(|agent| place(&agent.name));
        self.agents.sort_by_key(|agent| place(&agent.name));
    }

    /// Adds a stage if the games of the longer run do not begin with those of the shorter one.
    fn keep_stages(&mut self, there: &Experiment) {
        let (agents, games) = (there.agents.len(), there.schedule.games);
        let mut stages = there.schedule.stages();
        let experiment = &mut self.experiment;
        let is_longer = experiment.schedule.games > games;
        let is_larger = experiment.agents.len() > agents;
        let continues = stages.last().is_none_or(|stage| stage.agents == agents)
            && there.pairings().iter().all(|pairing| pairing.has_pairs());
        if is_larger || is_longer && !continues {
            stages.push(Stage { agents, games });
        }
        experiment.schedule.set_stages(&stages);
    }
}

/// Whether the config has all agents of the earlier run, and a format in which the pairings of
/// these agents stay the same.
fn can_be_extended(experiment: &Experiment, there: &Experiment) -> bool {
    let (here, old) = (experiment.agent_names(), there.agent_names());
    let format = experiment.schedule.format;
    !format.is_adaptive()
        && experiment.kind.sequential_test().is_none() | (here == old)
        && (!format.has_fixed_first_agent() || here.first() == old.first())
        && old.iter().all(|name| here.contains(name))
}
