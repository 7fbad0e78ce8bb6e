//! A wave: the next round of a format in rounds, divided into shards for many machines. The results
//! folder has all games of earlier rounds, `wave.json`, and the shards of the wave in a folder of
//! their own. A merge appends the shards and removes that folder.

use serde::{Deserialize, Serialize};

use crate::arena::count::tally::Tally;
use crate::arena::folder::results_folder::Folder;
use crate::arena::schedule::game_schedule::Schedule;
use crate::rows::results_folder_errors::FolderError;

/// A wave, as `wave.json` states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wave {
    /// The number of the round, from 1.
    pub wave: u64,
    pub shards: u64,
    /// The number of shards that the user asked for. A wave has no more shards than units.
    pub asked: u64,
}

const NAME: &str = "wave.json";

impl Wave {
    /// The next round of the schedule in at most `asked` shards.
    pub fn new(schedule: &Schedule, asked: u64) -> Self {
        let units = schedule.last_round();
        let shards = asked.min(units.end - units.start).max(1);
        Wave { wave: schedule.rounds(), shards, asked }
    }

    /// The latest wave of a results folder.
    pub fn of(folder: &Folder) -> Option<Self> {
        serde_json::from_str(&std::fs::read_to_string(folder.file(NAME)).ok()?).ok()
    }

    pub fn write(&self, folder: &Folder) -> Result<(), FolderError> {
        let text = serde_json::to_string(self).expect("numbers") + "\n";
        folder.replace(NAME, text.as_bytes())
    }

    /// The folder of its shards, in the results folder.
    pub fn folder(&self, parent: &Folder) -> Folder {
        Folder::new(parent.file(&format!("wave-{}", self.wave)))
    }

    /// Whether its games are in the results folder. `schedule` has all rounds that follow from the
    /// games there, and `tally` has counted them.
    ///
    /// # Errors
    /// The results folder lacks games of earlier rounds.
    pub fn is_merged(
        &self,
        parent: &Folder,
        schedule: &Schedule,
        tally: &Tally,
    ) -> Result<bool, FolderError> {
        let rounds = schedule.rounds();
        if rounds < self.wave {
            let path = parent.file("games.csv");
            return Err(FolderError::unfit(
                format!(
                    "{} ends in round {rounds}, and {} has wave {}",
                    path.display(),
                    parent.file(NAME).display(),
                    self.wave
                ),
                format!(
                    "put back the games that are missing, or remove {NAME}: `agon next` then \
                 begins the wave of round {rounds}"
                ),
            ));
        }
        Ok(rounds > self.wave || schedule.is_over(tally))
    }
}
