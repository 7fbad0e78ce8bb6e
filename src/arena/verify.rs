//! All that can be checked of a results folder: checksums, order, moves and results.

use std::fs;

use super::folder::{Folder, FolderError, unreadable};
use super::manifest::Status;
use super::moves_file::{GameMoves, Kind, NAME};
use super::resume::{is_game, spec_of};
use super::row::{RowError, Rows};
use super::schedule::Schedule;
use crate::config::Experiment;
use crate::world::Claim;

/// What a check has found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verified {
    /// Games that were read.
    pub games: u64,
    /// What is damaged: file, place and what is wrong, in words.
    pub damage: Vec<String>,
}

impl Folder {
    /// Checks every row of `games.csv` and `moves.csv`, and replays every game.
    ///
    /// # Errors
    /// A file that cannot be read at all.
    pub fn verify(
        &self,
        experiment: &Experiment,
        schedule: &Schedule,
    ) -> Result<Verified, FolderError> {
        let mut verified = Verified::default();
        let Verified { games, damage } = &mut verified;
        let path = self.file("games.csv");
        let names: Vec<String> = experiment.agents.iter().map(|a| a.name.clone()).collect();
        let mut rows = match self.rows(|file| Rows::new(file, names.clone())) {
            Err(FolderError::Games { source, .. }) => {
                damage.push(format!("games.csv: {source}"));
                match self.rows(|file| Rows::repairing(file, names.clone())) {
                    Err(FolderError::Games { .. }) => return Ok(verified),
                    rows => rows?,
                }
            }
            rows => rows?,
        };
        let kind = if experiment.output.moves { Kind::Recorded } else { Kind::Graded };
        let mut moves = match GameMoves::open(self) {
            Err(FolderError::BadMoves { source, .. }) => {
                damage.push(format!("{NAME}: {source}"));
                None
            }
            moves => Some(moves?),
        };
        let mut last = None;
        loop {
            let row = match rows.next_row() {
                Ok(Some(row)) => row,
                Ok(None) => break,
                Err(RowError::Io(source)) => return Err(unreadable(&path)(source.into())),
                Err(error) => {
                    damage.push(format!("games.csv: {error}"));
                    continue;
                }
            };
            *games += 1;
            let mut wrong =
                |what: &str| damage.push(format!("games.csv: game {}: {what}", row.game));
            if spec_of(&row, schedule).is_none_or(|spec| !is_game(&row, &spec)) {
                wrong("the schedule has other agents or another opening there");
                continue;
            }
            if last.is_some_and(|last| row.game != last + 1) {
                wrong("it is out of its place, or games before it are missing");
            }
            last = Some(row.game);
            let claim = Claim {
                outcome: row.outcome,
                reason: row.reason,
                plies: row.plies,
                moves: row.sides.map(|side| side.moves),
                max_plies: experiment.max_plies,
            };
            let (opening, text) = rows.texts();
            if let Err(what) = experiment.world.verify(opening, text, &claim) {
                wrong(&what);
            }
            match moves.as_mut().map(|moves| moves.check(&row, text, kind, None)) {
                None | Some(Ok(())) => {}
                Some(Err(FolderError::Strange { game, .. })) => {
                    damage.push(format!("{NAME}: game {game}: its moves are not all there"));
                }
                Some(Err(FolderError::BadMoves { source, .. })) => {
                    damage.push(format!("{NAME}: {source}; what follows is not checked"));
                    moves = None;
                }
                Some(Err(error)) => return Err(error),
            }
        }
        let length = fs::metadata(self.file(NAME)).map_or(0, |data| data.len());
        if moves.is_some_and(|moves| moves.end() < length) {
            damage.push(format!("{NAME}: there are lines behind the last game"));
        }
        let Some(there) = self.manifest() else { return Ok(verified) };
        // A killed run leaves a torn line, a complete one does not.
        let length = fs::metadata(&path).map_or(0, |data| data.len());
        if there.status == Status::Complete && rows.offset() < length {
            damage.push("games.csv: there are bytes behind the last line".to_owned());
        }
        if there.games > *games {
            damage.push(format!("games.csv: {games} of {} games are there", there.games));
        }
        let noted = there.grading.map_or(0, |grading| grading.games);
        if damage.is_empty() && self.grades(&names)?.map_or(0, |grades| grades.games) < noted {
            damage.push(format!("{NAME}: not all of the {noted} games have their grades"));
        }
        Ok(verified)
    }
}
