//! Counts the games of a folder from its `games.csv`.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::arena::count::grade_counts::Grades;
use crate::arena::count::highlights::StoredGame;
use crate::arena::count::run_history::RunHistory;
use crate::arena::count::tally::Tally;
use crate::arena::folder::game_moves;
use crate::arena::folder::results_folder::Folder;
use crate::arena::luck::luck_meters::{Halves, LuckMeters};
use crate::arena::schedule::game_schedule::{Pairing, Schedule};
use crate::play::Outcome;
use crate::rows::games_csv_rows::GameRows;
use crate::rows::results_folder_errors::FolderError;

/// Counts every complete row of `games.csv` and records the history of the run. A torn last line is
/// left out. `tally` must be empty; unknown agents are added as they appear. The schedule, if it is
/// known, gets all rounds that follow from the games.
///
/// # Errors
/// A missing or unreadable file, an invalid line, or a row that does not match the schedule.
pub fn count(
    folder: &Folder,
    tally: Tally,
    schedule: Option<&mut Schedule>,
) -> Result<(Tally, RunHistory), FolderError> {
    count_rows(folder, tally, schedule, None)
}

/// Measures the luck in every game of a folder, and sets the scores without luck and the luckiest
/// games of its counts.
///
/// # Errors
/// See [`count`]; also moves that are not a legal game.
pub fn measure_luck(
    folder: &Folder,
    tally: &mut Tally,
    meters: &mut LuckMeters,
) -> Result<(), FolderError> {
    let (measured, _) = count_rows(folder, tally.without_games(), None, Some(meters))?;
    tally.set_luck(measured);
    Ok(())
}

fn count_rows(
    folder: &Folder,
    mut tally: Tally,
    mut schedule: Option<&mut Schedule>,
    mut meters: Option<&mut LuckMeters>,
) -> Result<(Tally, RunHistory), FolderError> {
    let path = folder.file("games.csv");
    let mut rows = GameRows::open(&path, &tally.names)?;
    if tally.added_columns.is_empty() {
        tally.added_columns = rows.answer_columns();
    }
    let (mut history, mut halves) = (RunHistory::default(), Halves::default());
    let is_sealed = rows.lines.is_sealed();
    let mut last = None;
    // Without a schedule, the rows define the pairings.
    let mut found = tally.pairings.is_empty().then(HashMap::new);
    while rows.advance().map_err(FolderError::rows(&path))? {
        let row = rows.row_mut();
        let seats = (row.first.min(row.second), row.first.max(row.second));
        let known = match &mut found {
            Some(found) => {
                let next = found.len() as u32 + 1;
                row.pairing = *found.entry(seats).or_insert(next);
                true
            }
            None => tally
                .pairings
                .get(row.pairing.wrapping_sub(1) as usize)
                .is_some_and(|(Pairing { a, b, .. }, _)| (*a.min(b), *a.max(b)) == seats),
        };
        let next = last.is_none_or(|last| row.game.checked_sub(1) == Some(last));
        let planned = schedule.as_ref().filter(|schedule| schedule.grows());
        let known = known
            && planned.is_none_or(|plan| plan.game(row.game).is_some_and(|spec| row.is(&spec)));
        last = Some(row.game);
        if !known || (is_sealed && !next) {
            return Err(FolderError::order(&path, tally.rows + 1, (row.game, row.pairing)));
        }
        if let Some(meters) = &mut meters {
            let (opening, moves) = rows.owned_texts();
            let row = rows.row_mut();
            let luck = meters.luck(halves.next(row), row, (&*opening, &*moves), &mut |_| {});
            let luck = luck.map_err(|why| FolderError::no_game(&path, row.game, &why))?;
            row.luck = Some((luck * 1e9).round() as i64).filter(|_| row.outcome != Outcome::Void);
        }
        let row = rows.row();
        tally.push(row);
        if let Some(schedule) = &mut schedule {
            schedule.grow(&tally);
        }
        history.record(row, || rows.owned_texts(), &tally);
    }
    tally.count_lone_game();
    tally.names = rows.names().to_vec();
    history.end(&tally);
    Ok((tally, history))
}

/// Reads one game by its number. Also returns the names of the agents seen so far and the number of
/// games read so far. If the game is missing, all games were read.
///
/// # Errors
/// See [`count`].
pub fn find_game(
    folder: &Folder,
    number: u64,
) -> Result<(Vec<String>, Option<StoredGame>, u64), FolderError> {
    let path = folder.file("games.csv");
    let mut rows = GameRows::open(&path, &[])?;
    let mut seen = 0;
    while let Some(row) = rows.next_row().map_err(FolderError::rows(&path))? {
        seen += 1;
        if row.game == number {
            let (opening, moves) = rows.owned_texts();
            return Ok((rows.names().to_vec(), Some(StoredGame { row, opening, moves }), seen));
        }
    }
    Ok((rows.names().to_vec(), None, seen))
}

/// Counts the grades in `moves.csv` of a folder; `None` if there are no grades.
///
/// # Errors
/// An unreadable file or an invalid line.
pub fn count_grades(folder: &Folder, names: &[String]) -> Result<Option<Grades>, FolderError> {
    let path = folder.file(game_moves::NAME);
    let Some(mut rows) = game_moves::open(&path)? else { return Ok(None) };
    Grades::read(&mut rows, names).map_err(FolderError::rows(&path))
}

/// Whether the last line of a file has no newline.
pub fn ends_torn(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    if file.metadata()?.len() == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}
