//! The shards of one experiment, next to each other in one folder. A shard is played in a folder whose
//! name ends in `.part`, and renamed when it is complete and on disk.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::shard_games::Games;
use crate::arena::count::tally::Tally;
use crate::arena::folder::manifest::Status;
use crate::arena::folder::results_folder::{Folder, LOCK};
use crate::arena::schedule::game_schedule::Schedule;
use crate::arena::schedule::shard_range::{PART, Shard};
use crate::rows::results_folder_errors::FolderError;

/// The file that tells all shards to stop.
const STOP: &str = "STOP";

#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct ShardFolder {
    pub shard: Shard,
    /// The round that it is a part of, for formats in rounds.
    pub wave: Option<u64>,
    pub folder: Folder,
    pub complete: bool,
}

impl ShardFolder {
    /// The shard in a folder, according to its manifest.
    pub fn of(folder: &Folder) -> Option<Self> {
        let manifest = folder.manifest()?;
        let complete = manifest.status == Status::Complete;
        let (shard, wave) = (manifest.shard?, manifest.wave);
        Some(ShardFolder { shard, wave, folder: folder.clone(), complete })
    }

    /// The shard in a folder that is complete by its name.
    pub fn whole(folder: &Folder) -> Result<Self, FolderError> {
        let what = "it has no manifest.json of a shard that is complete";
        let place = ShardFolder::of(folder).filter(|place| place.complete);
        place.ok_or_else(|| FolderError::shard(folder.path(), what))
    }

    /// The shard in a folder, according to its name.
    pub fn named(folder: &Folder) -> Option<Shard> {
        Shard::of_name(folder.path().file_name()?.to_str()?).map(|(shard, _)| shard)
    }
}

#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Shards(pub Folder);

impl Shards {
    /// The path of a complete shard.
    pub fn whole(&self, shard: Shard) -> Folder {
        Folder::new(self.0.file(&shard.name()))
    }

    /// The path of a shard while it is played.
    pub fn part(&self, shard: Shard) -> Folder {
        Folder::new(self.0.file(&(shard.name() + PART)))
    }

    /// The shards in this folder, ordered by number, complete shards first.
    pub fn list(&self) -> Result<Vec<ShardFolder>, FolderError> {
        let disk = FolderError::disk("read", self.0.path());
        let entries = match fs::read_dir(self.0.path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(&disk)?,
        };
        let mut places = Vec::new();
        for entry in entries {
            let name = entry.map_err(&disk)?.file_name();
            if let Some((shard, complete)) = name.to_str().and_then(Shard::of_name) {
                let folder = Folder::new(self.0.path().join(&name));
                places.push(ShardFolder { shard, wave: None, folder, complete });
            }
        }
        places.sort_by_key(|place| (place.shard, !place.complete));
        Ok(places)
    }

    /// Renames the finished shard in `part` to its final name, after everything in it is on disk.
    /// If another process was first, its shard stays.
    pub fn publish(&self, part: &Folder, shard: Shard) -> Result<(), FolderError> {
        let done = self.whole(shard);
        let unread = FolderError::disk("read", part.path());
        for entry in fs::read_dir(part.path()).map_err(&unread)? {
            let path = entry.map_err(&unread)?.path();
            let synced = File::open(&path).and_then(|file| file.sync_all());
            synced.map_err(FolderError::disk("sync", &path))?;
        }
        sync_folder(part.path());
        match fs::rename(part.path(), done.path()) {
            Err(_) if ShardFolder::whole(&done).is_ok() => {
                let _ = fs::remove_dir_all(part.path());
            }
            renamed => renamed.map_err(FolderError::disk("name", done.path()))?,
        }
        let _ = fs::remove_file(done.file(LOCK));
        sync_folder(self.0.path());
        Ok(())
    }

    pub fn stop_file(&self) -> PathBuf {
        self.0.file(STOP)
    }

    /// The content of the stop file: the hash of the config, and the verdict as text.
    pub fn stopped(&self) -> Option<(String, String)> {
        let text = fs::read_to_string(self.stop_file()).ok()?;
        let (hash, words) = text.trim_end().split_once('\n')?;
        Some((hash.strip_prefix("config ")?.to_owned(), words.to_owned()))
    }

    /// Tells all shards that no more games are needed.
    pub fn stop(&self, hash: &str, words: &str) -> Result<(), FolderError> {
        let text = format!("config {hash}\n{words}\n");
        // A merge that begins now may delete this temporary file.
        self.0.replace(STOP, text.as_bytes()).or_else(|_| self.0.replace(STOP, text.as_bytes()))
    }

    /// Counts the complete shards before the first gap, until the tally's test is decided.
    pub fn count(
        &self,
        count: u64,
        schedule: &Schedule,
        mut tally: Tally,
    ) -> Result<Tally, FolderError> {
        for shard in (1..=count).map_while(|index| Shard::new(index, count)) {
            let place = self.whole(shard);
            if tally.is_decided() || !place.path().exists() {
                break;
            }
            let mut games = Games::open(&place, &tally)?;
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

/// Syncs the names in a folder to the disk, if the system can do that.
fn sync_folder(path: &Path) {
    if let Ok(folder) = File::open(path) {
        let _ = folder.sync_all();
    }
}
