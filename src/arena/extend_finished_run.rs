//! Extends a finished run: the config asks for more games than the folder has. The schedule numbers
//! games so that the games of a longer run begin with those of a shorter one, except if games do not
//! come in pairs.

use super::results_folder::Folder;
use super::results_folder_errors::FolderError;
use crate::config::Experiment;
use crate::play::Openings;
use crate::util::collect_with_less_code::Gather;

impl Folder {
    /// Refuses a folder that holds the results of another experiment, like `Folder::check`, but
    /// accepts the same experiment with fewer games. Returns the number of games of each pairing
    /// in the folder if the run is extended.
    ///
    /// # Errors
    /// What differs, and why the run cannot be extended.
    pub fn check_or_extend(
        &self,
        experiment: &Experiment,
        read: impl Fn(&str) -> Option<Experiment>,
    ) -> Result<Option<u64>, FolderError> {
        let text = std::fs::read_to_string(self.file("resolved.toml")).unwrap_or_default();
        let there = self.manifest().and_then(|_| read(&text));
        let Some(there) = there.filter(|there| is_longer_or_shorter(experiment, there)) else {
            return match self.check(experiment, &read) {
                Err(error) => Err(added_agents(self, experiment, &read(&text)).unwrap_or(error)),
                Ok(()) => Ok(None),
            };
        };
        let (asked, old) = (experiment.schedule.games, there.schedule.games);
        let shown = self.path().display();
        let unfit = |why: String, help: &str| {
            Err(FolderError::Unfit(format!(
                "{shown} holds a run of {old} games per pairing, and {asked} are asked for{why}\n\
                 help: {help}`--out DIR` writes to another folder"
            )))
        };
        if asked < old {
            let help = format!("`--games {old}` shows this run, more games extend it; ");
            return unfit(String::new(), &help);
        }
        if !experiment.pairings().iter().all(|pairing| pairing.has_pairs()) {
            let why = "; the openings of an agent that plays itself, or that has a fixed seat, \
                       depend on the number of games";
            return unfit(why.to_owned(), "such a run cannot be extended; ");
        }
        Ok(Some(old))
    }
}

/// Whether two experiments differ, and only in the number of games.
fn is_longer_or_shorter(experiment: &Experiment, there: &Experiment) -> bool {
    let differing = experiment.differing_keys(there);
    let length = ["schedule.games", "sprt.max_games", "openings.list"];
    let is_length = |key: &str| length.contains(&key);
    let same_openings = match (&experiment.openings, &there.openings) {
        // A longer run may read more openings of a file. The first ones must be the same.
        (Openings::List(here), Openings::List(there_list)) => {
            let (short, long) = match here.len() < there_list.len() {
                true => (here, there_list),
                false => (there_list, here),
            };
            let games = experiment.schedule.games.min(there.schedule.games);
            long.len() == short.len() || games.div_ceil(2) <= short.len() as u64
        }
        _ => true,
    };
    let is_prefix = match (&experiment.openings, &there.openings) {
        (Openings::List(a), Openings::List(b)) => a.starts_with(b) || b.starts_with(a),
        _ => true,
    };
    experiment.schedule.games != there.schedule.games
        && differing.iter().all(|(key, ..)| is_length(key))
        && same_openings
        && is_prefix
}

/// The error for an experiment with more agents than the folder has.
fn added_agents(
    folder: &Folder,
    experiment: &Experiment,
    there: &Option<Experiment>,
) -> Option<FolderError> {
    let there = there.as_ref()?;
    let is_known = |name: &str| there.agents.iter().any(|agent| agent.name == name);
    let added: Vec<&str> = (experiment.agents.iter().map(|agent| agent.name.as_str()))
        .filter(|name| !is_known(name))
        .gather();
    let all_kept = there.agents.iter().all(|old| experiment.agents.contains(old));
    if added.is_empty() || !all_kept {
        return None;
    }
    let names: Vec<String> = added.iter().map(|name| format!("`{name}`")).gather();
    Some(FolderError::Unfit(format!(
        "{} holds results without {}; games are numbered by the pairings, so agents cannot be \
         added to them\n\
         help: `--out DIR` plays all agents in another folder; a config with the new agent first \
         and `format = \"gauntlet\"` plays only its own pairings",
        folder.path().display(),
        names.join(", ")
    )))
}
