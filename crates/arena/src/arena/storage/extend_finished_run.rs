//! Extends a run: the config asks for more games, or has more agents, than its folder. Old games stay.
//! If the schedule of the longer run does not begin with these games, the experiment has stages
//! (`LoadedConfig::continuing`).

use std::io::BufRead;

use super::write_ahead_log;
use crate::arena::folder::results_folder::Folder;
use crate::config::{self, Experiment, Overrides};
use crate::params::toml_key;
use crate::play::{Openings, Registry};
use crate::rows::results_folder_errors::FolderError;

/// The games in the folder of a run that is extended.
#[derive(Debug, PartialEq, Eq)]
pub struct Extended {
    /// Games of each pairing of the agents there.
    pub games: u64,
    /// The names of the new agents.
    pub added: Vec<String>,
}

/// A key that differs, its value in the config, and its value in the folder.
type Difference = (String, String, String);

impl Folder {
    /// The experiment in this folder, if it can be read.
    pub fn experiment(&self, registry: &Registry) -> Option<Experiment> {
        let text = std::fs::read_to_string(self.file("resolved.toml")).ok()?;
        config::parse(&text, "resolved.toml", &Overrides::default(), registry).ok()
    }

    /// Refuses a folder that holds the results of another experiment, like `Folder::check`, but
    /// accepts the same experiment with fewer games or fewer agents.
    ///
    /// # Errors
    /// What differs, and why the run cannot be extended.
    pub fn check_or_extend(
        &self,
        experiment: &Experiment,
        registry: &Registry,
    ) -> Result<Option<Extended>, FolderError> {
        if experiment.kind.tuned().is_some() {
            return self.check(experiment, registry).map(|()| None);
        }
        let there = self.manifest().and_then(|_| self.experiment(registry));
        let differing = there.map(|there| (experiment.differing_keys(&there), there));
        let Some((keys, there)) = differing.filter(|(keys, there)| {
            !keys.is_empty()
                && keys.iter().all(|(key, ..)| is_length(key))
                && has_same_openings(experiment, there)
        }) else {
            return self.check(experiment, registry).map(|()| None);
        };
        let (asked, games) = (experiment.schedule.games, there.schedule.games);
        let may_end_early = !experiment.kind.has_fixed_length();
        if may_end_early && there.agents.len() == experiment.agents.len() {
            // The maximum does not influence the games before it.
            let is_longer_test = experiment.kind.sequential_test().is_some() && asked > games;
            if !is_longer_test && asked >= self.games_on_disk() {
                return Ok(None);
            }
        }
        let problem = agents_problem(experiment, &there, &keys).or_else(|| {
            (asked < games).then(|| {
                let option = experiment.kind.option_of_length();
                match may_end_early {
                    true => (
                        format!(
                            "has {} games, and at most {asked} are asked for",
                            self.games_on_disk()
                        ),
                        format!("`{option}{games}` shows this run, more games extend it"),
                    ),
                    false => (
                        format!(
                            "holds a run of {games} games per pairing, and {asked} are asked for"
                        ),
                        format!("`--games {games}` shows this run, more games extend it"),
                    ),
                }
            })
        });
        if let Some((message, help)) = problem {
            return Err(FolderError::unfit(
                format!("{} {message}", self.path().display()),
                format!("{help}; `--out DIR` writes to another folder"),
            ));
        }
        let added = experiment.agents.iter().skip(there.agents.len());
        Ok(Some(Extended { games, added: added.map(|agent| agent.name.clone()).collect() }))
    }

    /// The number of games in the files of the folder, in order or not.
    fn games_on_disk(&self) -> u64 {
        let lines = |name: &str| -> u64 {
            let file = std::fs::File::open(self.file(name));
            file.map_or(0, |file| std::io::BufReader::new(file).split(b'\n').count() as u64)
        };
        lines("games.csv").saturating_sub(1) + lines(write_ahead_log::NAME)
    }
}

/// Whether runs that differ in this key may differ in their length only.
fn is_length(key: &str) -> bool {
    let length = [
        "schedule.games",
        "schedule.earlier",
        "sprt.max_games",
        "adaptive.max_games",
        "openings.list",
        "agents",
    ];
    length.contains(&key) || key.starts_with("agents.")
}

/// Whether the openings of the shorter run are the first openings of the longer run. A longer run
/// may read more openings of a file.
fn has_same_openings(experiment: &Experiment, there: &Experiment) -> bool {
    let (Openings::List(here), Openings::List(old)) = (&experiment.openings, &there.openings)
    else {
        return true;
    };
    let (short, long, wanted) = match here.len() < old.len() {
        true => (here, old, experiment.openings_wanted()),
        false => (old, here, there.openings_wanted()),
    };
    long.starts_with(short) && (long.len() == short.len() || wanted <= short.len() as u64)
}

/// The reason why a folder cannot be extended to the agents of an experiment, and what to do.
fn agents_problem(
    experiment: &Experiment,
    there: &Experiment,
    keys: &[Difference],
) -> Option<(String, String)> {
    let (agents, format) = (&experiment.agents, experiment.schedule.format);
    for old in &there.agents {
        let name = &old.name;
        if !agents.iter().any(|agent| agent.name == *name) {
            return Some((
                format!("has games of `{name}`, and the config has no such agent"),
                format!("put `{name}` back: a run can get more agents, not fewer"),
            ));
        }
        let prefix = format!("agents.{}.", toml_key(name));
        let changed = keys.iter().find_map(|(key, here, old)| {
            Some(format!("`{}` was {old} and is now {here}", key.strip_prefix(&prefix)?))
        });
        if let Some(changed) = changed {
            return Some((
                format!("has games of another agent `{name}`: {changed}"),
                format!(
                    "keep `{name}` as it was, and add the changed agent under a new name, so that \
                     only its games are played"
                ),
            ));
        }
    }
    let (first, old) = (&agents[0].name, &there.agents[0].name);
    if format.has_fixed_first_agent() && first != old {
        return Some((
            format!(
                "holds a {} of `{old}`, and the first agent of the config is `{first}`",
                format.word
            ),
            format!("put `{first}` at the end of the agents"),
        ));
    }
    if format.tournament().is_some() {
        let word = format.word;
        return Some((
            format!(
                "holds a `{word}` run, which cannot get other games or agents: its rounds depend \
                 on all"
            ),
            "play all again".to_owned(),
        ));
    }
    (agents.len() > there.agents.len() && format.is_adaptive()).then(|| {
        let word = format.word;
        (
            format!("holds a `{word}` run, which cannot get more agents: its rounds depend on all"),
            "play all agents again".to_owned(),
        )
    })
}
