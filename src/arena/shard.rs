//! A part of an experiment for one machine of many: a contiguous range of its pairs.
//!
//! Shards of one experiment lie side by side in one folder. Each is played in a folder whose
//! name ends in `.part`, which is a results folder like any other and resumes like one. When
//! it is complete and on the disk it gets its name, in one step, so that a shard that is
//! there is whole.

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::folder::{Folder, FolderError};
use super::manifest::Status;
use super::schedule::Schedule;
use super::tally::Tally;
use crate::sorting;

/// One of so many parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shard {
    /// How many parts there are.
    pub count: u64,
    /// Which one it is, from 1.
    pub index: u64,
}

/// A folder in which a shard may be.
#[derive(Debug, Clone)]
pub struct Place {
    /// Which one.
    pub shard: Shard,
    /// Where.
    pub folder: Folder,
    /// Whether it is played to its end.
    pub complete: bool,
}

/// How the name of a folder ends that holds a shard which is being played.
const PART: &str = ".part";
/// The file that says that nothing more needs to be played.
const STOP: &str = "STOP";

impl Shard {
    /// The most shards: more than any batch system runs.
    pub const MOST: u64 = 10_000_000;

    /// Shard `index` (from 1) of `count`, if there is one.
    pub fn new(index: u64, count: u64) -> Option<Self> {
        ((1..=Self::MOST).contains(&count) && (1..=count).contains(&index))
            .then_some(Shard { count, index })
    }

    /// The units of the schedule that belong to it; none where there are more shards than
    /// units.
    pub fn units(&self, schedule: &Schedule) -> Range<u64> {
        let at = |index: u64| {
            let place = u128::from(schedule.units()) * u128::from(index) / u128::from(self.count);
            u64::try_from(place).expect("no more than there are units")
        };
        at(self.index - 1)..at(self.index)
    }

    /// The name of its folder; sorted by name, shards are in order.
    pub fn name(&self) -> String {
        let digits = self.count.to_string().len();
        format!("shard-{:0digits$}-of-{}", self.index, self.count)
    }

    /// The shard whose folder has that name, and whether it has its last name.
    fn of_name(name: &str) -> Option<(Self, bool)> {
        let whole = name.strip_suffix(PART);
        let (index, count) = whole.unwrap_or(name).strip_prefix("shard-")?.split_once("-of-")?;
        let shard = Shard::new(index.parse().ok()?, count.parse().ok()?)?;
        (shard.name() == whole.unwrap_or(name)).then_some((shard, whole.is_none()))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shard {} of {}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        (text.split_once('/'))
            .and_then(|(index, count)| Shard::new(index.parse().ok()?, count.parse().ok()?))
            .ok_or_else(|| "not `K/N` with K from 1 to N".to_owned())
    }
}

impl Folder {
    /// Where a shard lies in this folder once it is complete.
    pub fn shard(&self, shard: Shard) -> Folder {
        Folder::new(self.file(&shard.name()))
    }

    /// Where it is played.
    pub fn shard_part(&self, shard: Shard) -> Folder {
        Folder::new(self.file(&(shard.name() + PART)))
    }

    /// The shards in this folder, in order of their numbers, complete ones first.
    ///
    /// # Errors
    /// A folder that cannot be read; one that is not there holds none.
    pub fn shards(&self) -> Result<Vec<Place>, FolderError> {
        let disk = |source| {
            let path = self.path().to_owned();
            FolderError::Disk { action: "read", path, source }
        };
        let entries = match fs::read_dir(self.path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(disk)?,
        };
        let mut places = Vec::new();
        for entry in entries {
            let name = entry.map_err(disk)?.file_name();
            if let Some((shard, complete)) = name.to_str().and_then(Shard::of_name) {
                let folder = Folder::new(self.path().join(&name));
                places.push(Place { shard, folder, complete });
            }
        }
        sorting::by_key(&mut places, |place| (place.shard, !place.complete));
        Ok(places)
    }

    /// What shard this folder holds, by its name.
    pub fn shard_by_name(&self) -> Option<Shard> {
        Shard::of_name(self.path().file_name()?.to_str()?).map(|(shard, _)| shard)
    }

    /// What shard this folder holds, by its manifest.
    pub fn place(&self) -> Option<Place> {
        let manifest = self.manifest()?;
        let complete = manifest.status == Status::Complete;
        Some(Place { shard: manifest.shard?, folder: self.clone(), complete })
    }

    /// The same of a folder that is complete by its name.
    ///
    /// # Errors
    /// A folder that does not say so itself.
    pub fn whole(&self) -> Result<Place, FolderError> {
        self.place().filter(|place| place.complete).ok_or_else(|| FolderError::Shard {
            path: self.path().to_owned(),
            what: "it has no manifest.json of a shard that is complete".to_owned(),
        })
    }

    /// Gives the shard that was played in `part` its name; everything in it is on the disk
    /// before. Where somebody else was first, the other one stays.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn publish(&self, part: &Folder, shard: Shard) -> Result<(), FolderError> {
        let done = self.shard(shard);
        let disk = |action, path: PathBuf| {
            move |source| FolderError::Disk { action, path: path.clone(), source }
        };
        for entry in fs::read_dir(part.path()).map_err(disk("read", part.path().to_owned()))? {
            let path = entry.map_err(disk("read", part.path().to_owned()))?.path();
            File::open(&path).and_then(|file| file.sync_all()).map_err(disk("sync", path))?;
        }
        sync_folder(part.path());
        match fs::rename(part.path(), done.path()) {
            Err(_) if done.place().is_some_and(|place| place.complete) => {
                let _ = fs::remove_dir_all(part.path());
            }
            renamed => renamed.map_err(disk("name", done.path().to_owned()))?,
        }
        let _ = fs::remove_file(done.file(super::lock::NAME));
        sync_folder(self.path());
        Ok(())
    }

    /// The file by which shards tell one another that a verdict has been reached.
    pub fn stop_file(&self) -> PathBuf {
        self.file(STOP)
    }

    /// What the stop file says: the config's hash, and the verdict in words.
    pub fn stopped(&self) -> Option<(String, String)> {
        let text = fs::read_to_string(self.stop_file()).ok()?;
        let (hash, words) = text.trim_end().split_once('\n')?;
        Some((hash.strip_prefix("config ")?.to_owned(), words.to_owned()))
    }

    /// Tells all shards that nothing more needs to be played.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn stop_shards(&self, hash: &str, words: &str) -> Result<(), FolderError> {
        let text = format!("config {hash}\n{words}\n");
        // A merge that begins in this moment may throw away what is half written.
        self.replace(STOP, text.as_bytes()).or_else(|_| self.replace(STOP, text.as_bytes()))
    }

    /// Counts the unbroken run of complete shards, until the tally's test is decided.
    ///
    /// # Errors
    /// Files that cannot be read, or rows that do not belong there.
    pub fn count_shards(
        &self,
        count: u64,
        schedule: &Schedule,
        mut tally: Tally,
    ) -> Result<Tally, FolderError> {
        tally.distinct_openings = !schedule.repeats_openings();
        for index in 1..=count {
            let Some(shard) = Shard::new(index, count) else { break };
            let place = self.shard(shard);
            if tally.is_decided() || !place.path().exists() {
                break;
            }
            let mut games = super::merge::Games::open(&place, &tally.names)?;
            for game in shard.units(schedule).flat_map(|unit| schedule.unit(unit)) {
                tally.push(&games.next(&game)?);
                if tally.is_decided() {
                    break;
                }
            }
        }
        Ok(tally)
    }
}

/// Brings the names in a folder to the disk, where the system can.
fn sync_folder(path: &std::path::Path) {
    if let Ok(folder) = File::open(path) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Overrides, parse};
    use crate::world::Registry;

    fn schedule(games: u64) -> Schedule {
        let text = format!(
            "name = \"t\"\n[game]\nkind = \"tictactoe\"\n[[agents]]\nkind = \"random\"\n\
             name = \"a\"\n[[agents]]\nkind = \"random\"\n[[agents]]\nname = \"c\"\n\
             kind = \"random\"\n[schedule]\ngames = {games}\n"
        );
        let experiment = parse(&text, "t.toml", &Overrides::default(), &Registry::builtin())
            .unwrap_or_else(|error| panic!("{}", error.render(false)));
        Schedule::new(&experiment, 1)
    }

    #[test]
    fn every_unit_belongs_to_one_shard() {
        for games in [2, 10, 200] {
            let schedule = schedule(games);
            for count in [1, 2, 7, 16, 1000] {
                let mut next = 0;
                for index in 1..=count {
                    let units = Shard::new(index, count).expect("a shard").units(&schedule);
                    assert_eq!(units.start, next);
                    assert!(units.end - units.start <= schedule.units().div_ceil(count));
                    next = units.end;
                }
                assert_eq!(next, schedule.units());
            }
        }
    }

    #[test]
    fn names_and_options_are_read_back() {
        for (index, count) in [(1, 1), (7, 10), (1000, 1000), (3, Shard::MOST)] {
            let shard = Shard::new(index, count).expect("a shard");
            assert_eq!(Shard::of_name(&shard.name()), Some((shard, true)));
            assert_eq!(Shard::of_name(&(shard.name() + PART)), Some((shard, false)));
            assert_eq!(format!("{index}/{count}").parse(), Ok(shard));
        }
        for wrong in ["0/3", "4/3", "1", "1/", "/3", "-1/3", "1/0", "1/3/3", "a/b", "1/99999999"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
        for wrong in ["shard-1-of-10", "shard-01-of-10.old", "shards", "shard-11-of-10"] {
            assert_eq!(Shard::of_name(wrong), None, "{wrong}");
        }
    }
}
