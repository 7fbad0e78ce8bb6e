//! Statistics from `moves.csv` besides grades: the moves of some games, and the cut-offs of
//! searches.

use std::collections::HashSet;

use crate::arena::count::tally::Tally;
use crate::arena::folder::game_moves::{NAME, open, open_at};
use crate::arena::folder::results_folder::Folder;
use crate::rows::moves_csv_rows::MoveRow;
use crate::rows::results_folder_errors::FolderError;
use std::collections::BTreeMap;

#[doc(hidden)]
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MoveStats {
    /// The moves of the requested games, by game.
    pub moves: BTreeMap<u64, Vec<MoveRow>>,
    /// By agent: the number of cut-offs, and how many of them the first move caused.
    pub cutoffs: Vec<[u64; 2]>,
}

impl MoveStats {
    /// The share of cut-offs at the first move; `None` without cut-offs.
    pub fn first_share(&self, agent: usize) -> Option<f64> {
        let [all, first] = *self.cutoffs.get(agent)?;
        (all > 0).then(|| first as f64 / all as f64)
    }

    /// Reads `moves.csv` of a folder; empty if the file does not exist.
    pub fn of(folder: &Folder, games: &HashSet<u64>, tally: &Tally) -> Result<Self, FolderError> {
        match tally.agents.iter().all(|agent| agent.nodes == 0) {
            // Without a search there are no cut-offs.
            true => MoveStats::of_games(folder, games),
            false => MoveStats::of_all_rows(folder, games, &tally.names),
        }
    }

    /// Reads only the moves of these games.
    pub fn of_games(folder: &Folder, games: &HashSet<u64>) -> Result<Self, FolderError> {
        match MoveStats::found(folder, games) {
            Ok(Some(stats)) => Ok(stats),
            // Reading from the beginning finds the line of an error.
            Ok(None) | Err(_) => MoveStats::of_all_rows(folder, games, &[]),
        }
    }

    /// Searches for the games in a file with checksums, which is in the order of the games.
    fn found(folder: &Folder, games: &HashSet<u64>) -> Result<Option<Self>, FolderError> {
        let path = folder.file(NAME);
        let mut stats = MoveStats::default();
        for &game in games {
            let Some(mut rows) = open_at(&path, game)? else { return Ok(None) };
            let mut read = || {
                while rows.advance()? && rows.game()? <= game {
                    if rows.game()? == game {
                        stats.moves.entry(game).or_default().push(rows.row()?);
                    }
                }
                Ok(())
            };
            read().map_err(FolderError::rows(&path))?;
        }
        Ok(Some(stats))
    }

    /// Reads every row. Unknown agents are left out.
    fn of_all_rows(
        folder: &Folder,
        games: &HashSet<u64>,
        names: &[String],
    ) -> Result<Self, FolderError> {
        let mut stats = MoveStats { cutoffs: vec![[0; 2]; names.len()], ..MoveStats::default() };
        let path = folder.file(NAME);
        let bad = FolderError::rows(&path);
        let Some(mut rows) = open(&path)? else { return Ok(stats) };
        while rows.advance().map_err(&bad)? {
            if let Some([all, first]) = rows.cutoffs().map_err(&bad)?
                && let Some(agent) = names.iter().position(|name| name == rows.agent())
            {
                let counts = &mut stats.cutoffs[agent];
                // A file may contain impossible values.
                *counts = [counts[0].saturating_add(all), counts[1].saturating_add(first)];
            }
            let game = rows.game().map_err(&bad)?;
            if games.contains(&game) {
                stats.moves.entry(game).or_default().push(rows.row().map_err(&bad)?);
            }
        }
        Ok(stats)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::moves_csv_rows;

    fn looked(text: &str) -> MoveStats {
        let dir = tempfile::tempdir().expect("a folder");
        std::fs::write(dir.path().join(NAME), text).expect("written");
        let names = ["a".to_owned(), "b".to_owned()];
        MoveStats::of_all_rows(&Folder::new(dir.path()), &[2].into(), &names).expect("rows")
    }

    #[test]
    fn games_of_a_long_file_are_found_without_reading_it() {
        let dir = tempfile::tempdir().expect("a folder");
        let (folder, path) = (Folder::new(dir.path()), dir.path().join(NAME));
        let mut bytes = moves_csv_rows::header().as_bytes().to_vec();
        for game in (1..30_000).filter(|game| game % 7 != 0) {
            for ply in 1..=game as u32 % 5 {
                let mut row = MoveRow { game, ..MoveRow::default() };
                row.graded.ply = ply;
                moves_csv_rows::write_row(&mut bytes, &row, "a");
            }
        }
        std::fs::write(&path, &bytes).expect("written");
        let found = |games: &[u64]| {
            let games = games.iter().copied().collect();
            let stats = MoveStats::of_games(&folder, &games).expect("rows");
            let all = MoveStats::of_all_rows(&folder, &games, &[]).expect("rows");
            assert_eq!(stats, all);
            stats.moves
        };
        // Games 5 and 7 have no rows.
        let some = found(&[1, 3, 5, 7, 12_344, 29_999, 30_000]);
        let counts: Vec<(u64, usize)> =
            some.iter().map(|(game, rows)| (*game, rows.len())).collect();
        assert_eq!(counts, [(1, 1), (3, 3), (12_344, 4), (29_999, 4)]);
        // Damage in a game that is read is an error with its line; other damage is not read.
        let text = String::from_utf8(bytes.clone()).expect("text");
        let damaged = text.find("\n12344,2,").expect("a row") + 1;
        bytes[damaged + 6] = b'3';
        std::fs::write(&path, &bytes).expect("written");
        let line = text[..=damaged].lines().count();
        assert!(MoveStats::of_games(&folder, &[3].into()).is_ok());
        let error = MoveStats::of_games(&folder, &[12_344].into()).expect_err("damage");
        assert!(error.to_string().contains(&format!("line {line} is damaged")), "{error}");
    }

    #[test]
    fn moves_of_some_games_and_cut_offs_of_all() {
        let head = crate::rows::moves_csv_rows::header().replace(",checksum", "");
        let rows = "1,1,first,a,5,9,2,0,70,,,,,6,4\n2,1,first,b,5,,,,70,,,,,,\n\
                    2,2,second,a,5,9,2,0,70,,,,,2,2\n";
        let all = looked(&(head + rows));
        assert_eq!(all.moves[&2].len(), 2);
        assert_eq!(all.cutoffs, [[8, 6], [0, 0]]);
        assert_eq!((all.first_share(0), all.first_share(1)), (Some(0.75), None));
    }

    #[test]
    fn files_without_these_columns_are_read_as_well() {
        let old = "game,ply,player,agent,move,nodes,depth,value,time_ns,value_before,value_after,\
                   best,regret\n2,1,first,a,5,9,2,0,70,,,,\n";
        let all = looked(old);
        assert_eq!((all.moves[&2].len(), &all.cutoffs[0]), (1, &[0, 0]));
    }
}
