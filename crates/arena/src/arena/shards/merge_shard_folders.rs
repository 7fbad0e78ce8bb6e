//! Merges shards into one run: concatenates their files as if one machine had written them, in
//! memory that does not grow with the number of games.

use std::fs::File;
use std::io;

use super::shard_folders::ShardFolder;
use super::shard_games::{Games, damaged};
use crate::arena::count::tally::Tally;
use crate::arena::folder::game_moves;
use crate::arena::folder::game_moves::{GameMoves, Kind};
use crate::arena::folder::results_folder::{Folder, Replacement};
use crate::arena::schedule::game_schedule::Schedule;
use crate::play::GameSpec;
use crate::rows::games_csv_columns;
use crate::rows::moves_csv_rows;
use crate::rows::results_folder_errors::FolderError;

/// The shards of a whole run that exist.
#[derive(Debug)]
pub struct MergeParts {
    /// One complete folder per shard, in order.
    pub whole: Vec<ShardFolder>,
    /// Further folders of the same shards.
    pub twice: Vec<(ShardFolder, ShardFolder)>,
    pub missing: Vec<u64>,
}

impl MergeParts {
    /// Selects the folders of shards of one experiment, all with the same number of shards.
    pub fn new(places: Vec<ShardFolder>, count: u64) -> Self {
        let mut parts = MergeParts { whole: Vec::new(), twice: Vec::new(), missing: Vec::new() };
        let mut places: Vec<ShardFolder> =
            places.into_iter().filter(|place| place.complete).collect();
        places.sort_by_key(|place| place.shard.index);
        for place in places {
            match parts.whole.last() {
                Some(last) if last.shard == place.shard => parts.twice.push((last.clone(), place)),
                _ => parts.whole.push(place),
            }
        }
        let mut there = parts.whole.iter().map(|place| place.shard.index).peekable();
        parts.missing = (1..=count).filter(|&k| there.next_if_eq(&k).is_none()).collect();
        parts
    }

    /// The shards before the first gap.
    fn unbroken(&self) -> impl Iterator<Item = &ShardFolder> {
        self.whole
            .iter()
            .enumerate()
            .map_while(|(i, place)| (place.shard.index == i as u64 + 1).then_some(place))
    }
}

/// Writes the games of the shards before the first gap into `out`, and with `moves` also their
/// moves. They follow the games of earlier rounds, which are in `out`. It ends with the pair that
/// decides the tally's test. `tally` must be empty. The caller checks whether anything is missing and
/// then calls `Merged::keep`.
pub fn merge(
    parts: &MergeParts,
    schedule: &Schedule,
    tally: Tally,
    out: &Folder,
    moves: bool,
) -> Result<Merged, FolderError> {
    for (one, two) in &parts.twice {
        compare(one, two, schedule, &tally)?;
    }
    let mut merged = Merged::new(out, tally, moves)?;
    // The games of earlier rounds are there already.
    let earlier = 0..schedule.last_round().start;
    let earlier = (!earlier.is_empty()).then_some((out, earlier));
    let new = parts.unbroken().map(|place| (&place.folder, place.shard.units(schedule)));
    for (folder, units) in earlier.into_iter().chain(new) {
        if merged.tally.is_decided() {
            break;
        }
        let last = merged.add(folder, units.flat_map(|unit| schedule.unit(unit)))?;
        if folder.path() != out.path() {
            merged.shards.push((folder.clone(), last));
        }
    }
    merged.tally.count_lone_game();
    Ok(merged)
}

/// Copies the logs of engine failures and of referees in the games up to `last`, in blocks.
fn copy_logs(folder: &Folder, last: u64, out: &Folder) -> Result<(), FolderError> {
    let logs = folder.all_logs().chain(folder.referee_logs());
    for (_, path) in logs.filter(|(game, _)| *game <= last) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut log = File::open(&path).map_err(FolderError::disk("read", &path))?;
        let mut copy = out.replacement(&name)?;
        io::copy(&mut log, &mut copy).map_err(copy.refused())?;
        copy.keep()?;
    }
    Ok(())
}

/// Compares two folders of one shard, without times.
fn compare(
    one: &ShardFolder,
    two: &ShardFolder,
    schedule: &Schedule,
    tally: &Tally,
) -> Result<(), FolderError> {
    let mut games = [Games::open(&one.folder, tally)?, Games::open(&two.folder, tally)?];
    for spec in one.shard.units(schedule).flat_map(|unit| schedule.unit(unit)) {
        let mut rows = [games[0].next(&spec)?, games[1].next(&spec)?];
        for side in rows.iter_mut().flat_map(|row| &mut row.sides) {
            (side.time_ns, side.slowest_ns) = (0, 0);
        }
        if rows[0] != rows[1] || games[0].rows.texts() != games[1].rows.texts() {
            let [one, two] = [one, two].map(|place| place.folder.path().display());
            return Err(FolderError::unfit(
                format!("{one} and {two} are the same shard but differ in game {}", spec.game),
                "name only one of them",
            ));
        }
    }
    Ok(())
}

pub struct Merged {
    pub tally: Tally,
    games: Replacement,
    moves: Option<Replacement>,
    /// The merged shards, each with the number of its last game.
    shards: Vec<(Folder, u64)>,
}

impl Merged {
    fn new(out: &Folder, tally: Tally, moves: bool) -> Result<Self, FolderError> {
        let begun = |name: &str, header: &str| {
            let mut file = out.replacement(name)?;
            file.put(header.as_bytes()).map(|()| file)
        };
        let games = begun("games.csv", games_csv_columns::layout(&tally.added_columns).header())?;
        let moves = match moves {
            true => Some(begun(game_moves::NAME, moves_csv_rows::header())?),
            false => None,
        };
        Ok(Merged { tally, games, moves, shards: Vec::new() })
    }

    /// Adds these games of a folder, up to the pair that decides the test. Returns the number of the
    /// last game.
    fn add(
        &mut self,
        folder: &Folder,
        specs: impl Iterator<Item = GameSpec>,
    ) -> Result<u64, FolderError> {
        let mut games = Games::open(folder, &self.tally)?;
        let mut moves = self.moves.is_some().then(|| open_moves(folder)).transpose()?;
        let (mut last, mut bytes) = (0, Vec::new());
        for spec in specs {
            let row = games.next(&spec)?;
            bytes.clear();
            games.rows.lines.copy_to(&mut bytes);
            self.games.put(&bytes)?;
            if let (Some(moves), Some(out)) = (&mut moves, &mut self.moves) {
                bytes.clear();
                let text = games.rows.texts().1;
                let all = moves.check(&row, text, Kind::Recorded, Some(&mut bytes));
                if !all.map_err(|error| damaged(folder, error))? {
                    let what =
                        format!("moves.csv: the moves of game {} are not all there", row.game);
                    return Err(FolderError::shard(folder.path(), &what));
                }
                out.put(&bytes)?;
            }
            self.tally.push(&row);
            last = row.game;
            if self.tally.is_decided() {
                break;
            }
        }
        Ok(last)
    }

    /// Moves the files to `out`, including the logs of engine failures.
    pub fn keep(self, out: &Folder) -> Result<Tally, FolderError> {
        for (folder, last) in &self.shards {
            copy_logs(folder, *last, out)?;
        }
        // Moves go first: no game in `games.csv` lacks its moves.
        self.moves.map_or(Ok(()), Replacement::keep)?;
        self.games.keep()?;
        Ok(self.tally)
    }
}

fn open_moves(folder: &Folder) -> Result<GameMoves, FolderError> {
    if !folder.has_moves() {
        return Err(FolderError::unfit(
            format!("{} has no moves.csv", folder.path().display()),
            "play it again with `moves = true`, like the others",
        ));
    }
    GameMoves::open(folder).map_err(|error| damaged(folder, error))
}

/// Numbers as text for users and batch systems: `3,7-9`.
pub fn ranges(numbers: &[u64]) -> String {
    let mut parts: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let text = |&(first, last): &(u64, u64)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    parts.iter().map(text).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_batch_systems_read_them() {
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[3]), "3");
        assert_eq!(ranges(&[3, 7, 8, 9]), "3,7-9");
        assert_eq!(ranges(&[1, 2, 4, 6, 7]), "1-2,4,6-7");
    }
}
