//! Syzygy endgame tables (R. de Man): the result of every chess position with few pieces, under
//! the fifty-move rule. Only the tables of results (`.rtbw`) are read, for up to seven pieces.
//!
//! The format has no description but its probing code. This code follows the layout of Fathom (MIT
//! licence). A file is opened for each probe and never kept in memory. A damaged file is an error
//! and never a panic. Bits that are changed inside the compressed values are not noticed.

mod compressed_values;
mod file_reader;
mod material;
mod piece_order;
mod table_file;

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use cozy_chess::{Board, Color, Move, Piece};

use self::material::Material;
use self::table_file::TableFile;
use crate::params::ParamError;

/// The numbers of pieces that tables have.
const PIECES: std::ops::RangeInclusive<u32> = 3..=7;

/// Complete tables for all positions with up to a number of pieces.
pub struct SyzygyTables {
    /// The largest number of pieces.
    pieces: u32,
    tables: HashMap<Material, TableFile>,
}

impl fmt::Debug for SyzygyTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tables with up to {} pieces", self.tables.len(), self.pieces)
    }
}

impl SyzygyTables {
    /// Opens the tables in these folders. `pieces` is the largest number of pieces. Without it, all
    /// numbers are used whose tables are complete.
    ///
    /// # Errors
    /// A folder that cannot be read, a missing table, and a damaged one. The key is `syzygy` or
    /// `syzygy_pieces`.
    pub fn open(folders: &[PathBuf], pieces: Option<u32>) -> Result<Self, ParamError> {
        let files = files(folders)?;
        let missing = |pieces| {
            Material::all(pieces).find(|material| !files.contains_key(material)).map(Material::name)
        };
        let incomplete = PIECES.map(|n| (n, missing(n))).find(|(_, missing)| missing.is_some());
        let (first_incomplete, name) = incomplete.unwrap_or((PIECES.end() + 1, None));
        let most = pieces.unwrap_or(first_incomplete - 1).max(*PIECES.start());
        if most >= first_incomplete {
            let shown: Vec<_> = folders.iter().map(|path| path.display().to_string()).collect();
            let name = name.unwrap_or_default();
            return Err(ParamError::at(
                if first_incomplete > 3 { "syzygy_pieces" } else { "syzygy" },
                format!(
                    "the table `{name}.rtbw` of {first_incomplete} pieces is not in {}",
                    shown.join(", ")
                ),
                match first_incomplete {
                    3 => "name folders with Syzygy tables: files such as `KQvK.rtbw`".to_owned(),
                    n => format!("add the table, or set `syzygy_pieces = {}`", n - 1),
                },
            ));
        }
        let mut tables = HashMap::new();
        for material in (*PIECES.start()..=most).flat_map(Material::all) {
            let path = &files[&material];
            let table = TableFile::open(path, material).map_err(|_| {
                let message = format!("the table {} is cut or damaged", path.display());
                ParamError::at("syzygy", message, "copy this file again from its source")
            })?;
            tables.insert(material, table);
        }
        Ok(SyzygyTables { pieces: most, tables })
    }

    /// The result of a position, from -2 to 2 for the side to move: a loss, a loss that the
    /// fifty-move rule saves, a draw, a win that it spoils, and a win. It holds if the half-move
    /// clock is 0. `None` if the position has more pieces or castling rights.
    ///
    /// # Errors
    /// A file that can no longer be read or is damaged.
    pub(in crate::games) fn value(&self, board: &Board) -> Result<Option<i8>, String> {
        let castles = |color| {
            let rights = board.castle_rights(color);
            rights.short.is_some() || rights.long.is_some()
        };
        if board.occupied().len() > self.pieces
            || [Color::White, Color::Black].map(castles) != [false; 2]
        {
            return Ok(None);
        }
        self.known_value(board).map(Some)
    }

    /// Tables need not have the right value where a capture is best, and they know no captures en
    /// passant. So the captures are tried here.
    fn known_value(&self, board: &Board) -> Result<i8, String> {
        if board.occupied().len() == 2 {
            return Ok(0);
        }
        let mut best = None;
        let mut only_captures = true;
        let mut moves = Vec::new();
        board.generate_moves(|set| {
            moves.extend(set);
            false
        });
        for mv in moves {
            if !captures(board, mv) {
                only_captures = false;
                continue;
            }
            let mut after = board.clone();
            after.play_unchecked(mv);
            best = best.max(Some(-self.known_value(&after)?));
            if best == Some(2) {
                return Ok(2);
            }
        }
        match best {
            Some(best) if only_captures => Ok(best),
            None if only_captures => Ok(if board.checkers().is_empty() { 0 } else { -2 }),
            _ => {
                let material = Material::of(board);
                let of = |material| self.tables.get(&material);
                let table = of(material).or_else(|| of(material.swapped()));
                let table = table.ok_or_else(|| format!("no table `{}`", material.name()))?;
                let damaged = |_| format!("the table {} is damaged or gone", table.path.display());
                let value = table.value(board).map_err(damaged)?;
                Ok(value.max(best.unwrap_or(value)))
            }
        }
    }
}

fn captures(board: &Board, mv: Move) -> bool {
    let en_passant = board.pieces(Piece::Pawn).has(mv.from) && mv.from.file() != mv.to.file();
    board.colors(!board.side_to_move()).has(mv.to) || en_passant
}

/// The files of tables in these folders; the first folder with a table counts.
fn files(folders: &[PathBuf]) -> Result<HashMap<Material, PathBuf>, ParamError> {
    let mut files = HashMap::new();
    for folder in folders {
        let unreadable = |error: std::io::Error| {
            let message = format!("cannot read the folder {}: {error}", folder.display());
            ParamError::at("syzygy", message, "name folders with Syzygy tables")
        };
        for entry in folder.read_dir().map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if let Some(material) = of_path(&path) {
                files.entry(material).or_insert(path);
            }
        }
    }
    Ok(files)
}

/// The material of a table by the name of its file, with the stronger side first.
fn of_path(path: &Path) -> Option<Material> {
    let is_table = path.extension().is_some_and(|extension| extension == "rtbw");
    Material::of_name(path.file_stem()?.to_str()?).filter(|_| is_table)
}

#[cfg(test)]
mod tests;
