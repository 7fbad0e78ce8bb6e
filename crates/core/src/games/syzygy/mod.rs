//! Syzygy endgame tables (R. de Man): the result of every chess position with few pieces, under
//! the fifty-move rule. Only the tables of results (`.rtbw`) are read, for up to seven pieces.
//!
//! The format has no description but its probing code. This code follows the layout of Fathom (MIT
//! licence). A file is opened for each probe and never kept in memory. A damaged file is an error
//! and never a panic. Bits that are changed inside the compressed values are not noticed.

mod compressed_values;
mod piece_order;
mod read_bytes;
mod table_file;
mod table_names;

use std::collections::HashMap;
use std::path::PathBuf;

use cozy_chess::{Board, CastleRights, Color, Move, Piece};

use self::table_file::TableFile;
use self::table_names::{side_of, table_names};
use crate::params::ParamError;

/// The smallest and the largest number of pieces that tables have.
const FEWEST: u32 = 3;
const MOST: u32 = 7;

/// Complete tables for all positions with up to a number of pieces.
#[derive(Debug)]
pub struct SyzygyTables {
    /// The largest number of pieces.
    pieces: u32,
    /// By name.
    tables: HashMap<String, TableFile>,
}

impl SyzygyTables {
    /// Opens the tables in these folders; the first folder with a table counts. `pieces` is the
    /// largest number of pieces. Without it, all numbers are used whose tables are complete.
    ///
    /// # Errors
    /// A folder that cannot be read, a missing table, and a damaged one. The key is `syzygy` or
    /// `syzygy_pieces`.
    pub fn open(folders: &[PathBuf], pieces: Option<u32>) -> Result<Self, ParamError> {
        for folder in folders {
            folder.read_dir().map_err(|error| {
                let message = format!("cannot read the folder {}: {error}", folder.display());
                ParamError::at("syzygy", message, "name folders with Syzygy tables")
            })?;
        }
        let path_of = |name: &String| {
            let file = format!("{name}.rtbw");
            folders.iter().map(|folder| folder.join(&file)).find(|path| path.is_file())
        };
        let mut open = SyzygyTables { pieces: 0, tables: HashMap::new() };
        for number in FEWEST..=pieces.unwrap_or(MOST) {
            let names = table_names(number as usize);
            let paths: Result<Vec<_>, _> =
                names.iter().map(|name| path_of(name).ok_or(name)).collect();
            let paths = match paths {
                Ok(paths) => paths,
                Err(_) if pieces.is_none() && number > FEWEST => break,
                Err(name) => return Err(missing(name, number, folders)),
            };
            for (name, path) in names.iter().zip(paths) {
                let table = TableFile::open(&path, name).ok_or_else(|| {
                    let message = format!("the table {} is cut or damaged", path.display());
                    ParamError::at("syzygy", message, "copy this file again from its source")
                })?;
                open.tables.insert(name.clone(), table);
            }
            open.pieces = number;
        }
        Ok(open)
    }

    /// The result of a position, from -2 to 2 for the side to move: a loss, a loss that the
    /// fifty-move rule saves, a draw, a win that it spoils, and a win. It holds if the half-move
    /// clock is 0. `None` if the position has more pieces or castling rights.
    ///
    /// # Errors
    /// A file that can no longer be read or is damaged.
    pub(in crate::games) fn value(&self, board: &Board) -> Result<Option<i8>, String> {
        let castles = |color| *board.castle_rights(color) != CastleRights::EMPTY;
        if board.occupied().len() > self.pieces || castles(Color::White) || castles(Color::Black) {
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
            _ => {
                let value = self.table_value(board)?;
                Ok(value.max(best.unwrap_or(value)))
            }
        }
    }

    /// The value in the table. A table is for its sides in either colour. If both sides have the same
    /// pieces, it has the values for its first side to move.
    fn table_value(&self, board: &Board) -> Result<i8, String> {
        let [white, black] = [Color::White, Color::Black].map(|color| side_of(board, color));
        let found = self.tables.get(&format!("{white}v{black}"));
        let is_symmetric = white == black;
        let swaps = found.is_none() || is_symmetric && board.side_to_move() == Color::Black;
        let table = found.unwrap_or_else(|| &self.tables[&format!("{black}v{white}")]);
        let damaged = || format!("the table {} is damaged or gone", table.path.display());
        table.value(board, swaps).ok_or_else(damaged)
    }
}

/// The error of a missing table with this number of pieces.
fn missing(name: &str, pieces: u32, folders: &[PathBuf]) -> ParamError {
    let shown: Vec<_> = folders.iter().map(|path| path.display().to_string()).collect();
    let shown = if shown.is_empty() { "any folder".to_owned() } else { shown.join(", ") };
    let message = format!("the table `{name}.rtbw` of {pieces} pieces is not in {shown}");
    match pieces {
        FEWEST => {
            let help = "name folders with Syzygy tables: files such as `KQvK.rtbw`";
            ParamError::at("syzygy", message, help)
        }
        _ => {
            let help = format!("add the table, or set `syzygy_pieces = {}`", pieces - 1);
            ParamError::at("syzygy_pieces", message, help)
        }
    }
}

fn captures(board: &Board, mv: Move) -> bool {
    let en_passant = board.pieces(Piece::Pawn).has(mv.from) && mv.from.file() != mv.to.file();
    board.colors(!board.side_to_move()).has(mv.to) || en_passant
}

#[cfg(test)]
mod tests;
