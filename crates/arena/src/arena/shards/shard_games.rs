//! Reads the games of a complete shard in order and compares each one with the schedule.

use std::path::PathBuf;

use crate::arena::count::tally::Tally;
use crate::arena::folder::results_folder::Folder;
use crate::play::GameSpec;
use crate::rows::games_csv_rows::{GameRow, GameRows};
use crate::rows::results_folder_errors::FolderError;

pub(crate) struct Games {
    folder: PathBuf,
    pub rows: GameRows<'static>,
    read: u64,
}

impl Games {
    pub fn open(folder: &Folder, tally: &Tally) -> Result<Self, FolderError> {
        let path = folder.file("games.csv");
        let rows = GameRows::open_with(&path, &tally.names, &tally.added_columns)
            .map_err(|error| damaged(folder, error))?;
        let known = rows.lines.refuse_unknown().map_err(FolderError::rows(&path));
        known.map_err(|error| damaged(folder, error))?;
        Ok(Games { folder: folder.path().to_owned(), rows, read: 0 })
    }

    /// The row of this game, which must be the next one.
    pub fn next(&mut self, spec: &GameSpec) -> Result<GameRow, FolderError> {
        self.read += 1;
        let what = match self.rows.next_row() {
            Ok(Some(row)) if row.is(spec) => return Ok(row),
            Ok(Some(GameRow { game, pairing, .. })) => format!(
                "row {} of games.csv is game {game} of pairing {pairing} and not game {}",
                self.read, spec.game
            ),
            Ok(None) => format!("games.csv ends before game {}", spec.game),
            Err(source) => format!("games.csv: {source}"),
        };
        Err(FolderError::shard(&self.folder, &what))
    }
}

pub(crate) fn damaged(folder: &Folder, error: FolderError) -> FolderError {
    match error {
        FolderError::Content { path, what, .. } => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            FolderError::shard(folder.path(), &format!("{name}: {what}"))
        }
        error => error,
    }
}
