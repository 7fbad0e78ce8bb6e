//! The games that luck decided most, with the outcomes of chance that did it.

use std::cmp::Ordering;

use super::luck_meters::{Halves, LuckMeters};
use crate::arena::count::highlights::StoredGame;
use crate::arena::count::tally::Tally;
use crate::arena::folder::results_folder::Folder;
use crate::play::Roll;
use crate::rows::games_csv_rows::{GameRow, GameRows};
use crate::rows::results_folder_errors::FolderError;

/// A game of two agents in which one of them had much luck.
#[derive(Debug, Clone, PartialEq)]
pub struct LuckyGame {
    pub stored: StoredGame,
    /// The agent that had the luck, and its opponent.
    pub agents: [usize; 2],
    /// The agent's luck in points.
    pub luck: f64,
    /// The outcomes of chance that changed its expected score most, the largest change first, with
    /// its luck.
    pub rolls: Vec<Roll>,
}

/// The number of rolls of each game.
const ROLLS: usize = 3;

/// The luckiest games of the folder with their rolls, the largest luck first; empty if luck was not
/// measured.
///
/// # Errors
/// An unreadable file, or moves that are not a legal game.
pub fn luckiest_games(
    folder: &Folder,
    tally: &Tally,
    meters: &mut LuckMeters,
) -> Result<Vec<LuckyGame>, FolderError> {
    let wanted = &tally.luckiest.0;
    let Some(last) = wanted.iter().map(|row| row.game).max() else { return Ok(Vec::new()) };
    let path = folder.file("games.csv");
    let mut rows = GameRows::open(&path, &tally.names)?;
    let (mut found, mut halves) = (Vec::new(), Halves::default());
    while let Some(row) = rows.next_row().map_err(FolderError::rows(&path))? {
        let half = halves.next(&row);
        // The row in the file has no luck if it was measured after the run.
        if let Some(row) = wanted.iter().find(|wanted| wanted.game == row.game) {
            let (opening, moves) = rows.owned_texts();
            let game = lucky_game(StoredGame { row: *row, opening, moves }, half, meters);
            found.push(game.map_err(|why| FolderError::no_game(&path, row.game, &why))?);
        }
        if row.game == last {
            break;
        }
    }
    let place = |game: &LuckyGame| wanted.iter().position(|row| row.game == game.stored.row.game);
    found.sort_by_key(|a| place(a));
    Ok(found)
}

fn lucky_game(
    stored: StoredGame,
    half: usize,
    meters: &mut LuckMeters,
) -> Result<LuckyGame, String> {
    let mut rolls: Vec<Roll> = Vec::new();
    let texts = (&*stored.opening, &*stored.moves);
    let luck = meters.luck(half, &stored.row, texts, &mut |roll| rolls.push(roll.clone()))?;
    let GameRow { first, second, .. } = stored.row;
    let (sign, agents) = match luck.total_cmp(&0.0) {
        Ordering::Less => (-1.0, [second, first]),
        _ => (1.0, [first, second]),
    };
    rolls.sort_by(|a, b| b.luck.abs().total_cmp(&a.luck.abs()).then(a.ply.cmp(&b.ply)));
    rolls.truncate(ROLLS);
    let rolls = rolls.into_iter().map(|roll| Roll { luck: sign * roll.luck, ..roll }).collect();
    Ok(LuckyGame { stored, agents, luck: sign * luck, rolls })
}
