//! Verifies a results folder: checksums, order, moves and results.

use std::fmt::Display;
use std::fs;

use super::count_games_csv::count_grades;
use crate::arena::count::tally::Tally;
use crate::arena::folder::game_moves::{GameMoves, Kind, NAME};
use crate::arena::folder::manifest::Status;
use crate::arena::folder::results_folder::Folder;
use crate::arena::schedule::game_schedule::Schedule;
use crate::config::Experiment;
use crate::play::Claim;
use crate::rows::games_csv_rows::{GameRow, GameRows};
use crate::rows::results_folder_errors::{FolderError, RowError};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verified {
    pub games: u64,
    /// The damage: file, place and problem, as text.
    pub damage: Vec<String>,
    /// Whether a header is damaged, which no command repairs.
    pub is_header: bool,
}

/// Checks every row of `games.csv` and `moves.csv`, and replays every game. `schedule` has the rounds
/// that are known before the first game, and `tally` is empty.
pub fn verify(
    folder: &Folder,
    experiment: &Experiment,
    schedule: Schedule,
    tally: Tally,
) -> Result<Verified, FolderError> {
    let mut verified = Verified::default();
    let path = folder.file("games.csv");
    let rows = GameRows::open(&path, &experiment.agent_names());
    let Some(mut rows) = verified.opened("games.csv", rows)? else { return Ok(verified) };
    let moves = verified.opened(NAME, GameMoves::open(folder))?;
    let mut pass = Pass { folder, experiment, schedule, tally, moves, last: None, verified };
    pass.check_games(&mut rows)?;
    pass.check_ends(rows.offset())?;
    Ok(pass.verified)
}

impl Verified {
    /// The file, or `None` if its beginning is damaged.
    fn opened<T>(
        &mut self,
        name: &str,
        file: Result<T, FolderError>,
    ) -> Result<Option<T>, FolderError> {
        match file {
            Err(FolderError::Content { what, is_header, .. }) => {
                self.is_header |= is_header;
                self.damage.push(format!("{name}: {what}"));
                Ok(None)
            }
            file => file.map(Some),
        }
    }
}

struct Pass<'a> {
    folder: &'a Folder,
    experiment: &'a Experiment,
    /// The rounds that follow from the games so far.
    schedule: Schedule,
    tally: Tally,
    /// `None` after damage that makes the next moves unreadable.
    moves: Option<GameMoves>,
    /// The number of the last game that was in the schedule.
    last: Option<u64>,
    verified: Verified,
}

impl Pass<'_> {
    fn check_games(&mut self, rows: &mut GameRows<'_>) -> Result<(), FolderError> {
        loop {
            let row = match rows.next_row() {
                Ok(Some(row)) => row,
                Ok(None) => return Ok(()),
                Err(RowError::Io(source)) => {
                    return Err(FolderError::disk("read", &self.folder.file("games.csv"))(source));
                }
                Err(error) => {
                    self.damaged("games.csv", error);
                    continue;
                }
            };
            self.verified.games += 1;
            if self.schedule.may_come(row.game) {
                // A round follows from all games before it, so these rows cannot be checked.
                let before = format!("games before game {} are missing", row.game);
                self.damaged("games.csv", format!("{before}, so later rounds are not checked"));
                return Ok(());
            }
            if self.schedule.game(row.game).is_none_or(|spec| !row.is(&spec)) {
                self.wrong(&row, "the schedule has other agents or another opening there");
                continue;
            }
            let (opening, text) = rows.texts();
            self.check_game(&row, opening, text);
            self.check_moves(&row, text)?;
        }
    }

    /// Checks the place of a game in its file, and its result by replaying it. A
    /// game by a referee has no moves to replay.
    fn check_game(&mut self, row: &GameRow, opening: &str, text: &str) {
        if self.last.is_some_and(|last| row.game != last + 1) {
            self.wrong(row, "it is out of its place, or games before it are missing");
        }
        self.last = Some(row.game);
        self.tally.push(row);
        self.schedule.grow(&self.tally);
        if self.experiment.any_game.is_refereed() {
            return;
        }
        let claim = Claim {
            outcome: row.outcome,
            reason: row.reason,
            plies: row.plies,
            moves: row.sides.map(|side| side.moves),
            max_plies: self.experiment.limits.max_plies,
        };
        if let Err(what) = self.experiment.any_game.verify(opening, text, &claim) {
            self.wrong(row, &what);
        }
    }

    fn check_moves(&mut self, row: &GameRow, text: &str) -> Result<(), FolderError> {
        let recorded = self.experiment.output.moves;
        let kind = if recorded { Kind::Recorded } else { Kind::Graded };
        let Some(moves) = &mut self.moves else { return Ok(()) };
        match moves.check(row, text, kind, None) {
            Ok(true) => {}
            Ok(false) => {
                let game = row.game;
                self.damaged(NAME, format_args!("game {game}: its moves are not all there"));
            }
            Err(FolderError::Content { what, .. }) => {
                self.damaged(NAME, format_args!("{what}; what follows is not checked"));
                self.moves = None;
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Checks the ends of the files against the manifest. `end` is the end of the last row.
    fn check_ends(&mut self, end: u64) -> Result<(), FolderError> {
        let folder = self.folder;
        let length = |name| fs::metadata(folder.file(name)).map_or(0, |data| data.len());
        if self.moves.as_ref().is_some_and(|moves| moves.end() < length(NAME)) {
            self.damaged(NAME, "there are lines after the last game");
        }
        let Some(there) = folder.manifest() else { return Ok(()) };
        // A killed run may leave a torn line; a complete run does not.
        if there.status == Status::Complete && end < length("games.csv") {
            self.damaged("games.csv", "there are bytes after the last line");
        }
        let games = self.verified.games;
        if there.games > games {
            self.damaged("games.csv", format_args!("{games} of {} games are there", there.games));
        }
        let noted = there.grading.map_or(0, |grading| grading.games);
        let graded = || count_grades(folder, &self.experiment.agent_names());
        if self.verified.damage.is_empty() && graded()?.map_or(0, |grades| grades.games) < noted {
            self.damaged(NAME, format_args!("not all of the {noted} games have their grades"));
        }
        Ok(())
    }

    fn wrong(&mut self, row: &GameRow, what: &str) {
        self.damaged("games.csv", format_args!("game {}: {what}", row.game));
    }

    fn damaged(&mut self, file: &str, what: impl Display) {
        self.verified.damage.push(format!("{file}: {what}"));
    }
}
