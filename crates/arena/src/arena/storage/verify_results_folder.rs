//! Verifies a results folder: checksums, order, moves and results.

use std::fs;

use super::count_games_csv::count_grades;
use crate::arena::count::tally::Tally;
use crate::arena::folder::game_moves::{GameMoves, Kind, NAME};
use crate::arena::folder::manifest::Status;
use crate::arena::folder::results_folder::Folder;
use crate::arena::rows::games_csv_rows::GameRows;
use crate::arena::rows::results_folder_errors::{FolderError, RowError};
use crate::arena::schedule::game_schedule::Schedule;
use crate::config::Experiment;
use crate::play::Claim;

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
    mut schedule: Schedule,
    mut tally: Tally,
) -> Result<Verified, FolderError> {
    let mut verified = Verified::default();
    let Verified { games, damage, is_header: header } = &mut verified;
    let path = folder.file("games.csv");
    let names = experiment.agent_names();
    let mut rows = match GameRows::open(&path, &names) {
        Err(FolderError::Content { what, is_header, .. }) => {
            *header |= is_header;
            damage.push(format!("games.csv: {what}"));
            return Ok(verified);
        }
        rows => rows?,
    };
    let kind = if experiment.output.moves { Kind::Recorded } else { Kind::Graded };
    let mut moves = match GameMoves::open(folder) {
        Err(FolderError::Content { what, is_header, .. }) => {
            *header |= is_header;
            damage.push(format!("{NAME}: {what}"));
            None
        }
        moves => Some(moves?),
    };
    let mut last = None;
    loop {
        let row = match rows.next_row() {
            Ok(Some(row)) => row,
            Ok(None) => break,
            Err(RowError::Io(source)) => return Err(FolderError::disk("read", &path)(source)),
            Err(error) => {
                damage.push(format!("games.csv: {error}"));
                continue;
            }
        };
        *games += 1;
        if schedule.may_come(row.game) {
            // A round follows from all games before it, so these rows cannot be checked.
            damage.push(format!(
                "games.csv: games before game {} are missing, so later rounds are not checked",
                row.game
            ));
            break;
        }
        let mut wrong = |what: &str| damage.push(format!("games.csv: game {}: {what}", row.game));
        if schedule.game(row.game).is_none_or(|spec| !row.is(&spec)) {
            wrong("the schedule has other agents or another opening there");
            continue;
        }
        if last.is_some_and(|last| row.game != last + 1) {
            wrong("it is out of its place, or games before it are missing");
        }
        last = Some(row.game);
        tally.push(&row);
        schedule.grow(&tally);
        let claim = Claim {
            outcome: row.outcome,
            reason: row.reason,
            plies: row.plies,
            moves: row.sides.map(|side| side.moves),
            max_plies: experiment.max_plies,
        };
        let (opening, text) = rows.texts();
        if let Err(what) = experiment.any_game.verify(opening, text, &claim) {
            wrong(&what);
        }
        match moves.as_mut().map(|moves| moves.check(&row, text, kind, None)) {
            None | Some(Ok(true)) => {}
            Some(Ok(false)) => {
                damage.push(format!("{NAME}: game {}: its moves are not all there", row.game));
            }
            Some(Err(FolderError::Content { what, .. })) => {
                damage.push(format!("{NAME}: {what}; what follows is not checked"));
                moves = None;
            }
            Some(Err(error)) => return Err(error),
        }
    }
    let length = fs::metadata(folder.file(NAME)).map_or(0, |data| data.len());
    if moves.is_some_and(|moves| moves.end() < length) {
        damage.push(format!("{NAME}: there are lines after the last game"));
    }
    let Some(there) = folder.manifest() else { return Ok(verified) };
    // A killed run may leave a torn line; a complete run does not.
    let length = fs::metadata(&path).map_or(0, |data| data.len());
    if there.status == Status::Complete && rows.offset() < length {
        damage.push("games.csv: there are bytes after the last line".to_owned());
    }
    if there.games > *games {
        damage.push(format!("games.csv: {games} of {} games are there", there.games));
    }
    let noted = there.grading.map_or(0, |grading| grading.games);
    if damage.is_empty() && count_grades(folder, &names)?.map_or(0, |grades| grades.games) < noted {
        damage.push(format!("{NAME}: not all of the {noted} games have their grades"));
    }
    Ok(verified)
}
