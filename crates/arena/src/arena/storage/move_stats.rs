//! Statistics from `moves.csv` besides grades: the moves of some games, and the cut-offs of
//! searches.

use std::collections::HashSet;

use crate::arena::folder::game_moves::{NAME, open};
use crate::arena::folder::results_folder::Folder;
use crate::arena::rows::moves_csv_rows::MoveRow;
use crate::arena::rows::results_folder_errors::FolderError;
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

    /// Reads `moves.csv` of a folder; empty if the file does not exist. Unknown agents are left
    /// out.
    pub fn of(
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
                *counts = [counts[0] + all, counts[1] + first];
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

    fn looked(text: &str) -> MoveStats {
        let dir = tempfile::tempdir().expect("a folder");
        std::fs::write(dir.path().join(NAME), text).expect("written");
        let names = ["a".to_owned(), "b".to_owned()];
        MoveStats::of(&Folder::new(dir.path()), &[2].into(), &names).expect("rows")
    }

    #[test]
    fn moves_of_some_games_and_cut_offs_of_all() {
        let head = crate::arena::rows::moves_csv_rows::header().replace(",checksum", "");
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
